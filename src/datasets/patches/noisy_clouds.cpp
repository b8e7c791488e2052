#include "datasets/patches/noisy_clouds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <ATen/ATen.h>

#include "geometry/search/neighbors.h"

namespace equiframe::inline datasets {
namespace {

Tensor uniform(at::IntArrayRef sizes, at::Generator& generator) {
  return at::rand(sizes, generator, at::kDouble);
}

double uniform(double low, double high, at::Generator& generator) {
  return low + (high - low) * uniform({1}, generator).item<double>();
}

bool chance(double probability, at::Generator& generator) {
  return uniform(0, 1, generator) < probability;
}

double box_diagonal(const Tensor& points) {
  const Tensor extent = std::get<0>(points.max(0)) - std::get<0>(points.min(0));
  return extent.square().sum().sqrt().item<double>();
}

/// Of so many points on a surface, against 10,000: noise is as much of it in a small cloud as in a
/// large one.
double spacing(int64_t count) {
  constexpr double kUsual = 10000;
  return std::sqrt(kUsual / static_cast<double>(count));
}

/// Other proportions: x -> A x with a diagonal A in a random basis, normals by A^-T.
SurfaceCloud stretched(const SurfaceCloud& cloud, at::Generator& generator) {
  constexpr double kMax = 0.7;  // of the logarithm of a factor
  const Tensor basis = std::get<0>(at::linalg_qr(at::randn({3, 3}, generator, at::kDouble)));
  const Tensor scale = ((uniform({3}, generator) * 2 - 1) * kMax).exp().unsqueeze(1);
  const Tensor there = basis.matmul(scale * basis.t());
  const Tensor normals = cloud.normals.matmul(basis.matmul(scale.reciprocal() * basis.t()));
  constexpr double kMin = 1e-12;
  return {cloud.points.matmul(there),
          normals / normals.square().sum(1, true).sqrt().clamp_min(kMin)};
}

/// A surface of flat facets in place of a smooth one: tangent planes at `count` of the points, each
/// as far as it is the nearest. Points that would move far, across an edge or a thin wall, stay.
SurfaceCloud faceted(const SurfaceCloud& cloud, int64_t count, at::Generator& generator) {
  const int64_t all = cloud.points.size(0);
  const Tensor chosen = at::randperm(all, generator, at::kLong).narrow(0, 0, std::min(count, all));
  const Tensor centres = cloud.points.index_select(0, chosen);
  const Tensor facet = NeighborSearch(centres).nearest(cloud.points, 1).indices.squeeze(1);
  const Tensor centre = centres.index_select(0, facet);
  const Tensor normal = cloud.normals.index_select(0, chosen.index_select(0, facet));
  const Tensor height = ((cloud.points - centre) * normal).sum(1, true);
  constexpr double kMaxMove = 0.35;  // of the distance to the centre
  const Tensor apart = (cloud.points - centre).square().sum(1, true).sqrt();
  const Tensor flat = height.abs() <= apart * kMaxMove;
  return {at::where(flat, cloud.points - height * normal, cloud.points),
          at::where(flat, normal, cloud.normals)};
}

/// Detail on many scales, as scans of grown and carved things have: points move along the normal by
/// a sum of waves h = sum_i a_i sin(k_i x + b_i), more in some parts than in others. The normal of
/// the moved surface is n - grad h, without the part along n, to first order in h.
SurfaceCloud roughened(const SurfaceCloud& cloud, at::Generator& generator) {
  constexpr int64_t kWaves = 24;
  constexpr double kShortest = 2.5;  // wavelength over the usual spacing of so many points
  constexpr double kLongest = 0.3;   // over the diagonal
  constexpr double kMinSlope = 0.04, kMaxSlope = 0.6, kMin = 1e-12;
  const double diagonal = box_diagonal(cloud.points), turn = 2 * std::numbers::pi;
  const double shortest =
      std::min(kShortest / std::sqrt(static_cast<double>(cloud.points.size(0))), kLongest);
  const Tensor wavelengths =
      (uniform({kWaves}, generator) * std::log(kLongest / shortest)).exp() * (shortest * diagonal);
  const Tensor directions = at::randn({3, kWaves}, generator, at::kDouble);
  const Tensor waves = directions / directions.norm(2, 0, true) * (turn / wavelengths);  // [3, W]
  // Slopes a k grow with a power of the wavelength: rough as sandpaper or gently rolling.
  const Tensor slopes = wavelengths.pow(uniform(-0.3, 1.0, generator));
  const double steep = std::exp(uniform(std::log(kMinSlope), std::log(kMaxSlope), generator));
  const Tensor amplitudes =
      slopes / slopes.norm() * (steep * std::numbers::sqrt2) * wavelengths / turn;
  const Tensor phase = cloud.points.matmul(waves) + uniform({kWaves}, generator) * turn;  // [P, W]
  Tensor height = phase.sin().matmul(amplitudes.unsqueeze(1));                            // [P, 1]
  Tensor gradient = (phase.cos() * amplitudes).matmul(waves.t());                         // [P, 3]
  if (chance(0.5, generator)) {  // times 1/2 + 1/2 sin, of a long wave
    const Tensor axis = at::randn({3}, generator, at::kDouble);
    const Tensor wave =
        (axis / axis.norm() * (turn * uniform(0.5, 2, generator) / diagonal)).unsqueeze(1);
    const Tensor place = cloud.points.matmul(wave) + uniform(0, turn, generator);
    gradient = (gradient * (1 + place.sin()) + height * place.cos().matmul(wave.t())) / 2;
    height = height * (1 + place.sin()) / 2;
  }
  const Tensor& n = cloud.normals;
  const Tensor tilted = n - gradient + (gradient * n).sum(1, true) * n;
  return {cloud.points + height * n, tilted / tilted.square().sum(1, true).sqrt().clamp_min(kMin)};
}

}  // namespace

SurfaceCloud thinned(const SurfaceCloud& cloud, int64_t count, bool evenly,
                     at::Generator& generator) {
  const int64_t all = cloud.points.size(0);
  count = std::min(count, all);
  if (evenly)  // stored points are independent draws
    return {cloud.points.narrow(0, 0, count), cloud.normals.narrow(0, 0, count)};
  constexpr double kRarest = 0.12, kLongest = 0.5, kShortest = 6, kMin = 1e-12;
  const Tensor direction = at::randn({3}, generator, at::kDouble);
  const Tensor along = cloud.points.matmul(direction / direction.norm());
  const Tensor place = (along - along.min()) / (along.max() - along.min()).clamp_min(kMin);
  const double waves = uniform(kLongest, kShortest, generator) * 2 * std::numbers::pi;
  const Tensor weight = kRarest + (place * waves).sin().square();
  const Tensor keep = at::multinomial(weight, count, /*replacement=*/false, generator);
  return {cloud.points.index_select(0, keep), cloud.normals.index_select(0, keep)};
}

SurfaceCloud with_noise(const SurfaceCloud& cloud, double noise, at::Generator& generator) {
  if (!(noise > 0)) return cloud;
  const double size = noise * box_diagonal(cloud.points) * spacing(cloud.points.size(0));
  return {cloud.points + at::randn(cloud.points.sizes(), generator, at::kDouble) * size,
          cloud.normals};
}

SurfaceCloud draw_cloud(const SurfaceCloud& cloud, const CloudDraws& draws,
                        at::Generator& generator) {
  constexpr double kUneven = 0.3, kStretched = 0.6, kFaceted = 0.3, kClean = 0.25;
  constexpr double kFewFacets = 300, kManyFacets = 6000;
  const auto most = static_cast<double>(cloud.points.size(0));
  const auto least = std::min(static_cast<double>(draws.least_points), most);
  const double count = std::exp(uniform(std::log(least), std::log(most), generator));
  SurfaceCloud drawn = thinned(cloud, std::lround(count), !chance(kUneven, generator), generator);
  if (chance(draws.rough, generator)) drawn = roughened(drawn, generator);
  if (chance(kFaceted, generator)) {
    const double facets = uniform(std::log(kFewFacets), std::log(kManyFacets), generator);
    drawn = faceted(drawn, std::lround(std::exp(facets)), generator);
  }
  if (chance(kStretched, generator)) drawn = stretched(drawn, generator);
  const double noise = uniform(0, draws.most_noise, generator);
  return with_noise(drawn, chance(kClean, generator) ? 0 : noise, generator);
}

}  // namespace equiframe::inline datasets
