#include "datasets/solids/surface_clouds.h"

#include <ATen/ATen.h>

#include "core/parallel.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/euclidean.h"

namespace equiframe::inline datasets {
namespace {

/// Numbers of the draws of an item.
enum Draw : uint64_t { kTurn = 1, kScale = 2 };

Tensor normalised(const Tensor& points) {
  const Tensor centred = points - points.mean(0, /*keepdim=*/true);
  const Tensor length = centred.square().sum(1).sqrt();
  const double spread = length.std(/*unbiased=*/false).item<double>();
  const double mean_square = length.square().mean().sqrt().item<double>();
  constexpr double kNothing = 1e-3;  // of the root mean square: all points as far from the centre
  const double scale = spread > kNothing * mean_square ? spread : mean_square;
  return centred / (scale > 0 ? scale : 1.0);
}

double uniform(const Rng& rng, int64_t item, uint64_t draw, double low, double high) {
  const double unit =
      static_cast<double>(rng.bits(static_cast<uint64_t>(item), draw) >> 11) * 0x1p-53;
  return low + (high - low) * unit;
}

Tensor random_turn(const Rng& rng, int64_t item) {
  auto generator = make_generator(rng.bits(static_cast<uint64_t>(item), kTurn));
  return haar_orthogonal(3, EuclideanGroup::Linear::kRotations, 1, generator)[0];
}

}  // namespace

CloudTask CloudTask::from(const Options& options) {
  CloudTask task;
  task.points = options.get_int("points", task.points);
  if (task.points < 1) throw UserError("points: at least one is needed");
  const size_t setting = options.get_choice("setting", {"I/I", "I/SO3", "SO3/SO3"});
  task.turn_train = setting == 2;
  task.turn_test = setting > 0;
  task.seed = static_cast<uint64_t>(options.get_int("draw_seed", 0));
  return task;
}

std::string CloudTask::str() const {
  return c10::str(points, " points, setting ",
                  turn_train  ? "SO(3)/SO(3)"
                  : turn_test ? "I/SO(3)"
                              : "I/I");
}

SurfaceClouds::SurfaceClouds(std::shared_ptr<const Surfaces> surfaces, int64_t first, int64_t count,
                             CloudTask task)
    : surfaces_(std::move(surfaces)), first_(first), count_(count), task_(task) {}

Example SurfaceClouds::get(const Tensor& indices) const {
  return samples(indices, Rng{task_.seed, 0}, /*training=*/false);
}

Example SurfaceClouds::draw(const Tensor& indices, const Rng& rng) const {
  return samples(indices, rng, /*training=*/true);
}

Example SurfaceClouds::samples(const Tensor& indices, const Rng& rng, bool training) const {
  const int64_t batch = indices.size(0);
  const Tensor points = at::empty({batch, task_.points, 3}, at::kFloat);
  const Tensor normals = at::empty_like(points);
  const auto rows = indices.accessor<int64_t, 1>();
  const bool turned = training ? task_.turn_train : task_.turn_test;
  for_each_part(batch, [&](int64_t b) {
    const int64_t item = first_ + rows[b];
    const Tensor drawn = surfaces_->draw(item, task_.points, rng);
    Tensor place = normalised(drawn.narrow(1, 0, 3)), normal = drawn.narrow(1, 3, 3);
    if (turned) {
      const Tensor turn = random_turn(rng, item).t();
      place = place.matmul(turn);
      normal = normal.matmul(turn);
    }
    if (training) place = place * uniform(rng, item, kScale, task_.least_scale, task_.most_scale);
    points[b].copy_(place);
    normals[b].copy_(normal);
  });
  Batch input(points);
  input.id = indices + first_;
  return {input, normals};
}

}  // namespace equiframe::inline datasets
