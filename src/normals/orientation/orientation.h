#pragma once

#include <array>
#include <cstdint>

#include "equiframe/core/tensor.h"
#include "geometry/search/neighbors.h"

namespace equiframe::inline normals {

/// How the sign of unoriented normals is chosen.
enum class Orientation {
  kNone,       ///< left as it is
  kViewpoint,  ///< towards a point, for example where the scanner stood
  /// The same side all over each connected part of the cloud; up at the highest point of the part.
  /// Signs are passed on along a minimum spanning tree of the graph of nearest neighbours
  /// (Hoppe et al. 1992).
  kMst,
  /// As kMst, then out of the volume that a part encloses; up at its highest point where it
  /// encloses none worth mentioning.
  kOutward,
};

struct OrientationOptions {
  Orientation rule = Orientation::kOutward;
  std::array<double, 3> viewpoint{};  ///< for kViewpoint
  int64_t k = 12;                     ///< neighbours in the graph, for kMst and kOutward
};

struct OrientedNormals {
  Tensor normals;     ///< [N, 3], of the type given
  Tensor part;        ///< [N] int64, the connected part of each point
  int64_t parts = 1;  ///< how many; kNone and kViewpoint do not look for them and say 1
};

/// `normals` [N, 3] of `points` [N, 3], each as it is or reversed. `search` must be over `points`.
///
/// Two neighbours at x + e and x are told apart by their normals without what they have along e:
/// s = m.n - (m.e)(n.e) / e.e. The sign of s says whether they are on the same side, and 1 - |s| is
/// the weight of the edge: in a plane and on a sphere it is 0; across a sharp edge s is still
/// right; through a thin plate, where m and n are along e, nothing is known and the weight is 1.
/// The result does not depend on the number of threads.
OrientedNormals orient_normals(const NeighborSearch& search, const Tensor& points,
                               const Tensor& normals, const OrientationOptions& options);

/// `normals` [N, 3] of `points` [N, 3], each as it is or reversed so that it looks towards
/// `viewpoint`: the rule kViewpoint, which needs no neighbours.
Tensor normals_towards(const std::array<double, 3>& viewpoint, const Tensor& points,
                       const Tensor& normals);

}  // namespace equiframe::inline normals
