// Neighbours of a group of queries in a kd-tree: every query is compared with all points of the
// leaves that matter to the group.
#pragma once

#include "geometry/kernels/nearest_leaves.h"

namespace equiframe::kernels::inline geometry {
namespace {

/// Takes the query itself out of the candidates, where it is.
inline void take_out(std::int32_t place, Candidates& candidates) {
  std::int64_t i = 0;
  while (candidates.places[i] != place) ++i;
  --candidates.count;
  candidates.places[i] = candidates.places[candidates.count];
  candidates.squared[i] = candidates.squared[candidates.count];
}

class GroupSearch {
 public:
  GroupSearch(const KdTree& tree, const NearestWanted& wanted, NearestScratch& scratch)
      : tree_(tree), wanted_(wanted), scratch_(scratch) {}

  void operator()(const NearestQueries& queries, const NearestResult& result) {
    const QueryGroup group = group_of(queries);
    LeafCollector collector(tree_, group, wanted_.k, scratch_);
    if (!collector.collect(queries.self < 0 ? -1 : queries.self / kLeafPoints)) {
      const std::int64_t half = queries.count / 2;
      (*this)(part(queries, 0, half), result);
      (*this)(part(queries, half, queries.count - half), at(result, half));
      return;
    }
    leaves_ = collector.count();
    double reach = collector.reach();  // from `last` to its k-th neighbour
    const double* last = group.centre;
    for (std::int64_t i = 0; i < queries.count; ++i) {
      const double* query = queries.points + 3 * i;
      const double by_centre = collector.reach() + distance(query, group.centre);
      const double by_last = reach + distance(query, last);
      const double bound = squared_bound(by_last < by_centre ? by_last : by_centre);
      const auto self = static_cast<std::int32_t>(queries.self < 0 ? -1 : queries.self + i);
      reach = __builtin_sqrt(search(query, self, bound, at(result, i)));
      last = query;
    }
  }

 private:
  static NearestQueries part(const NearestQueries& all, std::int64_t first, std::int64_t count) {
    const std::int64_t self = all.self < 0 ? -1 : all.self + first;
    return {all.points + 3 * first, count, static_cast<std::int32_t>(self)};
  }

  NearestResult at(const NearestResult& result, std::int64_t query) const {
    return {result.places + query * wanted_.k, result.squared + query * wanted_.k};
  }

  /// All points of the leaves within `bound`.
  Candidates candidates(const double* query, double bound) const {
    const Doubles q[3] = {splat<Doubles>(query[0]), splat<Doubles>(query[1]),
                          splat<Doubles>(query[2])};
    const Doubles bounds = splat<Doubles>(bound);
    Candidates found{scratch_.squared, scratch_.places, 0};
    for (std::int64_t i = 0; i < leaves_; ++i) {
      const std::int32_t leaf = scratch_.leaves[i];
      for_leaf(points_of(tree_, leaf), q, [&](int first, Doubles squared) {
        append_within(squared, bounds, leaf * kLeafPoints + first, found);
      });
    }
    return found;
  }

  /// Neighbours of one query, which are within `bound`; returns a bound of their squared distances.
  double search(const double* query, std::int32_t self, double bound, const NearestResult& result) {
    Candidates found = candidates(query, bound);
    std::int32_t* places = result.places;
    double* squared = result.squared;
    std::int64_t others = wanted_.k;
    if (self >= 0) {
      take_out(self, found);
      *places++ = self;
      *squared++ = 0;
      --others;
    }
    const double reach = select_nearest(found, others, bound, tree_.numbers, scratch_.pairs);
    if (wanted_.order == NearestOrder::kByDistance) {
      sort_nearest(found, tree_.numbers, scratch_.pairs, {squared, places, others});
    } else {
      for (std::int64_t i = 0; i < others; ++i) squared[i] = found.squared[i];
      for (std::int64_t i = 0; i < others; ++i) places[i] = found.places[i];
    }
    return reach;
  }

  const KdTree& tree_;
  const NearestWanted& wanted_;
  NearestScratch& scratch_;
  std::int64_t leaves_ = 0;
};

inline void nearest_of_group(const KdTree& tree, const NearestQueries& queries,
                             const NearestWanted& wanted, const NearestResult& result,
                             NearestScratch& scratch) {
  GroupSearch(tree, wanted, scratch)(queries, result);
}

}  // namespace
}  // namespace equiframe::kernels::inline geometry
