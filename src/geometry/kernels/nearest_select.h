// The k least of many squared distances, each with the place of its point.
#pragma once

#include <algorithm>

#include "geometry/kernels/nearest.h"
#include "geometry/kernels/nearest_candidates.h"

namespace equiframe::kernels::inline geometry {
namespace {

/// Bounds of the k-th least number: `below_low` numbers are <= low, fewer than k, and `below_high`
/// are <= high, at least k.
struct Bracket {
  double low, high;
  std::int64_t below_low, below_high;
};

/// Narrows a bracket by interpolation, which squared distances on a surface obey: the number of
/// points grows with the area. Every third step halves it, for distances that obey nothing. Ends
/// where exactly k are below the high end, or after so many steps.
inline Bracket narrowed(const double* values, std::int64_t count, std::int64_t k, Bracket bracket,
                        int steps) {
  for (int step = 0; step < steps && bracket.below_high != k; ++step) {
    const double share =
        (double(k - bracket.below_low) + 0.5) / double(bracket.below_high - bracket.below_low + 1);
    const double part = step % 3 == 2 ? 0.5 : share;
    const double middle = bracket.low + (bracket.high - bracket.low) * part;
    if (!(middle > bracket.low && middle < bracket.high)) break;
    const std::int64_t below = count_within(values, count, middle);
    if (below < k) {
      bracket.low = middle;
      bracket.below_low = below;
    } else {
      bracket.high = middle;
      bracket.below_high = below;
    }
  }
  return bracket;
}

using Pair = NearestScratch::Pair;

/// By distance, then by the number of the point.
struct Closer {
  const std::int32_t* numbers;
  bool operator()(const Pair& a, const Pair& b) const {
    return a.squared != b.squared ? a.squared < b.squared : numbers[a.place] < numbers[b.place];
  }
};

inline void to_pairs(const Candidates& from, std::int64_t count, Pair* pairs) {
  for (std::int64_t i = 0; i < count; ++i) pairs[i] = {from.squared[i], from.places[i]};
}

inline void from_pairs(const Pair* pairs, std::int64_t count, const Candidates& to) {
  for (std::int64_t i = 0; i < count; ++i) {
    to.squared[i] = pairs[i].squared;
    to.places[i] = pairs[i].place;
  }
}

constexpr int kSteps = 12;  // three or four are common

/// Drops all but the k nearest, if there are more.
inline void keep_nearest(Candidates& candidates, std::int64_t k, const std::int32_t* numbers,
                         Pair* pairs) {
  if (candidates.count <= k) return;
  to_pairs(candidates, candidates.count, pairs);
  std::nth_element(pairs, pairs + k, pairs + candidates.count, Closer{numbers});
  from_pairs(pairs, k, candidates);
  candidates.count = k;
}

/// The same for candidates that are at most `bound` away. Returns a bound of what is left.
inline double select_nearest(Candidates& candidates, std::int64_t k, double bound,
                             const std::int32_t* numbers, Pair* pairs) {
  if (candidates.count <= k) return bound;
  double reach = 0;
  Candidates kept{candidates.squared, candidates.places, 0};
  if (k > 0) {
    pad(candidates);
    reach =
        narrowed(candidates.squared, candidates.count, k, {0, bound, 0, candidates.count}, kSteps)
            .high;
    const Doubles reaches = splat<Doubles>(reach);
    for (std::int64_t i = 0; i < candidates.count; i += kWidth<double>) {
      append_within(load(candidates.squared + i), reaches, candidates.places + i, kept);
    }
  }
  keep_nearest(kept, k, numbers, pairs);
  candidates = kept;
  return reach;
}

constexpr std::int64_t kRanked = 64;  // more numbers are sorted faster by comparing two at a time

/// Puts candidates in ascending order: the rank of each is the number of those below it. Returns
/// whether no two are equal; otherwise nothing useful is written.
inline bool sort_by_rank(const Candidates& from, const Candidates& to) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < from.count; ++i) {
    const double value = from.squared[i];
    std::int64_t rank = 0;
    for (std::int64_t j = 0; j < from.count; ++j) rank += from.squared[j] < value ? 1 : 0;
    to.squared[rank] = value;
    to.places[rank] = from.places[i];
    sum += rank;
  }
  return 2 * sum == from.count * (from.count - 1);
}

/// Puts candidates in order of distance, ties by number.
inline void sort_nearest(const Candidates& from, const std::int32_t* numbers, Pair* pairs,
                         const Candidates& to) {
  if (from.count <= kRanked && sort_by_rank(from, to)) return;
  to_pairs(from, from.count, pairs);
  std::sort(pairs, pairs + from.count, Closer{numbers});
  from_pairs(pairs, from.count, to);
}

}  // namespace
}  // namespace equiframe::kernels::inline geometry
