#pragma once

#include <cstdint>

#include "equiframe/core/tensor.h"
#include "geometry/search/neighbors.h"

namespace equiframe::inline normals {

/// Surface normals of a cloud of N points.
struct PointNormals {
  Tensor normals;     ///< [N, 3], unit
  Tensor variation;   ///< [N], l0 / (l0 + l1 + l2) of the neighbourhood: 0 flat, 1/3 no surface
  Tensor degenerate;  ///< [N] bool: the neighbours are on a line or in a point, any normal will do
};

enum class NormalFit {
  kPca,  ///< the plane of least squares: the axis of least variance of the k nearest points
  /// A quadratic height function over that plane, by least squares with weights that fall with the
  /// distance; the normal at the point. Better on curved surfaces, worse at edges. Where the
  /// neighbours do not determine it, fewer than six for one, or where it is steeper than 60 degrees
  /// against the plane, the plane counts.
  kJet,
};

struct NormalOptions {
  NormalFit fit = NormalFit::kPca;
  int64_t k = 16;                     ///< neighbours, the point itself among them
  at::ScalarType type = at::kDouble;  ///< of the results; sums are float64 in any case
};

/// Normals of all points of a cloud from their nearest neighbours.
///
/// Sums are taken about the point itself, so coordinates far from the origin cost no digits. A
/// normal points away from the mean of the neighbours, on a convex surface outwards; where the
/// surface is flat it points either way (see orientation.h). A rotated cloud has rotated normals,
/// and results do not depend on the number of threads. Memory beyond the results does not grow with
/// the cloud.
PointNormals estimate_normals(const NeighborBlocks& search, const NormalOptions& options);

/// The two fits, for points [N, 3]; see estimate_normals. Results are of the type of the points.
PointNormals pca_normals(const Tensor& points, int64_t k);
PointNormals jet_normals(const Tensor& points, int64_t k);

struct BestKOptions {
  NormalFit fit = NormalFit::kPca;
  int64_t sample = 3000;  ///< points to try
  uint64_t seed = 0;      ///< of their choice
};

/// The number of neighbours, from {8, 12, 16, 24, ..., 192, 256}, whose normals are expected to
/// have the least mean squared error: few neighbours leave the noise in, many smooth edges and
/// curvature away. `search` must be over `points` [N, 3].
///
/// Estimated from the cloud alone: the neighbours of a point, dealt out in turn to two halves, give
/// two normals n_A(k), n_B(k) with independent errors. Their difference shows the variance, and the
/// product (n_A(2k) - n_A(k)) . (n_B(2k) - n_B(k)) has the mean |b(2k) - b(k)|^2, where b(k) is the
/// bias; noise averages out of it.
int64_t best_k(const Tensor& points, const NeighborSearch& search,
               const BestKOptions& options = {});

}  // namespace equiframe::inline normals
