#include "datasets/shapes/shapes.h"

#include <algorithm>
#include <array>

#include <ATen/ATen.h>

#include "core/text.h"
#include "datasets/shapes/analytic_shape.h"
#include "datasets/shapes/random_draws.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"

namespace equiframe::inline datasets {
namespace {

using implicit::analytic_shapes;
using implicit::AnalyticPatch;
using implicit::AnalyticPlace;
using implicit::AnalyticShape;

constexpr uint64_t kNamedPoints = 0x4e414d4544;  // the stream of randomness
constexpr int64_t kSketchSteps = 24, kFineSteps = 96;

const AnalyticShape& find(const std::string& name) {
  for (const AnalyticShape& shape : analytic_shapes())
    if (shape.name == name) return shape;
  throw UserError(text::unknown_name("shape", name, shape_names()));
}

class NamedShape final : public Shape {
 public:
  explicit NamedShape(const AnalyticShape& shape) : shape_(shape) {
    for (const AnalyticPatch& patch : shape.patches) weight_ += patch.weight;
  }

  std::string recipe() const override { return shape_.name; }

 private:
  struct Draw {
    size_t patch = 0;
    AnalyticPlace place;
  };

  Draw random_place(RandomDraws& draws) const {
    while (true) {
      double left = draws.uniform() * weight_;
      size_t patch = 0;
      while (patch + 1 < shape_.patches.size() && (left -= shape_.patches[patch].weight) >= 0)
        ++patch;
      const double u = draws.uniform(), v = draws.uniform(), keep = draws.uniform();
      const AnalyticPlace place = shape_.patches[patch].at(u, v);
      if (keep < place.density) return {patch, place};
    }
  }

  ShapeSamples compute_samples(int64_t points, uint64_t draw) const override {
    RandomDraws draws(Rng{0, kNamedPoints}.bits(0, draw));
    const ShapeSamples samples{at::empty({points, 3}, at::kDouble),
                               at::empty({points, 3}, at::kDouble), at::empty({points}, at::kLong),
                               at::empty({points}, at::kDouble)};
    auto* point = samples.points.data_ptr<double>();
    auto* normal = samples.normals.data_ptr<double>();
    for (int64_t k = 0; k < points; ++k) {
      const Draw one = random_place(draws);
      point = std::copy(one.place.point.begin(), one.place.point.end(), point);
      normal = std::copy(one.place.normal.begin(), one.place.normal.end(), normal);
      samples.patches.data_ptr<int64_t>()[k] = static_cast<int64_t>(one.patch);
      samples.edge_distance.data_ptr<double>()[k] = one.place.edge_distance;
    }
    return samples;
  }

  /// Each patch is a grid of squares, cut in two; corners of different patches stay apart.
  PointCloud compute_mesh(MeshDetail detail) const override {
    const int64_t steps = detail == MeshDetail::kFine ? kFineSteps : kSketchSteps;
    const int64_t side = steps + 1, patches = static_cast<int64_t>(shape_.patches.size());
    PointCloud mesh{at::empty({patches * side * side, 3}, at::kDouble),
                    at::empty({patches * side * side, 3}, at::kFloat),
                    {},
                    at::empty({patches * steps * steps * 2, 3}, at::kLong)};
    auto* point = mesh.points.data_ptr<double>();
    auto* normal = mesh.normals.data_ptr<float>();
    auto* face = mesh.faces.data_ptr<int64_t>();
    const double unit = 1 / static_cast<double>(steps);
    for (int64_t p = 0; p < patches; ++p)
      for (int64_t j = 0; j < side; ++j)
        for (int64_t i = 0; i < side; ++i) {
          const AnalyticPlace place = shape_.patches[static_cast<size_t>(p)].at(
              unit * static_cast<double>(i), unit * static_cast<double>(j));
          point = std::copy(place.point.begin(), place.point.end(), point);
          for (const double value : place.normal) *normal++ = static_cast<float>(value);
          if (i == steps || j == steps) continue;
          const int64_t a = (p * side + j) * side + i, b = a + 1, c = b + side, d = a + side;
          face = std::copy_n(std::array{a, b, c, a, c, d}.begin(), 6, face);
        }
    return mesh;
  }

  const AnalyticShape& shape_;
  double weight_ = 0;
};

}  // namespace

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const AnalyticShape& shape : analytic_shapes()) names.emplace_back(shape.name);
  return names;
}

std::unique_ptr<Shape> named_shape(const std::string& name) {
  return std::make_unique<NamedShape>(find(name));
}

Tensor signed_distance(const std::string& name, const Tensor& points) {
  const AnalyticShape& shape = find(name);
  TORCH_CHECK(points.dim() == 2 && points.size(1) == 3, "points must be [P, 3], got ",
              points.sizes());
  const Tensor values = points.to(at::kCPU, at::kDouble).contiguous();
  const Tensor distances = at::empty({points.size(0)}, at::kDouble);
  const auto* p = values.data_ptr<double>();
  for (int64_t k = 0; k < points.size(0); ++k, p += 3)
    distances.data_ptr<double>()[k] = shape.distance({p[0], p[1], p[2]});
  return distances;
}

}  // namespace equiframe::inline datasets
