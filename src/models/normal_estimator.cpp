#include "equiframe/models/normal_estimator.h"

#include <algorithm>
#include <mutex>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/geometry/classical_normals.h"
#include "equiframe/kernels/patch_features.h"
#include "patch_weights.h"

namespace equiframe {
namespace {

constexpr int64_t kLeastForNetwork = 16;
constexpr double kLine = 1e-9;  // variance across over variance along

void put(const double* offsets, const kernels::PatchNormal& found, int64_t k, float* normal) {
  double away = 0;
  for (int64_t i = 0; i < 3 * k; ++i) away += offsets[i] * found.normal[i % 3];
  for (int c = 0; c < 3; ++c)
    normal[c] = static_cast<float>(away > 0 ? -found.normal[c] : found.normal[c]);
}

/// Numbers of the whole cloud from some of its patches, spread evenly over its rows.
std::vector<float> cloud_numbers(const NeighborBlocks& search) {
  constexpr int64_t kPatches = 1000;
  const int64_t size = search.size(), every = std::max<int64_t>(1, size / kPatches);
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < size; row += every) rows.push_back(row);
  std::vector<float> numbers(rows.size() * static_cast<size_t>(kernels::kPatchFeatures));
  search.for_some(rows, NormalEstimator::kNeighbors, [&](const NeighborBlock& block) {
    for (int64_t b = 0; b < block.count; ++b)
      kernels::patch_numbers<float>(
          1, block.k, block.offsets + 3 * block.k * b,
          numbers.data() + block.points[b] / every * kernels::kPatchFeatures);
  });
  std::vector<float> cloud(static_cast<size_t>(kernels::kCloudFeatures));
  kernels::cloud_features<float>(static_cast<int64_t>(rows.size()), numbers.data(), cloud.data());
  return cloud;
}

}  // namespace

struct NormalEstimator::Weights {
  std::vector<Tensor> parameters;
  kernels::PatchNetwork<float> network;
};

Tensor LearnedNormals::confidence() const {
  return (1 - spread) * margin;
}

NormalEstimator::NormalEstimator(const Model& model) {
  const Tensor* scores = model.named_parameters().find("normal.backbone.slopes.layer1.weight");
  if (scores == nullptr)
    throw UserError("the model is not of the kind 'fa-patch', which learns normals of clouds");
  auto weights = std::make_unique<Weights>();
  for (const Tensor& parameter : model.parameters())
    weights->parameters.push_back(parameter.detach().to(torch::kFloat32).contiguous().clone());
  weights->network = patch_network<float>(weights->parameters);
  weights_ = std::move(weights);
}

NormalEstimator::~NormalEstimator() = default;
NormalEstimator::NormalEstimator(NormalEstimator&&) noexcept = default;
NormalEstimator& NormalEstimator::operator=(NormalEstimator&&) noexcept = default;

LearnedNormals NormalEstimator::estimate(const NeighborBlocks& search,
                                         const std::function<void(int64_t done)>& done) const {
  const int64_t size = search.size();
  LearnedNormals result{torch::empty({size, 3}, torch::kFloat32),
                        torch::zeros({size}, torch::kFloat32),
                        torch::empty({size}, torch::kFloat32), torch::empty({size}, torch::kBool)};
  if (size < kLeastForNetwork) {
    const PointNormals plane =
        estimate_normals(search, {NormalFit::kPca, std::max<int64_t>(size, 3), torch::kFloat32});
    result.normals = plane.normals;
    result.margin = (1 - 3 * plane.variation).clamp(0, 1);
    result.degenerate = plane.degenerate;
    return result;
  }
  float* const normals = result.normals.data_ptr<float>();
  float* const spread = result.spread.data_ptr<float>();
  float* const margin = result.margin.data_ptr<float>();
  bool* const degenerate = result.degenerate.data_ptr<bool>();
  std::mutex mutex;
  int64_t finished = 0;
  const std::vector<float> cloud = cloud_numbers(search);
  search.for_each_block(kNeighbors, NeighborOrder::kByDistance, [&](const NeighborBlock& block) {
    std::vector<kernels::PatchNormal> found(static_cast<size_t>(block.count));
    kernels::patch_normals(weights_->network, block.count, block.k, block.offsets, cloud.data(),
                           found.data());
    for (int64_t b = 0; b < block.count; ++b) {
      const kernels::PatchNormal& one = found[static_cast<size_t>(b)];
      const int64_t point = block.points[b];
      put(block.offsets + 3 * block.k * b, one, block.k, normals + 3 * point);
      const double flat = one.variance[0], across = one.variance[1];
      spread[point] = static_cast<float>(std::clamp(1.5 * (1 - one.agreement), 0.0, 1.0));
      margin[point] = static_cast<float>(across > 0 ? (across - flat) / (across + flat) : 0);
      degenerate[point] = !(across > kLine * one.variance[2]);
    }
    const std::lock_guard lock(mutex);
    finished += block.count;
    if (done) done(finished);
  });
  return result;
}

}  // namespace equiframe
