#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "equiframe/core/tensor.h"

namespace equiframe::inline geometry {

/// Neighbours of M queries, nearest first: `indices` [M, k] int64 and `squared` [M, k] float64.
struct Neighbors {
  Tensor indices, squared;
};

/// Some points of a cloud with their neighbours, see `NeighborSearch::for_each_block`. The arrays
/// belong to the search and are gone when the visitor returns.
struct NeighborBlock {
  int64_t first = 0;  ///< points in blocks before this one; points of a block lie close together
  int64_t count = 0, k = 0;
  const int32_t* points = nullptr;     ///< [count], indices of the points
  const int32_t* neighbors = nullptr;  ///< [count, k], indices of their neighbours, itself first
  const double* squared = nullptr;     ///< [count, k], squared distances
  const double* offsets = nullptr;     ///< [count, k, 3], x_neighbour - x_point
};

enum class NeighborOrder {
  kByDistance,  ///< ascending, ties by index
  kAny,         ///< the same neighbours in another order, which no thread can change; faster
};

/// Who can give all points of a cloud their neighbours.
class NeighborBlocks {
 public:
  virtual ~NeighborBlocks() = default;
  virtual int64_t size() const = 0;
  /// Visits every point of the cloud in one of many blocks, without holding all neighbours at once.
  /// Blocks are the same whatever the number of threads, and several are visited at the same time.
  virtual void for_each_block(int64_t k, NeighborOrder order,
                              const std::function<void(const NeighborBlock&)>& visit) const = 0;
  /// The same for some points of the cloud, in ascending order, by distance.
  virtual void for_some(const std::vector<int64_t>& points, int64_t k,
                        const std::function<void(const NeighborBlock&)>& visit) const = 0;

 protected:
  NeighborBlocks() = default;
  NeighborBlocks(const NeighborBlocks&) = default;
  NeighborBlocks& operator=(const NeighborBlocks&) = default;
};

/// Exact nearest neighbours in a cloud of points, by a kd-tree.
///
/// Distances are float64 sums of squared differences, so a cloud far from the origin loses nothing
/// that its coordinates have. Ties go to the smaller index; a point of the cloud is first among its
/// own neighbours, whatever coincides with it. Nothing depends on the number of threads or on the
/// processor. Where k exceeds the number of points N, results have N columns.
class NeighborSearch final : public NeighborBlocks {
 public:
  /// `points` [N, 3] float32 or float64, 1 <= N < 2^31. A UserError names the first row with a
  /// number that is not finite, or beyond 1e150, where squares overflow.
  explicit NeighborSearch(const Tensor& points);
  ~NeighborSearch() override;
  NeighborSearch(NeighborSearch&&) noexcept;
  NeighborSearch& operator=(NeighborSearch&&) noexcept;

  int64_t size() const override;

  /// Of all points of the cloud, M = N.
  Neighbors nearest(int64_t k) const;
  /// Of any `queries` [M, 3], which are no part of the cloud.
  Neighbors nearest(const Tensor& queries, int64_t k) const;

  void for_each_block(int64_t k, NeighborOrder order,
                      const std::function<void(const NeighborBlock&)>& visit) const override;
  void for_some(const std::vector<int64_t>& points, int64_t k,
                const std::function<void(const NeighborBlock&)>& visit) const override;

  /// Memory of the tree for each point of the cloud, about.
  static constexpr int64_t kBytesPerPoint = 40;

 private:
  struct Tree;
  std::unique_ptr<const Tree> tree_;
};

}  // namespace equiframe::inline geometry
