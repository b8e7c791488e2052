#pragma once

#include "geometry/search/neighbors.h"

namespace equiframe::inline geometry {

/// The same neighbours as `NeighborSearch` finds, one slab of the cloud after the other, so that no
/// search structure over all points is ever held.
///
/// A slab is cut across the longest side of the cloud's box and searched together with a margin on
/// either side. A point that has found its neighbours nearer than the end of the margin has them
/// all; the others are searched again with a margin twice as wide, until they have them too.
class TiledNeighbors final : public NeighborBlocks {
 public:
  /// `points` [N, 3] float64 are kept, not copied. At most about `tile_points` of them are searched
  /// at a time; neighbours that are far away, as those of outliers, make a slab larger.
  TiledNeighbors(Tensor points, int64_t tile_points);

  int64_t size() const override { return points_.size(0); }
  int64_t tiles() const { return tiles_; }

  void for_each_block(int64_t k, NeighborOrder order,
                      const std::function<void(const NeighborBlock&)>& visit) const override;
  /// Searches all slabs.
  void for_some(const std::vector<int64_t>& points, int64_t k,
                const std::function<void(const NeighborBlock&)>& visit) const override;

  /// The points of the slab in the middle, for what a part of the cloud is enough for.
  Tensor middle() const;

 private:
  class Slab;
  Tensor points_;
  Tensor order_;   // [N] int32: points along the longest side
  Tensor sorted_;  // [N] float64: their coordinates there
  int64_t tiles_ = 1;
};

}  // namespace equiframe::inline geometry
