#include "frames/permutation/labelling/pair_twins.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "equiframe/core/rng.h"

namespace equiframe::inline frames {
namespace {

uint64_t mixed(int32_t pair_class, int64_t node) {
  return Rng{}.bits(static_cast<uint64_t>(pair_class), static_cast<uint64_t>(node));
}

/// Compares nodes by sums over their rows first, which for most of them is enough.
class TwinTest {
 public:
  explicit TwinTest(const PairClasses& pairs) : pairs_(pairs), sums_(pairs.nodes) {
    for (int64_t i = 0; i < pairs.nodes; ++i)
      for (int64_t k = 0; k < pairs.nodes; ++k)
        if (k != i) sums_[i] += mixed(at(i, k), k);
  }

  bool operator()(int64_t i, int64_t j) const {
    const int32_t between = at(i, j);
    if (between != at(j, i) || sums_[i] - mixed(between, j) != sums_[j] - mixed(between, i))
      return false;
    for (int64_t k = 0; k < pairs_.nodes; ++k)
      if (k != i && k != j && (at(i, k) != at(j, k) || at(k, i) != at(k, j))) return false;
    return true;
  }

 private:
  int32_t at(int64_t i, int64_t j) const { return pairs_.index[i * pairs_.nodes + j]; }

  const PairClasses& pairs_;
  std::vector<uint64_t> sums_;
};

}  // namespace

NodeGroups pair_twins(const PairClasses& pairs, const Cells& cells) {
  const TwinTest are_twins(pairs);
  NodeGroups groups{{0}, {}, NodeGroups::Members::kAlike};
  for (int64_t start = 0, end = 0; start < cells.nodes(); start = end) {
    end = cells.end(start);
    std::vector<std::vector<int64_t>> found;
    for (int64_t p = start; p < end; ++p) {
      const int64_t node = cells.order[p];
      const auto known = std::find_if(found.begin(), found.end(),
                                      [&](const auto& group) { return are_twins(group[0], node); });
      if (known == found.end())
        found.push_back({node});
      else
        known->push_back(node);
    }
    for (const auto& group : found) {
      groups.nodes.insert(groups.nodes.end(), group.begin(), group.end());
      groups.first.push_back(static_cast<int64_t>(groups.nodes.size()));
    }
  }
  return groups;
}

PairClasses pairs_of_groups(const PairClasses& pairs, const NodeGroups& groups) {
  const int64_t count = groups.count();
  PairClasses result{count, pairs.count, pairs.directed, {}};
  result.index.reserve(static_cast<size_t>(count * count));
  for (int64_t g = 0; g < count; ++g)
    for (int64_t h = 0; h < count; ++h)
      result.index.push_back(
          pairs.index[groups.nodes[groups.first[g]] * pairs.nodes + groups.nodes[groups.first[h]]]);
  return result;
}

Cells cells_of_groups(const PairClasses& pairs, const Cells& cells, const NodeGroups& groups) {
  const std::vector<int64_t> ranks = cells.ranks();
  using Kind = std::tuple<int64_t, int64_t, int32_t>;  // cell, size, class within
  std::vector<Kind> kinds;
  for (int64_t g = 0; g < groups.count(); ++g) {
    const int64_t* member = groups.nodes.data() + groups.first[g];
    const int64_t size = groups.first[g + 1] - groups.first[g];
    kinds.emplace_back(ranks[member[0]], size,
                       size == 1 ? 0 : pairs.index[member[0] * pairs.nodes + member[1]]);
  }
  std::vector<Kind> distinct = kinds;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<int64_t> key;
  key.reserve(kinds.size());
  for (const Kind& kind : kinds)
    key.push_back(std::lower_bound(distinct.begin(), distinct.end(), kind) - distinct.begin());
  Cells result = one_cell(groups.count());
  split_by_key(result, key);
  return result;
}

Labelling labelling_from_groups(const NodeGroups& groups, const Labelling& labelling) {
  const auto n = static_cast<int64_t>(groups.nodes.size());
  std::vector<int64_t> still(static_cast<size_t>(n));
  std::iota(still.begin(), still.end(), int64_t{0});
  Labelling result{{}, {}, labelling.log_group_order};
  for (const int64_t group : labelling.order) {
    const auto begin = groups.nodes.begin() + groups.first[group];
    const auto end = groups.nodes.begin() + groups.first[group + 1];
    result.order.insert(result.order.end(), begin, end);
    result.log_group_order += std::lgamma(static_cast<double>(end - begin) + 1);
    // Two members exchanged and all of them in a circle generate every permutation.
    const auto add_circle = [&](int64_t size) {
      result.generators.push_back(still);
      for (int64_t k = 0; k < size; ++k) result.generators.back()[begin[k]] = begin[(k + 1) % size];
    };
    if (end - begin > 1) add_circle(2);
    if (end - begin > 2) add_circle(end - begin);
  }
  for (const std::vector<int64_t>& symmetry : labelling.generators) {
    std::vector<int64_t> moved = still;
    for (int64_t g = 0; g < groups.count(); ++g)
      for (int64_t k = 0; k < groups.first[g + 1] - groups.first[g]; ++k)
        moved[groups.nodes[groups.first[g] + k]] = groups.nodes[groups.first[symmetry[g]] + k];
    result.generators.push_back(std::move(moved));
  }
  return result;
}

}  // namespace equiframe::inline frames
