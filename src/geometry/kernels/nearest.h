#pragma once

#include <bit>
#include <cstdint>

#include "simd/table.h"

/// Exact nearest neighbours: in three dimensions by a kd-tree in flat arrays, and in any number of
/// dimensions by comparing all pairs.
///
/// A squared distance is the sum of squared differences, one coordinate after the other, each
/// operation rounded once. What is nearest is decided on these numbers, and ties go to the smaller
/// number of a point. So results depend neither on the shape of a tree, nor on threads, nor on the
/// SIMD level.
namespace equiframe::kernels::inline geometry {

constexpr int kLeafPoints = 8;

/// A kd-tree whose leaves hold eight points each, except, perhaps, the last. A place is the
/// position of a point in the order of leaves.
struct KdTree {
  const double* points;         ///< [leaves, 3, 8]: all x of a leaf, then y, then z; NaN: no point
  const std::int32_t* numbers;  ///< [leaves, 8], what the point at a place is called
  /// [2 leaves - 1, 8], for each node: lowest x, y, z, 0, highest x, y, z, and one if all points of
  /// the node coincide, which then are in order of their numbers; otherwise zero.
  const double* boxes;
  std::int64_t leaves;
};

/// A node of a tree: `leaves` leaves from leaf `first` on. Nodes are numbered in preorder, and the
/// left of two children has a power of two of leaves.
struct TreeNode {
  std::int64_t index, first, leaves;

  [[gnu::always_inline]] std::int64_t left_leaves() const {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(leaves)) / 2);
  }
  [[gnu::always_inline]] TreeNode left() const { return {index + 1, first, left_leaves()}; }
  [[gnu::always_inline]] TreeNode right() const {
    const std::int64_t left = left_leaves();
    return {index + 2 * left, first + left, leaves - left};
  }
};

/// Queries that lie close together; the closer, the faster.
struct NearestQueries {
  const double* points;  ///< [count, 3]
  std::int64_t count;    ///< at least one
  std::int32_t self;  ///< if they are points of one leaf of the tree, the first one's place; or -1
};

enum class NearestOrder {
  kByDistance,  ///< ascending, ties by number
  kAny,         ///< the same neighbours, in an order that depends on the tree; faster
};

struct NearestWanted {
  std::int64_t k;  ///< at least one, at most the number of points in the tree
  NearestOrder order;
};

/// A query that is a point of the tree comes first among its neighbours, in any order.
struct NearestResult {
  std::int32_t* places;  ///< [count, k]
  double* squared;       ///< [count, k], squared distances
};

/// Memory for `nearest`, one for each thread; it grows as needed and is of no use to others.
struct NearestScratch {
  NearestScratch() = default;
  NearestScratch(const NearestScratch&) = delete;
  NearestScratch& operator=(const NearestScratch&) = delete;
  ~NearestScratch();

  /// Room for the points of so many leaves; what is there is kept.
  void reserve(std::int64_t leaf_count);

  struct Pair {
    double squared;
    std::int32_t place;
  };
  std::int64_t capacity = 0;         // leaves
  std::int32_t* leaves = nullptr;    // [capacity]
  double* leaf_squared = nullptr;    // [capacity]
  double* centre_squared = nullptr;  // [capacity, 8]
  double* squared = nullptr;         // [capacity, 8] and a register
  std::int32_t* places = nullptr;    // [capacity, 8] and a register
  Pair* pairs = nullptr;             // [capacity, 8]
};

void nearest(const KdTree& tree, const NearestQueries& queries, const NearestWanted& wanted,
             const NearestResult& result, NearestScratch& scratch);

/// Registers of 64 bytes would not speed it up by much: AVX-512 uses the code for AVX2.
struct NearestKernels {
  decltype(&kernels::nearest) nearest;
};

/// Points of any dimension.
template <class T>
struct PointRows {
  const T* values;      ///< [count, width]
  const bool* present;  ///< [count], false: not a point; null: all are
  std::int64_t count, width;
};

/// Neighbours of the points [first, last) by comparing all pairs: indices [last - first, k], each
/// point first among its own. Distances are of type T; one that is not finite is farther than any
/// that is. Where there are fewer than k points, their list is repeated from its start. The row of
/// what is not a point holds its own index.
template <class T>
void nearest_rows(const PointRows<T>& rows, std::int64_t first, std::int64_t last, std::int64_t k,
                  std::int64_t* indices);

template <class T>
struct NearestRowsFunctions {
  decltype(&kernels::nearest_rows<T>) nearest_rows;
};
using NearestRowsKernels = BothPrecisions<NearestRowsFunctions>;

}  // namespace equiframe::kernels::inline geometry
