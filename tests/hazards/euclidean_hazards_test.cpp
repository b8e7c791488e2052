/// The numerical hazards of Euclidean frames (E1-E23 of the specification), one test each. Those of
/// later rooms (kNN, normalisation by norms, OBJ files) are tested where that code lives.
#include <cmath>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "equiframe/averaging/make_equivariant.h"
#include "equiframe/core/error.h"
#include "equiframe/equiframe.h"
#include "equiframe/laws/laws.h"
#include "equiframe/laws/zoo.h"
#include "tests/support/euclidean.h"

namespace equiframe {
namespace {

using test_support::kE3;
using test_support::normal;

FrameSet<EuclideanGroup> frame_of(const EuclideanGroup& group, const std::string& call,
                                  const Batch& x, const std::string& in = "point") {
  return (*make_frame(call, group, group.type(in)))(x);
}

Tensor average(const EuclideanGroup& group, const std::string& call, const char* out,
               const laws::RandomMlp& phi, const Tensor& x) {
  const Symmetry<EuclideanGroup> type{group, group.type("point"), group.type(out)};
  return equivariant_average(type, frame_of(group, call, x), phi, x);
}

TEST(Hazards, E01_E12_RepeatedEigenvaluesAreFlaggedNeverSilent) {
  // Two axes crossing: far from the tie the frame answers, at the tie it refuses.
  Tensor x = normal({1, 8, 3}, 1);
  const auto stretched = [&](double ratio) {
    const Tensor y = torch::cat({x, -x}, 1);
    const auto [u, s, v] = torch::linalg_svd(y[0], /*full_matrices=*/false);
    return u.matmul(torch::diag(torch::tensor({2.0, 1.0, ratio}, torch::kFloat64))).unsqueeze(0);
  };
  EXPECT_NO_THROW(frame_of(kE3, "pca", stretched(0.9)));
  EXPECT_THROW(frame_of(kE3, "pca", stretched(1.0)), UserError);
  EXPECT_THROW(frame_of(kE3, "pca", stretched(1.0 + 1e-12)), UserError);
  EXPECT_NEAR(frame_of(kE3, "pca", stretched(1 - 1e-4)).margin[0].item<double>(), 5e-5, 1e-5);
}

TEST(Hazards, E02_FewPoints) {
  EXPECT_THROW(frame_of(kE3, "pca", normal({1, 1, 3}, 2)), UserError);
  EXPECT_THROW(frame_of(kE3, "pca", normal({1, 2, 3}, 2)), UserError);
  EXPECT_NO_THROW(frame_of(kE3, "pca", normal({1, 3, 3}, 2)));
  EXPECT_THROW(frame_of(kE3, "minimal", normal({1, 2, 3}, 2)), UserError);
  EXPECT_EQ(frame_of(EuclideanGroup::E(2), "minimal", normal({1, 2, 2}, 2)).size(), 4);
}

TEST(Hazards, E03_CoplanarPointsAreValid) {
  Tensor x = normal({2, 6, 3}, 3);
  x.select(2, 0).zero_();
  EXPECT_EQ(frame_of(kE3, "pca", x).size(), 8);
}

TEST(Hazards, E04_PlanarCloudsForceVectorsIntoThePlane) {
  Tensor x = normal({1, 6, 3}, 4);
  x.select(2, 2).zero_();
  auto generator = make_generator(4);
  const laws::RandomMlp phi(18, {6, 3}, generator), psi(18, {6, 9}, generator);
  const auto out_of_plane = [&](const EuclideanGroup& group) {
    return average(group, "pca", "vector", phi, x).select(2, 2).abs().max().item<double>();
  };
  EXPECT_LT(out_of_plane(kE3), 1e-12) << "the reflection allows no normal component";
  EXPECT_GT(out_of_plane(EuclideanGroup::SE(3)), 1e-2) << "rotations do";
  // As n n^T the normal survives the reflection.
  const Tensor m = average(kE3, "pca", "tensor", psi, x);
  EXPECT_GT(m.select(2, 8).abs().max().item<double>(), 1e-2);
}

TEST(Hazards, E05_UnorientedDirectionsDoNotCancelAsTensors) {
  // A backbone that knows the normal up to sign, differently in each frame.
  const Tensor x = normal({1, 7, 3}, 5);
  const auto frame = frame_of(kE3, "pca", x);
  const auto direction = [](const Tensor& framed) {  // the first axis of the frame, always +
    Tensor n = torch::zeros_like(framed);
    n.select(2, 0).fill_(1.0);
    return n;
  };
  const auto outer = [&](const Tensor& framed) {
    const Tensor n = direction(framed);
    return n.unsqueeze(-1).mul(n.unsqueeze(-2)).flatten(2);
  };
  const Symmetry<EuclideanGroup> vectors{kE3, kE3.type("point"), kE3.type("vector")};
  const Symmetry<EuclideanGroup> tensors{kE3, kE3.type("point"), kE3.type("tensor")};
  EXPECT_LT(equivariant_average(vectors, frame, direction, x).abs().max().item<double>(), 1e-15);
  const Tensor m = equivariant_average(tensors, frame, outer, x)[0][0].view({3, 3});
  EXPECT_NEAR(m.trace().item<double>(), 1.0, 1e-12);
  const Tensor axis = frame.elements.linear[0][0].select(1, 0);
  EXPECT_LT((m - axis.unsqueeze(1).mul(axis)).abs().max().item<double>(), 1e-12);
}

TEST(Hazards, E06_GradientsStayFiniteNearTies) {
  const Tensor square = laws::symmetric_clouds(3)[0].points;
  for (const double off : {1e-2, 1e-4, 1e-6}) {
    const Tensor nudge = off * normal({1, 4, 3}, 6);
    for (const char* call : {"pca(gradient=smooth)", "pca(gradient=none)", "pca(gradient=exact)"}) {
      Tensor x = (square.unsqueeze(0) + nudge).requires_grad_(true);
      auto generator = make_generator(6);
      const laws::RandomMlp phi(12, {1}, generator);
      average(kE3, call, "scalar", phi, x).sum().backward();
      EXPECT_TRUE(x.grad().isfinite().all().item<bool>()) << call << " at " << off;
    }
  }
}

// E07, that detached frames give wrong forces, is PcaFrame.ExactGradientMatchesFiniteDifferences.

TEST(Hazards, E08_SignPatternsFollowTheDeterminant) {
  for (const int64_t d : {2, 3, 4}) {
    const auto frame = frame_of(EuclideanGroup::SE(d), "pca", normal({20, 9, d}, 8));
    EXPECT_EQ(frame.size(), int64_t{1} << (d - 1));
    EXPECT_LT((torch::linalg_det(frame.elements.linear) - 1).abs().max().item<double>(), 1e-12);
  }
}

TEST(Hazards, E09_FarCloudsKeepTheirAxes) {
  const Tensor x = normal({4, 12, 3}, 9);
  const auto near = frame_of(kE3, "pca", x);
  const auto far = frame_of(kE3, "pca", x + 1e6);
  const Tensor turned = near.elements.linear.unsqueeze(1) - far.elements.linear.unsqueeze(2);
  EXPECT_LT(std::get<0>(turned.abs().flatten(3).amax(3).min(2)).max().item<double>(), 1e-8);
  // Exactly representable in float32 at that distance: the axes are those of the rounded cloud.
  const Tensor coarse = (x * 64).round() / 64;
  const auto single = frame_of(kE3, "pca", (coarse + 65536.0).to(torch::kFloat32));
  const auto reference = frame_of(kE3, "pca", coarse);
  const Tensor apart = reference.elements.linear.unsqueeze(1) -
                       single.elements.linear.to(torch::kFloat64).unsqueeze(2);
  EXPECT_LT(std::get<0>(apart.abs().flatten(3).amax(3).min(2)).max().item<double>(), 1e-6);
}

TEST(Hazards, E10_NonFiniteInputIsRefusedByItem) {
  Tensor x = normal({3, 8, 3}, 10);
  x[1][2][0] = INFINITY;
  for (const char* call : {"pca", "minimal"}) {
    try {
      frame_of(kE3, call, x);
      FAIL() << call;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("item 1 "), std::string::npos) << error.what();
    }
  }
  const EuclideanGroup t3 = EuclideanGroup::T(3);
  EXPECT_THROW(frame_of(t3, "mean", x), UserError);
  const EuclideanGroup e4 = EuclideanGroup::E(4);
  EXPECT_THROW(frame_of(e4, "pca", torch::full({1, 9, 4}, NAN, torch::kFloat64)), UserError);
}

TEST(Hazards, E11_MarginTellsHowFarTheNextTieIs) {
  const Tensor x = normal({50, 9, 3}, 11);
  const auto frame = frame_of(kE3, "pca", x);
  // A perturbation much smaller than the margin moves the frame by about its ratio.
  const Tensor noise = 1e-7 * normal({50, 9, 3}, 12);
  const Tensor moved = frame_set_distance(kE3, frame, frame_of(kE3, "pca", x + noise));
  EXPECT_LT((moved / (1e-6 / frame.margin)).max().item<double>(), 10.0);
}

TEST(Hazards, E13_CollapsedLatentsAreFlagged) {
  const Tensor collapsed = torch::zeros({2, 5, 60}, torch::kFloat64);
  EXPECT_THROW(frame_of(EuclideanGroup::O(3), "pca", collapsed, "20 point"), UserError);
  EXPECT_NO_THROW(frame_of(EuclideanGroup::O(3), "pca(degenerate=sample)", collapsed, "20 point"));
}

TEST(Hazards, E15_DuplicatesAreHarmless) {
  const Tensor x = normal({1, 5, 3}, 15);
  const auto doubled = frame_of(kE3, "pca", torch::cat({x, x}, 1));
  EXPECT_LT(frame_set_distance(kE3, doubled, frame_of(kE3, "pca", x)).max().item<double>(), 1e-12);
}

TEST(Hazards, E16_BatchNormIsExactInEval) {
  torch::manual_seed(16);
  torch::nn::Sequential net(torch::nn::Linear(3, 16),
                            torch::nn::Flatten(torch::nn::FlattenOptions().start_dim(0).end_dim(1)),
                            torch::nn::BatchNorm1d(16), torch::nn::ReLU(), torch::nn::Dropout(0.5),
                            torch::nn::Linear(16, 3),
                            torch::nn::Unflatten(torch::nn::UnflattenOptions(0, {-1, 8})));
  net->to(torch::kFloat64);
  const auto model = make_equivariant(net, {.out = "vector"});
  const Tensor x = normal({4, 8, 3}, 16);
  model->train();
  model->forward(x);  // fills the running statistics
  model->eval();
  const torch::NoGradGuard guard;
  auto generator = make_generator(16);
  const Symmetry<EuclideanGroup> type{kE3, kE3.type("point"), kE3.type("vector")};
  EXPECT_LT(laws::equivariance_error(
                type, [&](const Batch& b) { return model->forward(b); }, x, generator),
            1e-12);
}

TEST(Hazards, E17_PaddingDoesNotReachFramesOrSetNetworks) {
  const Tensor x = normal({1, 6, 3}, 17);
  Batch padded(torch::cat({x, torch::full({1, 4, 3}, 3.0, torch::kFloat64)}, 1));
  padded.mask = torch::arange(10).unsqueeze(0) < 6;
  auto generator = make_generator(17);
  const laws::RandomSetNetwork phi(3, 3, generator);
  const Symmetry<EuclideanGroup> type{kE3, kE3.type("point"), kE3.type("vector")};
  for (const char* call : {"pca", "minimal"}) {
    const Tensor y = equivariant_average(type, frame_of(kE3, call, padded), phi, padded);
    const Tensor z = equivariant_average(type, frame_of(kE3, call, x), phi, x);
    EXPECT_LT((y.narrow(1, 0, 6) - z).abs().max().item<double>(), 1e-12) << call;
  }
}

TEST(Hazards, E18_AnyNumberOfPointsAndDimensions) {
  for (const int64_t d : {1, 2, 5}) {
    for (const int64_t n : {d + 1, int64_t{50}})
      EXPECT_EQ(frame_of(EuclideanGroup::E(d), "pca", normal({2, n, d}, 18)).size(),
                int64_t{1} << d);
  }
}

// E19, the eigen-solver's speed, is bench/; its accuracy is tests/kernels.

TEST(Hazards, E23_ManyElementsFitAMemoryCap) {
  const EuclideanGroup e8 = EuclideanGroup::E(8);  // 256 elements
  const Tensor x = normal({2, 12, 8}, 23);
  const Symmetry<EuclideanGroup> type{e8, e8.type("point"), e8.type("vector")};
  int64_t largest = 0;
  const auto phi = [&](const Batch& batch) {
    largest = std::max(largest, batch.size());
    return torch::tanh(batch.x);
  };
  equivariant_average(type, frame_of(e8, "pca", x), phi, x, {.max_bytes = 10L * 12 * 8 * 8});
  EXPECT_EQ(largest, 10);
}

}  // namespace
}  // namespace equiframe
