// What the networks that estimate normals share: input, output, and how directions become normals.
#pragma once

#include "equiframe/groups/euclidean.h"
#include "equiframe/models/model.h"

namespace equiframe::inline models {

/// A network from points [B, N, 3] to a unit normal for each, [B, N, 3], zero for padding. The sign
/// of a normal carries no meaning: losses and metrics compare (n . n')^2.
class NormalModel : public Model {
 public:
  Signature signature() const override { return {"none", "none", "point", "vector"}; }
  Tensor forward(const Batch& batch) final;

 protected:
  /// A vector along the normal of each point, [B, N, 3]; what padding gets does not matter.
  virtual Tensor directions(const Batch& batch) = 0;
};

/// Refuses, as a UserError, what is no batch of points [B, N, 3].
void require_points(const Batch& batch);

/// Unit normals along directions [B, N, 3], zero for padding.
Tensor normals_along(const Tensor& directions, const Tensor& mask);

/// v / max(|v|, 1e-4) along the last axis. Copies of a frame that contradict each other average to
/// almost nothing; a direction read from that is rounding, and its gradient would outweigh those of
/// all other points. Shorter than one is how such a normal says that it is none.
Tensor unit_vectors(const Tensor& v);

/// x [B, N, 3] minus the mean of each cloud's real points, taken in float64; padding becomes zero.
Batch centred(const Batch& batch);

/// The option `k` of neighbours, at least one.
int64_t neighbors_option(const Options& options, const std::string& model, int64_t fallback);

}  // namespace equiframe::inline models
