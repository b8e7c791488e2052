#include "experiments/nbody/nbody_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "linalg/pca.h"
#include "training/engine/load_data.h"

namespace equiframe::inline experiments {
namespace {

constexpr int64_t kBins = 40;
constexpr int64_t kNoiseLevels = 13;
constexpr double kMinNoise = 1e-4, kMaxNoise = 0.3;
constexpr uint64_t kNoiseSeed = 4;

/// Centred and scaled to a largest norm of one, float64; points at one place become the origin.
Tensor normalised(const Tensor& points) {
  TORCH_CHECK(points.dim() == 3 && points.size(0) > 0 && points.size(1) > 0 && points.size(2) == 3,
              "point sets must be [S, N, 3] and not empty, got ", points.sizes());
  const Tensor wide = points.to(torch::kFloat64);
  const Tensor centred = wide - wide.mean(1, true);
  const Tensor radius = centred.norm(2, -1).amax(1);  // [S]
  return centred / radius.clamp_min(std::numeric_limits<double>::min()).view({-1, 1, 1});
}

struct Spectrum {
  Tensor values;  // [S, 3], ascending
  Tensor axes;    // [S, 3, 3], columns
};

Spectrum spectrum(const Tensor& points) {
  const Tensor wide = points.to(torch::kFloat64).contiguous();
  const int64_t count = wide.size(0);
  const Spectrum result{torch::empty({count, 3}, torch::kFloat64),
                        torch::empty({count, 3, 3}, torch::kFloat64)};
  kernels::pca_frames<double>(
      {wide.data_ptr<double>(), nullptr, count, wide.size(1), 3, 3}, kernels::Centre::kMean,
      kernels::Handedness::kBoth,
      {nullptr, nullptr, result.values.data_ptr<double>(), result.axes.data_ptr<double>()});
  return result;
}

SpacingFigure spacing_figure(int64_t frame, const Tensor& points) {
  const Tensor spacings = minimal_spacings(points);
  return {frame, summarise(spacings), histogram(spacings, 0, 1, kBins)};
}

/// Positions [S, N, 3] float64 of the training set at the input and at the target frame.
struct Positions {
  Tensor input, target;
};

Positions training_positions(Choice data, int64_t frame_in, int64_t frame_out,
                             const std::filesystem::path& folder, Observer* observer) {
  data.settings["frame_in"] = std::to_string(frame_in);
  data.settings["frame_out"] = std::to_string(frame_out);
  data.settings["dtype"] = "float64";
  const Splits splits = load_data(data, folder, observer);
  const Example all = splits.train->get(torch::arange(splits.train->size()));
  return {all.input.x.narrow(2, 0, 3), all.target};
}

}  // namespace

Tensor minimal_spacings(const Tensor& points) {
  const Tensor values = spectrum(normalised(points)).values;            // [S, 3]
  const Tensor gaps = values.narrow(1, 1, 2) - values.narrow(1, 0, 2);  // [S, 2]
  const Tensor mean = gaps.mean(1);
  return torch::where(mean > 0, gaps.amin(1) / mean, torch::zeros_like(mean));
}

SpacingSummary summarise(const Tensor& spacings) {
  return {spacings.min().item<double>(), spacings.quantile(0.01).item<double>(),
          spacings.quantile(0.5).item<double>(), (spacings < 0.01).sum().item<int64_t>()};
}

Histogram histogram(const Tensor& values, double low, double high, int64_t bins) {
  TORCH_CHECK(bins > 0 && low < high, "histogram: needs a bin and low < high");
  const Tensor counts =
      values.to(torch::kFloat64).histc(bins, low, high).to(torch::kLong).contiguous();
  const auto* first = counts.data_ptr<int64_t>();
  return {low, high, {first, first + bins}};
}

Tensor principal_axes(const Tensor& points) {
  return spectrum(normalised(points)).axes;
}

Tensor frame_distances(const Tensor& axes, const Tensor& others) {
  // |u x v| = sqrt(1 - <u, v>^2) of unit vectors, without the cancellation for close ones.
  return torch::linalg_cross(axes, others, 1).norm(2, 1).mean(1);
}

std::vector<StabilityPoint> frame_stability(const Tensor& points, const std::vector<double>& sigmas,
                                            uint64_t seed) {
  const Tensor clean = normalised(points);
  const Tensor axes = spectrum(clean).axes;
  std::vector<StabilityPoint> result;
  for (const double sigma : sigmas) {
    const Rng rng{seed, result.size()};
    const Tensor noise =
        torch::randn(clean.sizes(), make_generator(rng.bits(0, 0)), torch::kFloat64);
    const Tensor distances = frame_distances(axes, spectrum(clean + sigma * noise).axes);
    result.push_back(
        {sigma, distances.mean().item<double>(), distances.std(/*unbiased=*/false).item<double>()});
  }
  return result;
}

std::vector<double> geometric_sequence(double first, double last, int64_t count) {
  TORCH_CHECK(first > 0 && last > 0 && count > 1, "geometric_sequence: needs positive ends");
  std::vector<double> result;
  for (int64_t i = 0; i < count; ++i)
    result.push_back(
        first * std::pow(last / first, static_cast<double>(i) / static_cast<double>(count - 1)));
  return result;
}

NBodyFigures measure_nbody_figures(const Choice& data, const std::filesystem::path& folder,
                                   Observer* observer) {
  const Options options = data.options();
  const int64_t in = options.get_int("frame_in", 30), out = options.get_int("frame_out", 40);
  const Positions task = training_positions(data, in, out, folder, observer);
  const Positions start = training_positions(data, 0, 0, folder, observer);
  return {task.input.size(0),
          {spacing_figure(in, task.input), spacing_figure(0, start.input),
           spacing_figure(out, task.target)},
          frame_stability(task.input, geometric_sequence(kMinNoise, kMaxNoise, kNoiseLevels),
                          kNoiseSeed)};
}

}  // namespace equiframe::inline experiments
