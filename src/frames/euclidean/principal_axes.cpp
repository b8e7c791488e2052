#include "frames/euclidean/principal_axes.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "frames/euclidean/tolerances.h"
#include "frames/permutation/graph_eigen.h"

namespace equiframe::inline frames {
namespace {

/// Rows of points one after the other in memory, whatever lies between two of them.
bool has_even_rows(const Tensor& points) {
  return points.stride(2) == 1 && points.stride(1) >= points.size(2) &&
         points.stride(0) == points.size(1) * points.stride(1);
}

template <class T>
void solve_small(const EuclideanGroup& group, const Cloud& cloud, PrincipalAxes& result) {
  const Tensor constant = cloud.points.requires_grad() ? cloud.points.detach() : cloud.points;
  const Tensor points = has_even_rows(constant) ? constant : constant.contiguous();
  const Tensor weights =
      cloud.weights.defined() ? cloud.weights.to(points.dtype()).contiguous() : Tensor();
  const kernels::PointSets<T> sets{.points = points.data_ptr<T>(),
                                   .weights = weights.defined() ? weights.data_ptr<T>() : nullptr,
                                   .count = points.size(0),
                                   .n = points.size(1),
                                   .stride = points.stride(1),
                                   .dim = group.dim()};
  result.bases =
      torch::empty({sets.count, kernels::sign_choices(sets.dim, result.hands), sets.dim, sets.dim},
                   points.options());
  kernels::pca_frames(
      sets, group.has_shifts() ? kernels::Centre::kMean : kernels::Centre::kOrigin, result.hands,
      kernels::PcaFrames<T>{
          .bases = result.bases.data_ptr<T>(),
          .centre = result.centre.data_ptr<double>(),
          .values = result.values.data_ptr<double>(),
          .axes = result.axes.defined() ? result.axes.data_ptr<double>() : nullptr});
}

/// d = 2, 3: the SIMD kernels, signs included.
PrincipalAxes small_axes(const EuclideanGroup& group, const Cloud& cloud, AxesDetail detail) {
  const int64_t b = cloud.points.size(0), d = group.dim();
  PrincipalAxes result{torch::empty({b, d}, torch::kFloat64),
                       torch::empty({b, d}, torch::kFloat64),
                       {},
                       {},
                       hands_of(group)};
  if (detail == AxesDetail::kAxesToo) result.axes = torch::empty({b, d, d}, torch::kFloat64);
  if (cloud.points.scalar_type() == torch::kFloat32)
    solve_small<float>(group, cloud, result);
  else
    solve_small<double>(group, cloud, result);
  return result;
}

}  // namespace

kernels::Handedness hands_of(const EuclideanGroup& group) {
  return group.has_reflections() ? kernels::Handedness::kBoth : kernels::Handedness::kRightOnly;
}

Tensor scatter_matrix(const Cloud& cloud, const Tensor& centre) {
  const Tensor centred = cloud.points.to(torch::kFloat64) - centre.unsqueeze(1);  // [B, M, d]
  const Tensor weighted = cloud.weights.defined() ? centred * cloud.weights.unsqueeze(-1) : centred;
  return weighted.transpose(1, 2).matmul(centred);
}

PrincipalAxes principal_axes(const EuclideanGroup& group, const Cloud& cloud, AxesDetail detail) {
  const auto type = cloud.points.scalar_type();
  const int64_t d = group.dim();
  TORCH_CHECK(type == torch::kFloat32 || type == torch::kFloat64,
              "clouds must be float32 or float64, got ", type);
  if (d == 2 || d == 3) return small_axes(group, cloud, detail);
  const Cloud constant{cloud.points.detach(), cloud.weights};
  const Tensor centre = group.has_shifts()
                            ? centroid(constant)
                            : torch::zeros({cloud.points.size(0), d}, torch::kFloat64);
  const Tensor scatter = scatter_matrix(constant, centre);
  refuse_non_finite(scatter, "pca");
  const auto [values, axes] = symmetric_eigen(scatter);
  PrincipalAxes result{centre, values, axes, {}, hands_of(group)};
  result.bases = signed_bases(axes, result.hands).to(type);
  return result;
}

Tensor sign_patterns(int64_t dim, kernels::Handedness hands) {
  const int64_t free = hands == kernels::Handedness::kBoth ? dim : dim - 1;
  const Tensor bits = torch::arange(int64_t{1} << free)
                          .unsqueeze(-1)
                          .bitwise_right_shift(torch::arange(free))
                          .bitwise_and(1);
  const Tensor signs = (1 - 2 * bits).to(torch::kFloat64);  // [K, free]
  if (hands == kernels::Handedness::kBoth) return signs;
  return torch::cat({signs, signs.prod(-1, /*keepdim=*/true)}, -1);
}

Tensor signed_bases(const Tensor& axes, kernels::Handedness hands) {
  Tensor first = axes;
  if (hands == kernels::Handedness::kRightOnly) {
    const int64_t d = axes.size(-1);
    const Tensor det = torch::linalg_det(axes.detach()).sign().view({-1, 1, 1});
    first = torch::cat({axes.narrow(-1, 0, d - 1), axes.narrow(-1, d - 1, 1) * det}, -1);
  }
  const Tensor signs = sign_patterns(axes.size(-1), hands).to(axes.dtype());
  return first.unsqueeze(1) * signs.unsqueeze(-2);
}

namespace {

struct ItemReport {
  double margin;
  Stratum stratum;
  bool degenerate;
};

/// `values` ascending, [d]. `noise`: squared extent that rounding of the centroid alone can make.
ItemReport analyse_item(const double* values, int64_t d, double noise,
                        const SpectrumTolerance& tolerance) {
  const double largest = values[d - 1];
  if (largest <= noise) return {d > 1 ? 0.0 : INFINITY, Stratum::kCoincident, d > 1};
  double margin = INFINITY;
  int64_t ties = 0;
  int64_t nulls = values[0] <= tolerance.rank * largest ? 1 : 0;
  const double inverse = 1 / largest;
  for (int64_t i = 1; i < d; ++i) {
    const double gap = (values[i] - values[i - 1]) * inverse;
    margin = std::min(margin, gap);
    if (gap <= tolerance.gap) ++ties;
    if (values[i] <= tolerance.rank * largest) ++nulls;
  }
  const Stratum stratum = nulls >= 2                  ? Stratum::kLinear
                          : ties == d - 1 && ties > 0 ? Stratum::kIsotropic
                          : ties > 0                  ? Stratum::kRepeated
                          : nulls == 1                ? Stratum::kPlanar
                                                      : Stratum::kSimple;
  return {margin, stratum, ties > 0};
}

}  // namespace

SpectrumReport analyse_spectrum(const PrincipalAxes& spectrum, const SpectrumTolerance& tolerance) {
  const int64_t b = spectrum.values.size(0), d = spectrum.values.size(1);
  SpectrumReport report{torch::empty({b}, torch::kFloat64), torch::empty({b}, torch::kInt64),
                        torch::empty({b}, torch::kBool)};
  const Tensor values = spectrum.values.contiguous(), centres = spectrum.centre.contiguous();
  const double* spectra = values.data_ptr<double>();
  const double* centre = centres.data_ptr<double>();
  auto* margin = report.margin.data_ptr<double>();
  auto* stratum = report.stratum.data_ptr<int64_t>();
  auto* degenerate = report.degenerate.data_ptr<bool>();
  for (int64_t item = 0; item < b; ++item, spectra += d, centre += d) {
    double reach = 0;
    for (int64_t i = 0; i < d; ++i) reach = std::max(reach, std::abs(centre[i]));
    const double unit = kPcaRounding * reach;
    const ItemReport found = analyse_item(spectra, d, unit * unit, tolerance);
    margin[item] = found.margin;
    stratum[item] = static_cast<int64_t>(found.stratum);
    degenerate[item] = found.degenerate;
    report.any_degenerate = report.any_degenerate || found.degenerate;
    report.any_non_finite = report.any_non_finite || !std::isfinite(spectra[0]);
  }
  return report;
}

}  // namespace equiframe::inline frames
