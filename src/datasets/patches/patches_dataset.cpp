#include <array>
#include <utility>

#include <ATen/ATen.h>

#include "datasets/patches/noisy_clouds.h"
#include "datasets/patches/several_rows.h"
#include "datasets/solids/stored_shapes.h"
#include "equiframe/core/error.h"
#include "geometry/search/neighbors.h"
#include "normals/learned/normal_estimator.h"

namespace equiframe::inline datasets {
namespace {

/// How the clouds are made that patches are taken from.
struct PatchTask {
  int64_t neighbors = NormalEstimator::kNeighbors;
  int64_t patches = 64;        // of each cloud, in one batch
  CloudDraws draws;            // of training clouds
  int64_t test_points = 4000;  // of an evaluated one
  uint64_t seed = 0;           // of the draws of validation and test

  static PatchTask from(const Options& options) {
    PatchTask task;
    task.neighbors = options.get_int("neighbors", task.neighbors);
    task.patches = options.get_int("patches", task.patches);
    task.draws.least_points = options.get_int("least_points", task.draws.least_points);
    task.test_points = options.get_int("test_points", task.test_points);
    task.draws.most_noise = options.get_double("most_noise", task.draws.most_noise);
    task.draws.rough = options.get_double("rough", task.draws.rough);
    task.seed = static_cast<uint64_t>(options.get_int("draw_seed", 0));
    if (task.neighbors < 3 || task.patches < 1 || task.draws.least_points < task.neighbors ||
        task.test_points < task.neighbors || !(task.draws.most_noise >= 0) ||
        !(task.draws.rough >= 0 && task.draws.rough <= 1))
      throw UserError(
          "dataset patches: neighbors must be 3 or more, patches 1 or more, least_points and "
          "test_points not below neighbors, most_noise not negative, rough in 0..1");
    return task;
  }
};

/// Noise of evaluated clouds, by turns.
constexpr std::array<double, 4> kNoise{0, 0.0025, 0.005, 0.01};

/// One sample is one cloud and gives several patches: rows [patches, neighbors, 3] relative to a
/// point, nearest first, scaled into the unit ball, and the normal of the surface there.
class Patches final : public Dataset {
 public:
  Patches(CadSet set, int64_t first, int64_t count, PatchTask task)
      : set_(std::move(set)), first_(first), count_(count), task_(task) {}

  int64_t size() const override { return count_; }
  bool augments() const override { return true; }

  Example get(const Tensor& indices) const override {
    return collect_rows(
        indices, {task_.seed, 0}, kStream, [&](int64_t item, at::Generator& generator) {
          const SurfaceCloud cloud = thinned(stored(item), task_.test_points, true, generator);
          const double noise = kNoise[static_cast<size_t>(item) % kNoise.size()];
          return patches(with_noise(cloud, noise, generator), generator);
        });
  }

  Example draw(const Tensor& indices, const Rng& rng) const override {
    return collect_rows(indices, rng, kStream, [&](int64_t item, at::Generator& generator) {
      return patches(draw_cloud(stored(item), task_.draws, generator), generator);
    });
  }

 private:
  SurfaceCloud stored(int64_t item) const {
    return {set_.points[first_ + item].to(at::kDouble),
            set_.normals[first_ + item].to(at::kDouble)};
  }

  Example patches(const SurfaceCloud& cloud, at::Generator& generator) const {
    const Tensor& points = cloud.points;
    const int64_t count = points.size(0), k = std::min(task_.neighbors, count);
    const Tensor chosen =
        at::randperm(count, generator, at::kLong).narrow(0, 0, std::min(task_.patches, count));
    const Tensor centres = points.index_select(0, chosen);
    const Tensor near = NeighborSearch(points).nearest(centres, k).indices;  // [M, k]
    constexpr double kMin = 1e-30;
    Tensor x = points.index_select(0, near.flatten()).view({-1, k, 3}) - centres.unsqueeze(1);
    x = x / x.square().sum(-1).amax(1).sqrt().clamp_min(kMin).view({-1, 1, 1});
    return {Batch(x.to(at::kFloat)), cloud.normals.index_select(0, chosen).to(at::kFloat)};
  }

  static constexpr uint64_t kStream = 0x7061746368;

  CadSet set_;
  int64_t first_, count_;
  PatchTask task_;
};

class PatchSource final : public SplitSource {
 public:
  Splits load(const DataRequest& request) const override {
    const PatchTask task = PatchTask::from(request.options);
    constexpr ShapeCounts kUsual{2000, 100, 100, 12000, "solids+organic"};
    const StoredShapes shapes = stored_shapes(request, kUsual, "dataset patches");
    const auto part = [&](int64_t first, int64_t count) {
      return std::make_shared<Patches>(shapes.set, first, count, task);
    };
    return {part(0, shapes.train), part(shapes.train, shapes.valid),
            part(shapes.train + shapes.valid, shapes.test), shapes.checksum,
            c10::str(task.patches, " patches of ", task.neighbors, " points from each of ",
                     shapes.train, "/", shapes.valid, "/", shapes.test, " shapes; ",
                     shapes.set.description)};
  }
};

const bool kPatchesRegistered = Datasets::instance().add(
    "patches", "nearest neighbours of points on random shapes, with noise, and the normal there",
    [] { return std::make_unique<PatchSource>(); });

}  // namespace
}  // namespace equiframe::inline datasets
