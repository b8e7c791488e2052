#pragma once

#include <functional>
#include <memory>

#include "equiframe/models/model.h"
#include "geometry/search/neighbors.h"
#include "normals/kernels/patch_features.h"
#include "normals/learned/vote_rows.h"

namespace equiframe::inline normals {

/// Normals of a cloud of N points by a network, with what it thinks of them.
struct LearnedNormals {
  Tensor normals;  ///< [N, 3] float32, unit, away from the mean of the neighbours
  Tensor spread;   ///< [N] float32: how far the elements of the frame disagree, 0 not at all .. 1
  Tensor margin;   ///< [N] float32: (l1 - l0) / (l1 + l0) of the weighted patch: 1 flat, 0 no plane
  Tensor degenerate;  ///< [N] bool: the neighbours are on a line or in a point, any normal will do

  /// [N] float32: (1 - spread) margin.
  Tensor confidence() const;
};

/// Normals of whole clouds: the model `fa-patch` by the kernel patch_network.h, the numbers of its
/// `forward` over the same patches to rounding, without tensors in between; and, if they are
/// given, the models `normal-votes` on what comes out and `normal-choice` on that.
class NormalEstimator {
 public:
  /// Takes a copy of the weights. Throws UserError for other kinds of models.
  explicit NormalEstimator(const Model& patches, const Model* votes = nullptr,
                           const Model* choice = nullptr);
  ~NormalEstimator();
  NormalEstimator(NormalEstimator&&) noexcept;
  NormalEstimator& operator=(NormalEstimator&&) noexcept;

  /// Neighbours a patch has; a smaller cloud is one patch, in which the normal of the plane through
  /// all points is taken if they are fewer than 16.
  static constexpr int64_t kNeighbors = kernels::kPatchScales.back();

  using Progress = std::function<void(double share)>;

  /// `done` is called now and then with the share that is done, 0..1, one thread at a time. Results
  /// do not depend on the number of threads; memory beyond them does not grow with the cloud.
  LearnedNormals estimate(const NeighborBlocks& search, const Progress& done = nullptr) const;

  /// The opinion of `fa-patch` on some points, in ascending order, of a cloud of 16 or more; what
  /// the results say of others means nothing.
  FirstNormals first(const NeighborBlocks& search, const std::vector<int64_t>& points) const;

  /// What `normal-choice` is given of some points, in ascending order, of a cloud of 16 or more:
  /// [points, kernels::kChoiceChannels] float32.
  Tensor choices(const NeighborBlocks& search, const std::vector<int64_t>& points) const;

 private:
  struct Pass;
  struct Weights;
  class Counter;
  /// The votes on the points of a block into their rows of `normals` [N, 3].
  void vote(const NeighborBlock& block, const FirstNormals& first, const Tensor& normals) const;
  Tensor second(const NeighborBlocks& search, const FirstNormals& first, Counter& counter) const;
  Tensor third(const NeighborBlocks& search, const FirstNormals& first, const Tensor& voted,
               Counter& counter) const;
  std::unique_ptr<const Weights> weights_;
};

}  // namespace equiframe::inline normals
