#include "datasets/shapes/organic_shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ATen.h>

#include "datasets/shapes/implicit_surface.h"
#include "datasets/shapes/random_field.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"

namespace equiframe::inline datasets {
namespace {

using implicit::ImplicitSurface;

/// Streams of randomness under a seed.
constexpr uint64_t kModels = 0x4f5247414e, kPoints = 0x4f5247505453;
constexpr uint64_t kMaxAttempts = 100;

class OrganicShape final : public Shape {
 public:
  OrganicShape(uint64_t seed, int64_t number)
      : seed_(seed), number_(static_cast<uint64_t>(number)) {
    for (uint64_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
      RandomDraws draws(Rng{seed, kModels}.bits(number_, attempt));
      implicit::RandomField random = implicit::random_field(draws);
      surface_ = ImplicitSurface::make(std::move(random.field), implicit::kFieldReach);
      recipe_ = random.recipe;
      if (surface_) return;
    }
    throw UserError(c10::str("no smooth shape in ", kMaxAttempts, " attempts for number ", number,
                             " of seed ", seed, "; take another seed"));
  }

  std::string recipe() const override { return recipe_; }

 private:
  ShapeSamples compute_samples(int64_t points, uint64_t draw) const override {
    RandomDraws draws(Rng{seed_, kPoints}.bits(number_, draw));
    ShapeSamples samples;
    samples.points = at::empty({points, 3}, at::kDouble);
    samples.normals = at::empty({points, 3}, at::kDouble);
    samples.patches = at::zeros({points}, at::kLong);
    samples.edge_distance =
        at::full({points}, std::numeric_limits<double>::infinity(), at::kDouble);
    auto* point = samples.points.data_ptr<double>();
    auto* normal = samples.normals.data_ptr<double>();
    for (int64_t k = 0; k < points; ++k) {
      const implicit::SurfacePlace place = surface_->random_place(draws);
      std::copy(place.point.begin(), place.point.end(), point + 3 * k);
      std::copy(place.normal.begin(), place.normal.end(), normal + 3 * k);
    }
    return samples;
  }

  /// What is thin needs all triangles, also in a sketch.
  PointCloud compute_mesh(MeshDetail /*detail*/) const override { return surface_->mesh(); }

  uint64_t seed_, number_;
  std::unique_ptr<const ImplicitSurface> surface_;
  std::string recipe_;
};

}  // namespace

std::unique_ptr<Shape> random_organic(uint64_t seed, int64_t number) {
  if (number < 0) throw UserError(c10::str("shapes are counted from 0, got ", number));
  return std::make_unique<OrganicShape>(seed, number);
}

}  // namespace equiframe::inline datasets
