/// What the library adds around its kernels: the `pca` frame as users call it, and averaging
/// against the backbone alone on the same B K inputs.
#include <cmath>
#include <memory>
#include <vector>

#include <torch/types.h>

#include "bench.h"
#include "equiframe/averaging/average.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/euclidean.h"

namespace {

using namespace equiframe;

const EuclideanGroup kE3 = EuclideanGroup::E(3);

/// The straightforward tensor code: mean, subtract, bmm, eigh, sign stack.
Tensor plain_frames(const Tensor& points) {
  const Tensor bits = torch::arange(8).unsqueeze(1).bitwise_right_shift(torch::arange(3));
  const Tensor signs = (1 - 2 * bits.bitwise_and(1)).to(torch::kFloat32).view({1, 8, 1, 3});
  const Tensor centred = points - points.mean(1, /*keepdim=*/true);
  const Tensor covariance = torch::bmm(centred.transpose(1, 2), centred);
  return std::get<1>(torch::linalg_eigh(covariance)).unsqueeze(1) * signs;
}

bench::Row frame_row() {
  const torch::NoGradGuard guard;
  const Tensor patches = torch::randn({16384, 20, 3});
  const std::shared_ptr<const Frame<EuclideanGroup>> frame =
      make_frame("pca(degenerate=sample)", kE3, kE3.type("point"));
  return bench::speedup(
      "frame 'pca', 16384 patches of 20 points", 20, [&] { (*frame)(patches); },
      [&] { plain_frames(patches); });
}

/// 3 - 64 - 128 - 1024 with ReLU on every point.
class PointMlp {
 public:
  PointMlp() {
    int64_t in = 3;
    for (const int64_t out : {64, 128, 1024}) {
      weights_.push_back(torch::randn({out, in}) / std::sqrt(static_cast<double>(in)));
      biases_.push_back(torch::zeros({out}));
      in = out;
    }
  }
  Tensor operator()(const Tensor& x) const {
    Tensor h = x;
    for (size_t i = 0; i < weights_.size(); ++i)
      h = torch::linear(h, weights_[i], biases_[i]).relu_();
    return h;
  }

 private:
  std::vector<Tensor> weights_, biases_;
};

bench::Row overhead_row() {
  const torch::NoGradGuard guard;
  const Tensor clouds = torch::randn({32, 512, 3});
  const Tensor same_size = torch::randn({32L * 8, 512, 3});
  const PointMlp backbone;
  const Symmetry<EuclideanGroup> symmetry{kE3, kE3.type("point"), kE3.type("1024 scalar")};
  const std::shared_ptr<const Frame<EuclideanGroup>> frame = make_frame("pca", kE3, symmetry.in);
  return bench::cost(
      "averaging, 32 clouds of 512 points, 8 elements", 1.15,
      [&] { equivariant_average(symmetry, (*frame)(clouds), backbone, clouds); },
      [&] { backbone(same_size); });
}

const bool kAveragingRegistered[] = {bench::add("averaging", frame_row),
                                     bench::add("averaging", overhead_row)};

}  // namespace
