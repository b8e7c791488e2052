#include "experiments/normals/normal_accuracy.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include <ATen/ATen.h>

#include "datasets/shapes/shapes.h"
#include "equiframe/core/rng.h"
#include "geometry/mesh/mesh.h"
#include "normals/classical/classical_normals.h"

namespace equiframe::inline experiments {
namespace {

double box_diagonal(const Tensor& points) {
  const Tensor extent = std::get<0>(points.max(0)) - std::get<0>(points.min(0));  // [3]
  return extent.square().sum().sqrt().item<double>();
}

Tensor with_noise(const Tensor& points, double noise, uint64_t seed) {
  auto generator = make_generator(seed);
  return points +
         at::randn(points.sizes(), generator, at::kDouble) * (noise * box_diagonal(points));
}

double fitted(const NeighborSearch& search, NormalFit fit, int64_t k, const Tensor& truth) {
  return rms_angle(estimate_normals(search, {fit, k, at::kDouble}).normals, truth);
}

BestFit best_fit(const NeighborSearch& search, NormalFit fit, const std::vector<int64_t>& neighbors,
                 const Tensor& truth) {
  BestFit best{std::numeric_limits<double>::infinity(), 0};
  for (const int64_t k : neighbors) {
    const double degrees = fitted(search, fit, k, truth);
    if (degrees < best.degrees) best = {degrees, k};
  }
  return best;
}

AccuracyCell measure(const AccuracySurface& surface, double noise, const AccuracyOptions& options) {
  const Tensor points = with_noise(surface.points, noise, options.seed);
  const NeighborSearch search(points);
  AccuracyCell cell;
  cell.noise = noise;
  cell.pca = best_fit(search, NormalFit::kPca, options.neighbors, surface.normals);
  cell.jet = best_fit(search, NormalFit::kJet, options.neighbors, surface.normals);
  cell.chosen.k = best_k(points, search, {NormalFit::kPca});
  cell.chosen.degrees = fitted(search, NormalFit::kPca, cell.chosen.k, surface.normals);
  if (options.network != nullptr)
    cell.network = rms_angle(options.network->estimate(search).normals, surface.normals);
  return cell;
}

AccuracySurface of_shape(const std::string& name, SurfaceKind kind, const Shape& shape,
                         int64_t points) {
  const ShapeSamples samples = shape.sample(points);
  return {name, kind, samples.points, samples.normals};
}

}  // namespace

std::string to_string(SurfaceKind kind) {
  switch (kind) {
    case SurfaceKind::kHeldOut:
      return "held-out shapes";
    case SurfaceKind::kNamed:
      return "named shapes";
    case SurfaceKind::kMesh:
      break;
  }
  return "meshes";
}

AccuracySurface named_surface(const std::string& name, int64_t points) {
  return of_shape(name, SurfaceKind::kNamed, *named_shape(name), points);
}

AccuracySurface held_out_surface(const CadOptions& options, int64_t number, int64_t points) {
  const auto kinds = static_cast<int64_t>(options.kinds.size());
  const std::string& kind = options.kinds.at(static_cast<size_t>(number % kinds));
  const std::string name =
      (kind == "solids" ? std::string("solid") : kind) + " " + std::to_string(number);
  return of_shape(name, SurfaceKind::kHeldOut, *cad_model(options, number), points);
}

AccuracySurface mesh_surface(const std::string& name, const PointCloud& mesh, int64_t points) {
  constexpr Rng kDraws{1, 7};
  const SurfaceSamples samples = sample_surface(mesh, points, kDraws);
  return {name, SurfaceKind::kMesh, samples.points, samples.normals};
}

double rms_angle(const Tensor& normals, const Tensor& truth) {
  const Tensor a = normals.to(at::kDouble), b = truth.to(at::kDouble);
  // By both sine and cosine: the arc cosine alone has no digits for small angles.
  const Tensor sine = at::cross(a, b, 1).square().sum(1).sqrt();
  const Tensor angle = at::atan2(sine, (a * b).sum(1).abs());  // [P]
  return angle.square().mean().sqrt().item<double>() * 180 / std::numbers::pi;
}

bool NormalAccuracy::has(SurfaceKind kind) const {
  return std::any_of(surfaces.begin(), surfaces.end(),
                     [&](const AccuracySurface& surface) { return surface.kind == kind; });
}

bool NormalAccuracy::has_network() const {
  return std::any_of(cells.begin(), cells.end(),
                     [](const AccuracyCell& cell) { return std::isfinite(cell.network); });
}

NormalAccuracy measure_accuracy(std::vector<AccuracySurface> surfaces,
                                const AccuracyOptions& options) {
  NormalAccuracy result{std::move(surfaces), options.noise, {}};
  for (size_t i = 0; i < result.surfaces.size(); ++i) {
    if (options.progress) options.progress(static_cast<int64_t>(i));
    for (const double noise : options.noise) {
      result.cells.push_back(measure(result.surfaces[i], noise, options));
      result.cells.back().surface = i;
    }
  }
  return result;
}

MeanAccuracy mean_accuracy(const NormalAccuracy& accuracy, SurfaceKind kind, double noise) {
  MeanAccuracy sum{0, 0, 0, 0};
  double count = 0;
  for (const AccuracyCell& cell : accuracy.cells) {
    if (cell.noise != noise || accuracy.surfaces.at(cell.surface).kind != kind) continue;
    sum.pca += cell.pca.degrees;
    sum.jet += cell.jet.degrees;
    sum.chosen += cell.chosen.degrees;
    sum.network += cell.network;
    ++count;
  }
  if (count == 0) return {};
  return {sum.pca / count, sum.jet / count, sum.chosen / count, sum.network / count};
}

}  // namespace equiframe::inline experiments
