#include "frames/permutation/labelling/graph_group.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

namespace equiframe::inline frames {
namespace {

/// Disjoint sets; the representative of a set is its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(int64_t size) : parent_(static_cast<std::size_t>(size)) {
    std::iota(parent_.begin(), parent_.end(), int64_t{0});
  }

  void unite(int64_t a, int64_t b) {
    a = find(a);
    b = find(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

  std::vector<int64_t> representatives() {
    for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = parent_[parent_[i]];
    return std::move(parent_);
  }

 private:
  int64_t find(int64_t a) {
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }

  std::vector<int64_t> parent_;
};

}  // namespace

std::vector<Permutation> generated_group(const std::vector<Permutation>& generators, int64_t size,
                                         int64_t limit) {
  Permutation identity(static_cast<std::size_t>(size));
  std::iota(identity.begin(), identity.end(), int64_t{0});
  std::set<Permutation> known{identity};
  std::vector<Permutation> result{identity};
  for (std::size_t next = 0; next < result.size(); ++next) {
    for (const Permutation& generator : generators) {
      Permutation product = result[next];
      for (int64_t& image : product) image = generator[image];
      if (!known.insert(product).second) continue;
      result.push_back(std::move(product));
      if (static_cast<int64_t>(result.size()) > limit) return {};
    }
  }
  return result;
}

std::vector<int64_t> node_orbits(const std::vector<Permutation>& generators, int64_t size) {
  DisjointSets orbits(size);
  for (const Permutation& generator : generators)
    for (int64_t i = 0; i < size; ++i) orbits.unite(i, generator[i]);
  return orbits.representatives();
}

std::vector<int64_t> pair_orbits(const std::vector<Permutation>& generators, int64_t size) {
  DisjointSets orbits(size * size);
  for (const Permutation& generator : generators)
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = 0; j < size; ++j)
        orbits.unite(i * size + j, generator[i] * size + generator[j]);
  return orbits.representatives();
}

}  // namespace equiframe::inline frames
