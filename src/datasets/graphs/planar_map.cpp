#include "datasets/graphs/planar_map.h"

#include <algorithm>

namespace equiframe::inline datasets {

PlanarMap::PlanarMap(int64_t cycle) {
  for (int64_t u = 0; u < cycle; ++u) {
    colour_.push_back(static_cast<int>(u % 2));
    leaving_.push_back(2 * u);
    origin_.insert(origin_.end(), {u, (u + 1) % cycle});
    next_.insert(next_.end(), {2 * ((u + 1) % cycle), 2 * ((u + cycle - 1) % cycle) + 1});
  }
}

PlanarMap PlanarMap::random(int64_t nodes, const Draw& draw) {
  PlanarMap map(nodes >= 6 && draw(2) == 1 ? 6 : 4);
  while (map.nodes() < nodes) map.add_ear(nodes - map.nodes(), draw);
  return map;
}

void PlanarMap::add_ear(int64_t room, const Draw& draw) {
  std::vector<int64_t> face{draw(static_cast<int64_t>(origin_.size()))};
  for (int64_t h = next_[face[0]]; h != face[0]; h = next_[h]) face.push_back(h);
  const int64_t a = face[0], b = face[draw(static_cast<int64_t>(face.size()))];
  const int64_t u = origin_[a], v = origin_[b];
  if (u == v) return;
  if (colour(u) == colour(v)) return join(a, b, 1);
  const int64_t inner = 2 * draw(2);
  if (inner <= room && (inner > 0 || !adjacent(u, v))) join(a, b, inner);
}

bool PlanarMap::adjacent(int64_t u, int64_t v) const {
  const std::vector<int64_t> near = around(u);
  return std::find(near.begin(), near.end(), v) != near.end();
}

int64_t PlanarMap::previous(int64_t h) const {
  int64_t before = h;
  while (next_[before] != h) before = next_[before];
  return before;
}

void PlanarMap::join(int64_t a, int64_t b, int64_t inner) {
  const int64_t before_a = previous(a), before_b = previous(b), end = origin_[b];
  int64_t at = origin_[a], out = before_a, back = a;
  for (int64_t k = 0; k <= inner; ++k) {
    const int64_t to = k < inner ? nodes() : end;
    const auto h = static_cast<int64_t>(origin_.size());
    if (k < inner) {
      colour_.push_back(1 - colour(at));
      leaving_.push_back(h + 1);
    }
    origin_.insert(origin_.end(), {at, to});
    next_.insert(next_.end(), {b, back});  // the far end is put right by what follows
    next_[out] = h;
    out = h, back = h + 1, at = to;
  }
  next_[before_b] = back;
}

int64_t PlanarMap::faces() const {
  std::vector<char> seen(origin_.size(), 0);
  int64_t count = 0;
  for (size_t start = 0; start < seen.size(); ++start) {
    if (seen[start] != 0) continue;
    ++count;
    for (auto h = static_cast<int64_t>(start); seen[h] == 0; h = next_[h]) seen[h] = 1;
  }
  return count;
}

std::vector<int64_t> PlanarMap::around(int64_t node) const {
  std::vector<int64_t> result;
  const int64_t start = leaving_[static_cast<size_t>(node)];
  int64_t h = start;
  do {
    result.push_back(origin_[h ^ 1]);
    h = next_[h ^ 1];
  } while (h != start);
  return result;
}

}  // namespace equiframe::inline datasets
