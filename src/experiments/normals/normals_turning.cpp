/// How a trained network for normals takes it when its clouds are turned.
#include <algorithm>
#include <numbers>

#include <torch/types.h>
#include <torch/utils.h>

#include "equiframe/groups/euclidean.h"
#include "experiments/normals/normals_report.h"
#include "training/engine/load_data.h"
#include "training/engine/metrics.h"

namespace equiframe::inline experiments {
namespace {

constexpr int64_t kClouds = 8;  // whose normals are compared one by one

std::shared_ptr<const Dataset> test_set(Choice data, const char* setting,
                                        const std::filesystem::path& folder) {
  data.settings["setting"] = setting;
  return load_data(data, folder, nullptr).test;
}

/// Degrees between the lines along `a` and `b` [B, N, 3]; [B, N] float64.
Tensor angles(const Tensor& a, const Tensor& b) {
  const Tensor sine = torch::cross(a, b, -1).square().sum(-1).sqrt();
  return torch::atan2(sine, (a * b).sum(-1).abs()) * (180 / std::numbers::pi);
}

/// Between f(x) turned and f(x turned).
Tensor turning_angles(Model& model, const Dataset& clouds) {
  const torch::NoGradGuard no_grad;
  const int64_t count = std::min(kClouds, clouds.size());
  Batch batch = to_type(clouds.get(torch::arange(count)).input, type_of(model));
  auto generator = make_generator(1);
  const Tensor turn =
      haar_orthogonal(3, EuclideanGroup::Linear::kRotations, count, generator).transpose(1, 2);
  const Tensor normals = model.forward(batch).to(torch::kDouble);  // [B, N, 3]
  batch.x = batch.x.to(torch::kDouble).matmul(turn).to(batch.x.scalar_type());
  return angles(model.forward(batch).to(torch::kDouble), normals.matmul(turn));
}

}  // namespace

Turning measure_turning(const RunOutcome& run, const std::filesystem::path& data) {
  const LoadedModel loaded = load_run(run.folder);
  const TrainOptions& train = run.config.train;
  const auto upright = test_set(run.config.data, "I/I", data);
  const auto turned = test_set(run.config.data, "I/SO3", data);
  const auto error = [&](const Dataset& clouds) {
    return score(*loaded.model, clouds, train.batch, measure_of(train.loss)).error;
  };
  const Tensor angle = turning_angles(*loaded.model, *upright);
  return {error(*upright), error(*turned), angle.mean().item<double>(), angle.max().item<double>()};
}

}  // namespace equiframe::inline experiments
