#pragma once

#include <cstdint>
#include <functional>

#include "datasets/patches/noisy_clouds.h"
#include "equiframe/datasets/cad_set.h"
#include "geometry/search/neighbors.h"

namespace equiframe::inline datasets {

/// A noisy cloud and the points of it that are nearest to a random one.
struct CloudPart {
  SurfaceCloud cloud;
  const NeighborSearch& search;  ///< of the cloud
  Tensor rows;  ///< [points] into the cloud, the random one first, then by distance
};

/// How many clouds, as many of each shape in their order, and the points of each part. Everything
/// random comes from `seed` and `stream`.
struct CloudPartDraws {
  int64_t clouds = 0, points = 0;
  uint64_t seed = 0, stream = 0;
  CloudDraws cloud;
};

/// f(m, part) for each cloud m, several at a time; `done`, if there is one, is called with the
/// number of clouds done.
void for_each_cloud_part(const CadSet& shapes, const CloudPartDraws& draws,
                         const std::function<void(int64_t m, const CloudPart& part)>& f,
                         const std::function<void(int64_t done)>& done);

}  // namespace equiframe::inline datasets
