#include <algorithm>
#include <array>
#include <cmath>

#include "normals/kernels/patch_features.h"
#include "normals/kernels/patch_network.h"
#include "normals/kernels/vote_features.h"
#include "normals/kernels/vote_network.h"
#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {
namespace {

constexpr std::int64_t kHidden = 24;
/// What the stages of fa-patch take: places in the frame, numbers of the point, of the patch.
constexpr std::int64_t kStageInputs =
    9 + (kPointFeatures - 3) + 5 + kPatchFeatures + kCloudFeatures + 6;

/// Layers with random weights, and gradients for them, that live as long as this.
template <class T>
class Layers {
 public:
  explicit Layers(std::uint32_t seed) : draws_(seed) {}

  DenseLayer<T> layer(std::int64_t in, std::int64_t out) {
    weights_.push_back(draws_.numbers<T>(in * out, 1.5 / std::sqrt(static_cast<double>(in))));
    weights_.push_back(draws_.numbers<T>(out, 0.1));
    return {weights_[weights_.size() - 2].data(), weights_.back().data(), in, out};
  }
  DenseLayerGradient<T> gradient(const DenseLayer<T>& of) {
    gradients_.emplace_back(static_cast<std::size_t>(of.in * of.out));
    gradients_.emplace_back(static_cast<std::size_t>(of.out));
    return {gradients_[gradients_.size() - 2].data(), gradients_.back().data()};
  }
  const std::vector<std::vector<T>>& gradients() const { return gradients_; }

 private:
  Draws draws_;
  std::vector<std::vector<T>> weights_, gradients_;
};

template <class T>
PatchStage<T> stage(Layers<T>& layers, std::int64_t pooled, std::int64_t out) {
  return {{layers.layer(kStageInputs, kHidden), layers.layer(kHidden, kHidden)},
          {layers.layer(pooled, kHidden), layers.layer(kHidden, out)},
          layers.layer(kHidden, 1)};
}

template <class T>
PatchNetwork<T> patch_network(Layers<T>& layers) {
  PatchNetwork<T> network{
      {layers.layer(kPatchFeatures + kCloudFeatures, 16), layers.layer(16, kScales + 1)},
      {stage(layers, 2 * kHidden, kHidden), stage(layers, 2 * kHidden, kHidden)},
      stage(layers, 2 * kHidden + 4, std::int64_t{2})};
  return network;
}

/// Points of bowls about their lowest point, nearest first.
template <class T>
std::vector<T> bowls(std::int64_t patches, std::int64_t count) {
  Draws draws(41);
  std::vector<T> all;
  for (std::int64_t p = 0; p < patches; ++p) {
    std::vector<std::array<double, 4>> points;
    for (std::int64_t i = 0; i < count; ++i) {
      const double x = i == 0 ? 0 : draws.number(), y = i == 0 ? 0 : 0.7 * draws.number();
      const double z = 0.3 * x * x + 0.1 * y + (i == 0 ? 0 : 0.02 * draws.number());
      points.push_back({x * x + y * y + z * z, x, y, z});
    }
    std::sort(points.begin(), points.end());
    for (const auto& point : points)
      for (std::size_t axis = 1; axis < 4; ++axis) all.push_back(static_cast<T>(point[axis]));
  }
  return all;
}

template <class T>
std::vector<Output> patch_normals(SimdLevel level) {
  const std::int64_t patches = 5, count = 61;
  Layers<T> layers(42);
  const PatchNetwork<T> network = patch_network(layers);
  const std::vector<double> offsets = bowls<double>(patches, count);
  const std::vector<T> cloud = Draws(43).numbers<T>(kCloudFeatures);
  std::vector<PatchNormal> found(static_cast<std::size_t>(patches));
  Table<PatchNormalKernels>::at(level).of<T>().normals(network, patches, count, offsets.data(),
                                                       cloud.data(), found.data());
  std::vector<T> lines, numbers;
  for (const PatchNormal& one : found) {
    for (const double a : one.normal)
      for (const double b : one.normal) lines.push_back(static_cast<T>(a * b));
    for (const double variance : one.variance) numbers.push_back(static_cast<T>(variance));
    numbers.push_back(static_cast<T>(one.agreement));
  }
  return {output("lines", lines), output("numbers", numbers)};
}

template <class T>
PatchStageGradient<T> gradient(Layers<T>& layers, const PatchStage<T>& of) {
  return {{layers.gradient(of.own[0]), layers.gradient(of.own[1])},
          {layers.gradient(of.pooled[0]), layers.gradient(of.pooled[1])},
          layers.gradient(of.score)};
}

template <class T>
std::vector<Output> patch_training(SimdLevel level) {
  const PatchTrainingFunctions<T>& kernels = Table<PatchTrainingKernels>::at(level).of<T>();
  const std::int64_t patches = 5, count = 61;
  Layers<T> layers(44);
  const PatchNetwork<T> network = patch_network(layers);
  const std::vector<T> x = bowls<T>(patches, count);
  const std::vector<T> clouds = Draws(45).numbers<T>(patches * kCloudFeatures);
  std::vector<std::uint8_t> flips;
  for (std::int64_t k = 0; k < patches * 3; ++k)
    flips.push_back(static_cast<std::uint8_t>(k % kPatchFlips));
  const PatchSample<T> sample{patches, count, x.data(), flips.data(), clouds.data()};
  std::vector<T> normals(static_cast<std::size_t>(3 * patches));
  kernels.forward(network, sample, normals.data());

  // The sign of an axis is any level's own choice, so the gradient is that of squares.
  std::vector<T> d_normals, squares;
  for (const T n : normals) {
    d_normals.push_back(2 * n * static_cast<T>(1 + squares.size() % 3));
    squares.push_back(n * n);
  }
  PatchGradients<T> to{{layers.gradient(network.scales[0]), layers.gradient(network.scales[1])},
                       {gradient(layers, network.stages[0]), gradient(layers, network.stages[1])},
                       gradient(layers, network.normal)};
  kernels.backward(network, sample, d_normals.data(), to);
  std::vector<Output> outputs{output("squares", squares)};
  for (const std::vector<T>& one : layers.gradients()) outputs.push_back(output("gradient", one));
  return outputs;
}

template <class T>
std::vector<Output> vote_network(SimdLevel level) {
  const std::int64_t patches = 5, count = 29, numbers = kToldNumbers + kCloudFeatures;
  Layers<T> layers(46);
  VoteNetwork<T> network;
  for (int round = 0; round < 2; ++round)
    network.rounds.push_back(
        {layers.layer(kVoteFeatures, kHidden),
         layers.layer(numbers, kHidden),
         layers.layer(kHidden, kHidden),
         {layers.layer(2 * kHidden + numbers, kHidden), layers.layer(kHidden, kHidden + 1)},
         layers.layer(kHidden, 2)});
  Draws draws(47);
  const std::vector<T> offsets = bowls<T>(patches, count);
  std::vector<T> normals, told = draws.numbers<T>(patches * count * kToldNumbers);
  for (std::int64_t k = 0; k < patches * count; ++k) {
    const T x = static_cast<T>(0.3 * draws.number()), y = static_cast<T>(0.3 * draws.number());
    const T length = std::sqrt(1 + x * x + y * y);
    for (const T n : {x, y, T(1)}) normals.push_back(n / length);
  }
  std::vector<T> own_told = draws.numbers<T>(patches * kToldNumbers);
  for (std::vector<T>* all : {&told, &own_told})
    for (T& number : *all) number = std::abs(number);
  const std::vector<T> own(normals.begin(), normals.begin() + 3 * patches);
  const std::vector<T> cloud = draws.numbers<T>(kCloudFeatures);
  std::vector<T> elected(static_cast<std::size_t>(3 * patches)), lines;
  Table<VoteKernels>::at(level).of<T>().normals(
      network,
      {patches, count, offsets.data(), normals.data(), told.data(), own.data(), own_told.data(),
       cloud.data()},
      elected.data());
  for (std::size_t first = 0; first < elected.size(); first += 3)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) lines.push_back(elected[first + i] * elected[first + j]);
  return {output("lines", lines)};
}

}  // namespace

std::vector<Case> normals_cases() {
  return {{"patch_normals", 16, {patch_normals<float>, patch_normals<double>}},
          {"patch_training", 1024, {patch_training<float>, patch_training<double>}},
          {"vote_network", 16, {vote_network<float>, vote_network<double>}}};
}

}  // namespace equiframe::kernels::levels
