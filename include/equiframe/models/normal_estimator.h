#pragma once

#include <functional>
#include <memory>

#include "equiframe/geometry/neighbors.h"
#include "equiframe/models/model.h"

namespace equiframe {

/// Normals of a cloud of N points by a network, with what it thinks of them.
struct LearnedNormals {
  Tensor normals;  ///< [N, 3] float32, unit, away from the mean of the neighbours
  Tensor spread;   ///< [N] float32: how far the elements of the frame disagree, 0 not at all .. 1
  Tensor margin;   ///< [N] float32: (l1 - l0) / (l1 + l0) of the weighted patch: 1 flat, 0 no plane
  Tensor degenerate;  ///< [N] bool: the neighbours are on a line or in a point, any normal will do

  /// [N] float32: (1 - spread) margin.
  Tensor confidence() const;
};

/// The model `fa-patch` over whole clouds, by the kernel patch_network.h: the numbers of its
/// `forward` over the same patches to rounding, without tensors in between.
class NormalEstimator {
 public:
  /// Takes a copy of the weights. Throws UserError for another kind of model.
  explicit NormalEstimator(const Model& model);
  ~NormalEstimator();
  NormalEstimator(NormalEstimator&&) noexcept;
  NormalEstimator& operator=(NormalEstimator&&) noexcept;

  /// Neighbours a patch has; a smaller cloud is one patch, in which the normal of the plane through
  /// all points is taken if they are fewer than 16.
  static constexpr int64_t kNeighbors = 192;

  /// `done` is called now and then with the number of points done, one thread at a time. Results do
  /// not depend on the number of threads; memory beyond them does not grow with the cloud.
  LearnedNormals estimate(const NeighborBlocks& search,
                          const std::function<void(int64_t done)>& done = nullptr) const;

 private:
  struct Weights;
  std::unique_ptr<const Weights> weights_;
};

}  // namespace equiframe
