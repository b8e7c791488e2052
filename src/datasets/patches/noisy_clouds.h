#pragma once

#include "equiframe/core/tensor.h"

/// Clouds as scanners give them, from points of exact surfaces.
namespace equiframe::inline datasets {

struct SurfaceCloud {
  Tensor points, normals;  ///< [P, 3] float64
};

/// What training clouds are like.
struct CloudDraws {
  int64_t least_points = 1000;  ///< at most all there are
  double most_noise = 0.012;    ///< standard deviation over the diagonal, for a cloud of 10,000
  double rough = 0.25;          ///< share of clouds with detail added to them
};

/// Some of the cloud's points: the first `count`, or as many unevenly, kept with a probability that
/// waves along a direction.
SurfaceCloud thinned(const SurfaceCloud& cloud, int64_t count, bool evenly,
                     at::Generator& generator);

/// With noise of a standard deviation of `noise` diagonals if it had 10,000 points, and so much
/// more as it has fewer: the same share of the spacing.
SurfaceCloud with_noise(const SurfaceCloud& cloud, double noise, at::Generator& generator);

/// Thinned, and by chance roughened, made of facets, stretched and noisy.
SurfaceCloud draw_cloud(const SurfaceCloud& cloud, const CloudDraws& draws,
                        at::Generator& generator);

}  // namespace equiframe::inline datasets
