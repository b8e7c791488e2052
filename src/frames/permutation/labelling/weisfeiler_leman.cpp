#include "frames/permutation/labelling/weisfeiler_leman.h"

#include <algorithm>
#include <map>

namespace equiframe::inline frames {
namespace {

using Colours = std::vector<int64_t>;

Colours sorted(Colours colours) {
  std::sort(colours.begin(), colours.end());
  return colours;
}

/// New names for what colours became, the same for both graphs.
template <class Signature>
class Names {
 public:
  int64_t of(const Signature& signature) {
    return names_.try_emplace(signature, static_cast<int64_t>(names_.size())).first->second;
  }
  size_t count() const { return names_.size(); }

 private:
  std::map<Signature, int64_t> names_;
};

Colours first_colours(const SimpleGraph& graph) {
  return graph.types.empty() ? Colours(static_cast<size_t>(graph.nodes), 0) : graph.types;
}

/// A mixing of 64 bits (splitmix64's finaliser).
uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27U) * 0x94d049bb133111ebU;
  return x ^ x >> 31U;
}

/// Colours of ordered pairs, [n, n]. Multisets are summed as hashes of 64 bits.
class PairColours {
 public:
  explicit PairColours(const SimpleGraph& simple)
      : n_(simple.nodes), colour_(static_cast<size_t>(n_ * n_)) {
    const Colours types = first_colours(simple);
    for (int64_t i = 0; i < n_; ++i)
      for (int64_t j = 0; j < n_; ++j)
        at(i, j) = mix(mix(static_cast<uint64_t>(types[i]) + 1) * 3 +
                       mix(static_cast<uint64_t>(types[j]) + 1) + (i == j ? 7 : 0));
    for (const auto& [u, v] : simple.edges)
      at(u, v) = mix(at(u, v) + 1), at(v, u) = mix(at(v, u) + 1);
  }

  void refine() {
    std::vector<uint64_t> next(colour_.size());
    for (int64_t i = 0; i < n_; ++i)
      for (int64_t j = 0; j < n_; ++j) {
        uint64_t sum = 0;
        for (int64_t k = 0; k < n_; ++k) sum += mix(at(i, k) * 0x9e3779b97f4a7c15U + at(k, j));
        next[static_cast<size_t>(i * n_ + j)] = mix(at(i, j) ^ mix(sum));
      }
    colour_ = std::move(next);
  }

  std::vector<uint64_t> histogram() const {
    std::vector<uint64_t> all = colour_;
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  uint64_t& at(int64_t i, int64_t j) { return colour_[static_cast<size_t>(i * n_ + j)]; }

  int64_t n_;
  std::vector<uint64_t> colour_;
};

size_t distinct(const std::vector<uint64_t>& ascending) {
  size_t count = ascending.empty() ? 0 : 1;
  for (size_t k = 1; k < ascending.size(); ++k) count += ascending[k] != ascending[k - 1] ? 1 : 0;
  return count;
}

}  // namespace

bool equal_for_1wl(const SimpleGraph& a, const SimpleGraph& b) {
  if (a.nodes != b.nodes || a.edges.size() != b.edges.size()) return false;
  const Neighborhoods around[] = {neighborhoods(a), neighborhoods(b)};
  Colours colours[] = {first_colours(a), first_colours(b)};
  for (size_t known = 0;;) {
    if (sorted(colours[0]) != sorted(colours[1])) return false;
    Names<std::pair<int64_t, Colours>> names;
    for (int g = 0; g < 2; ++g) {
      Colours next;
      for (int64_t u = 0; u < a.nodes; ++u) {
        Colours seen;
        for (int64_t k = around[g].first[u]; k < around[g].first[u + 1]; ++k)
          seen.push_back(colours[g][around[g].neighbor[k]]);
        next.push_back(names.of({colours[g][u], sorted(std::move(seen))}));
      }
      colours[g] = std::move(next);
    }
    if (names.count() == known) return true;
    known = names.count();
  }
}

bool equal_for_2fwl(const SimpleGraph& a, const SimpleGraph& b) {
  if (a.nodes != b.nodes || a.edges.size() != b.edges.size()) return false;
  PairColours of_a(a), of_b(b);
  for (size_t known = 0;;) {
    const auto histogram = of_a.histogram();
    if (histogram != of_b.histogram()) return false;
    const size_t now = distinct(histogram);
    if (now == known) return true;
    known = now;
    of_a.refine(), of_b.refine();
  }
}

}  // namespace equiframe::inline frames
