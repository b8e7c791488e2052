#include "normals/learned/choice_rows.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "linalg/pca.h"

namespace equiframe::inline normals {
std::vector<float> smoothness_of(const NeighborBlocks& search) {
  constexpr int64_t kSamples = 400;
  const int64_t size = search.size(), every = std::max<int64_t>(1, size / kSamples);
  std::vector<int64_t> points;
  for (int64_t point = 0; point < size; point += every) points.push_back(point);
  std::vector<kernels::ScaleSurfaces> surfaces(points.size());
  search.for_some(points, kernels::kSurfaceNeighbors, [&](const NeighborBlock& block) {
    std::vector<double> axes(static_cast<size_t>(9 * block.count));
    kernels::pca_frames<double>({.points = block.offsets,
                                 .weights = nullptr,
                                 .count = block.count,
                                 .n = block.k,
                                 .stride = 3,
                                 .dim = 3},
                                kernels::Centre::kMean, kernels::Handedness::kBoth,
                                {nullptr, nullptr, nullptr, axes.data()});
    for (int64_t b = 0; b < block.count; ++b) {
      const double* axis = axes.data() + 9 * b;
      const double thinnest[3] = {axis[0], axis[3], axis[6]};
      surfaces[static_cast<size_t>(block.points[b] / every)] =
          kernels::scale_surfaces(block.k, block.offsets + 3 * block.k * b, thinnest);
    }
  });
  std::vector<float> numbers(static_cast<size_t>(kernels::kSmoothnessNumbers));
  kernels::smoothness_numbers(static_cast<int64_t>(points.size()), surfaces.data(), numbers.data());
  return numbers;
}

std::vector<float> choice_rows(const NeighborBlock& block, const FirstNormals& first,
                               const Tensor& voted, const std::vector<float>& smoothness) {
  constexpr double kMin = 1e-3;
  std::vector<float> rows(static_cast<size_t>(block.count * kernels::kChoiceChannels));
  float* to = rows.data();
  for (int64_t b = 0; b < block.count; ++b) {
    const int64_t point = block.points[b];
    const float* elected = voted.data_ptr<float>() + 3 * point;
    double normal[3] = {double{elected[0]}, double{elected[1]}, double{elected[2]}};
    const double length = std::hypot(normal[0], normal[1], normal[2]);
    for (double& value : normal) value /= length;
    const kernels::ScaleSurfaces surfaces =
        kernels::scale_surfaces(block.k, block.offsets + 3 * block.k * b, normal);
    to = std::copy_n(first.normals.data_ptr<float>() + 3 * point, 3, to);
    to = std::copy_n(elected, 3, to);
    const auto put = [&](double value) { *to++ = static_cast<float>(value); };
    for (const auto& n : surfaces.normals) std::for_each(n, n + 3, put);
    const float* stats = first.point_stats.data_ptr<float>() + kPointStats * point;
    put(double{stats[0]});
    put(double{stats[1]});
    for (int64_t c = 2; c < kPointStats; ++c)
      put(std::log(double{stats[c]} / surfaces.spacing + kMin));
    for (const auto& numbers : surfaces.numbers)
      std::for_each(numbers, numbers + kernels::kSurfaceNumbers, put);
    to = std::copy_n(first.cloud.data_ptr<float>(), kernels::kCloudFeatures, to);
    to = std::copy(smoothness.begin(), smoothness.end(), to);
  }
  return rows;
}

}  // namespace equiframe::inline normals
