/// PCA frames against the straightforward tensor code: mean, subtract, bmm, linalg_eigh, sign
/// stack.
#include <string>

#include <ATen/ATen.h>

#include "bench.h"
#include "linalg/pca.h"

namespace {

using namespace equiframe;

struct Shape {
  int64_t count, n;
};

/// All sign choices of three columns, [1, 8, 1, 3].
at::Tensor sign_stack() {
  const at::Tensor bits = at::arange(8).unsqueeze(1).bitwise_right_shift(at::arange(3));
  return (1 - 2 * bits.bitwise_and(1)).to(at::kFloat).view({1, 8, 1, 3});
}

at::Tensor plain_frames(const at::Tensor& points, const at::Tensor& signs) {
  const at::Tensor centred = points - points.mean(1, /*keepdim=*/true);     // [B, N, 3]
  const at::Tensor covariance = at::bmm(centred.transpose(1, 2), centred);  // [B, 3, 3]
  return std::get<1>(at::linalg_eigh(covariance)).unsqueeze(1) * signs;     // [B, 8, 3, 3]
}

enum class Output { kReused, kFresh };

bench::Row pca_row(const std::string& name, double target, Shape shape, Output output) {
  const at::Tensor points = at::randn({shape.count, shape.n, 3}, at::kFloat);
  const at::Tensor signs = sign_stack();
  at::Tensor bases = at::empty({shape.count, 8, 3, 3}, at::kFloat);
  const at::Tensor centre = at::empty({shape.count, 3}, at::kDouble);
  const at::Tensor values = at::empty({shape.count, 3}, at::kDouble);
  const auto kernel = [&] {
    if (output == Output::kFresh) bases = at::empty({shape.count, 8, 3, 3}, at::kFloat);
    kernels::pca_frames<float>({.points = points.data_ptr<float>(),
                                .weights = nullptr,
                                .count = shape.count,
                                .n = shape.n,
                                .stride = 3,
                                .dim = 3},
                               kernels::Centre::kMean, kernels::Handedness::kBoth,
                               {.bases = bases.data_ptr<float>(),
                                .centre = centre.data_ptr<double>(),
                                .values = values.data_ptr<double>(),
                                .axes = nullptr});
  };
  return bench::speedup(name, target, kernel, [&] { plain_frames(points, signs); });
}

const bool kKernelsPcaRegistered[] = {
    bench::add("kernels",
               [] {
                 return pca_row("PCA frames, 16384 x 20 points", 20, {16384, 20}, Output::kReused);
               }),
    bench::add(
        "kernels",
        [] {
          return pca_row("PCA frames, 16384 x 20, fresh output", 20, {16384, 20}, Output::kFresh);
        }),
    bench::add("kernels",
               [] {
                 return pca_row("PCA frames, 32 x 512 points", 5, {32, 512}, Output::kReused);
               }),
};

}  // namespace
