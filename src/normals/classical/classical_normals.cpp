#include "normals/classical/classical_normals.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "linalg/pca.h"
#include "normals/classical/patch_normals.h"

namespace equiframe::inline normals {
namespace {

/// Second axis against the first of what counts as a line, squared: coordinates of size one are
/// rounded to 1e-16, and a patch may be a billion times smaller than they are.
constexpr double kLine = 1e-12;

void scatter(const NeighborBlock& block, const PatchNormals& patch, const PointNormals& to) {
  AT_DISPATCH_FLOATING_TYPES(to.normals.scalar_type(), "estimate_normals", [&] {
    auto* normals = to.normals.data_ptr<scalar_t>();
    auto* variation = to.variation.data_ptr<scalar_t>();
    auto* degenerate = to.degenerate.data_ptr<bool>();
    for (int64_t i = 0; i < block.count; ++i) {
      const int64_t point = block.points[i];
      const auto from = static_cast<size_t>(i);
      for (size_t axis = 0; axis < 3; ++axis)
        normals[3 * point + static_cast<int64_t>(axis)] =
            static_cast<scalar_t>(patch.normals[3 * from + axis]);
      variation[point] = static_cast<scalar_t>(patch.variation[from]);
      degenerate[point] = patch.degenerate[from] != 0;
    }
  });
}

PointNormals normals_of(const Tensor& points, NormalFit fit, int64_t k) {
  return estimate_normals(NeighborSearch(points), {fit, k, points.scalar_type()});
}

}  // namespace

PatchNormals patch_normals(const double* offsets, int64_t count, int64_t k, NormalFit fit) {
  const auto size = static_cast<size_t>(count);
  PatchNormals result{std::vector<double>(3 * size), std::vector<double>(size),
                      std::vector<char>(size)};
  std::vector<double> centre(3 * size), values(3 * size), axes(9 * size);
  kernels::pca_frames<double>(
      {.points = offsets, .weights = nullptr, .count = count, .n = k, .stride = 3, .dim = 3},
      kernels::Centre::kMean, kernels::Handedness::kBoth,
      {.bases = nullptr, .centre = centre.data(), .values = values.data(), .axes = axes.data()});
  for (size_t i = 0; i < size; ++i) {
    const double* value = values.data() + 3 * i;
    const double* axis = axes.data() + 9 * i;
    double* normal = result.normals.data() + 3 * i;
    result.degenerate[i] = !(value[1] > kLine * value[2]);
    const double least = std::max(value[0], 0.0), sum = least + value[1] + value[2];
    result.variation[i] = sum > 0 ? least / sum : 0;
    if (fit == NormalFit::kPca || result.degenerate[i] != 0 ||
        !jet_normal(offsets + static_cast<int64_t>(i) * 3 * k, k, axis, normal))
      for (size_t row = 0; row < 3; ++row) normal[row] = axis[3 * row];
    const double* mean = centre.data() + 3 * i;
    if (normal[0] * mean[0] + normal[1] * mean[1] + normal[2] * mean[2] > 0)
      for (size_t row = 0; row < 3; ++row) normal[row] = -normal[row];
  }
  return result;
}

PointNormals estimate_normals(const NeighborBlocks& search, const NormalOptions& options) {
  TORCH_CHECK(options.type == at::kDouble || options.type == at::kFloat,
              "estimate_normals: results must be float32 or float64, got ", options.type);
  const PointNormals result{at::empty({search.size(), 3}, options.type),
                            at::empty({search.size()}, options.type),
                            at::empty({search.size()}, at::kBool)};
  search.for_each_block(options.k, NeighborOrder::kAny, [&](const NeighborBlock& block) {
    scatter(block, patch_normals(block.offsets, block.count, block.k, options.fit), result);
  });
  return result;
}

PointNormals pca_normals(const Tensor& points, int64_t k) {
  return normals_of(points, NormalFit::kPca, k);
}

PointNormals jet_normals(const Tensor& points, int64_t k) {
  return normals_of(points, NormalFit::kJet, k);
}

}  // namespace equiframe::inline normals
