// How the terms of kernels/steerable.h are worked on.
#pragma once

#include <algorithm>

#include "nn/kernels/steerable/steerable.h"
#include "simd/workspace.h"

namespace equiframe::kernels::inline nn {
namespace {

/// The terms K_J from one degree to another: they share a radial network, and their K_J follow each
/// other in the angular basis. R_J of all J are one matrix [(J, i), o].
struct SteerablePath {
  SteerableTerm first;     ///< the term with the smallest J
  std::int64_t begin = 0;  ///< its number among all terms
  std::int64_t terms = 0;

  std::int64_t in() const { return 2 * first.in + 1; }
  std::int64_t out() const { return 2 * first.out + 1; }
};

template <class F>
void for_each_path(std::span<const SteerableTerm> terms, const F& f) {
  for (std::size_t n = 0; n < terms.size();) {
    std::size_t last = n + 1;
    while (last < terms.size() && terms[last].network == terms[n].network) ++last;
    f(SteerablePath{terms[n], static_cast<std::int64_t>(n), static_cast<std::int64_t>(last - n)});
    n = last;
  }
}

/// Sizes of arrays that hold what any path needs.
template <class T>
struct SteerableSizes {
  static constexpr std::int64_t kMostPairs = 60;  ///< to work on together

  std::int64_t in, out;              ///< a row of channels, in whole lanes
  std::int64_t terms = 0, size = 0;  ///< largest number of terms and 2 l + 1
  std::int64_t matrix;               ///< R of the largest path

  SteerableSizes(const SteerableShape& shape, std::span<const SteerableTerm> all)
      : in(whole_lanes<T>(shape.channels_in)), out(whole_lanes<T>(shape.channels_out)) {
    for_each_path(all, [&](const SteerablePath& path) {
      terms = std::max(terms, path.terms);
      size = std::max({size, path.in(), path.out()});
    });
    matrix = matrix_of(shape, terms);
  }

  /// R or its transpose with rows that follow each other, and room to write the last in lanes.
  static std::int64_t matrix_of(const SteerableShape& shape, std::int64_t terms) {
    return whole_lanes<T>(terms * shape.channels_in * shape.channels_out + kWidth<T> - 1);
  }
  /// So many that their R stay in the second cache, in whole tiles of rows.
  static std::int64_t pairs_in_flight(std::int64_t matrix) {
    constexpr std::int64_t kCache = 200'000 / std::int64_t{sizeof(T)};
    return std::clamp<std::int64_t>(kCache / matrix / 6 * 6, 6, kMostPairs);
  }
};

/// Messages of a range of pairs, for each degree [pairs, rows], what a path works on side by side.
template <class T>
struct MessagesByDegree {
  T* data;
  std::int64_t pairs, row;

  T* at(const SteerablePath& path, std::int64_t pair) const {
    return data + 2 * (pairs * path.first.row_out + pair * path.out()) * row;
  }
};

}  // namespace
}  // namespace equiframe::kernels::inline nn
