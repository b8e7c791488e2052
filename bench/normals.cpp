/// Neighbours and normals against plain LibTorch code, and over the size of the cloud.
#include <algorithm>
#include <cstdlib>

#include <ATen/ATen.h>

#include "bench.h"
#include "geometry/search/k_nearest.h"
#include "normals_cloud.h"

namespace {

using namespace equiframe;

/// [rows, k] nearest of `all` [N, C] to `some` [rows, C].
at::Tensor plain_nearest(const at::Tensor& some, const at::Tensor& all, int64_t k) {
  return std::get<1>(at::cdist(some, all).topk(k, -1, /*largest=*/false));
}

at::Tensor plain_normals(const at::Tensor& points, int64_t k) {
  constexpr int64_t kRows = 512;
  std::vector<at::Tensor> normals;
  for (int64_t first = 0; first < points.size(0); first += kRows) {
    const at::Tensor some = points.slice(0, first, first + kRows);
    const at::Tensor near =
        points.index_select(0, plain_nearest(some, points, k).flatten()).view({some.size(0), k, 3});
    const at::Tensor centred = near - near.mean(1, /*keepdim=*/true);
    const at::Tensor axes = std::get<1>(at::linalg_eigh(at::bmm(centred.transpose(1, 2), centred)));
    normals.push_back(axes.select(2, 0));
  }
  return at::cat(normals);
}

bench::Row normals_row() {
  const at::Tensor points = bench::scanned_torus(5000);
  return bench::speedup(
      "PCA normals, 5000 points, k = 16", 20, [&] { pca_normals(points, 16); },
      [&] { plain_normals(points, 16); });
}

bench::Row features_row(int64_t width, double target) {
  const at::Tensor features = at::randn({16, 512, width}, at::kFloat);
  return bench::speedup(
      c10::str("k_nearest, 16 x 512 x ", width, ", k = 40"), target,
      [&] { k_nearest(features, 40); }, [&] { plain_nearest(features, features, 40); });
}

/// Time per point of the largest cloud against one of 10,000. The largest has a million points, or
/// as many as EQUIFRAME_BENCH_POINTS says.
bench::Row cloud_scaling_row() {
  constexpr int64_t kMin = 10'000, kMax = 1'000'000;
  const char* text = std::getenv("EQUIFRAME_BENCH_POINTS");
  const int64_t most = text == nullptr ? kMax : std::max<int64_t>(kMin, std::atoll(text));
  bench::Curve curve{.name = "PCA normals, k = 16", .size = {}, .seconds = {}};
  for (int64_t count = kMin; count <= most; count *= 10) {
    const at::Tensor points = bench::scanned_torus(count);
    curve.size.push_back(static_cast<double>(count));
    curve.seconds.push_back(bench::least_of(3, &bench::seconds, [&] { pca_normals(points, 16); }));
  }
  const double points = curve.size.back() / curve.size.front();
  bench::Row row{.name = c10::str("PCA normals, ", curve.size.back(), " points, k = 16"),
                 .ours = curve.seconds.back(),
                 .reference = curve.seconds.front() * points,
                 .goal = bench::Goal::kCost,
                 .target = 2};
  row.curves.push_back(curve);
  return row;
}

const bool kNormalsRegistered[] = {bench::add("normals", normals_row),
                                   bench::add("normals", [] { return features_row(3, 2); }),
                                   bench::add("normals", [] { return features_row(64, 2); }),
                                   bench::add("normals", cloud_scaling_row)};

}  // namespace
