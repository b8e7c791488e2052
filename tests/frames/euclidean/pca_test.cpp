#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/laws/laws.h"
#include "equiframe/laws/zoo.h"

namespace equiframe {
namespace {

FrameSet<EuclideanGroup> frame_of(const EuclideanGroup& group, const std::string& call,
                                  const Batch& x, const std::string& in = "point") {
  return (*make_frame(call, group, group.type(in)))(x);
}

Tensor random_clouds(int64_t b, int64_t n, int64_t d, uint64_t seed = 1) {
  auto generator = make_generator(seed);
  return torch::randn({b, n, d}, generator, torch::kFloat64) *
         torch::linspace(1, 0.5, d, torch::kFloat64);
}

TEST(PcaFrame, HasTheCountsOfTheTheory) {
  for (const int64_t d : {1, 2, 3, 4, 5}) {
    const Tensor x = random_clouds(3, 12, d);
    EXPECT_EQ(frame_of(EuclideanGroup::E(d), "pca", x).size(), int64_t{1} << d);
    EXPECT_EQ(frame_of(EuclideanGroup::O(d), "pca", x).size(), int64_t{1} << d);
    EXPECT_EQ(frame_of(EuclideanGroup::SE(d), "pca", x).size(), int64_t{1} << (d - 1));
    EXPECT_EQ(frame_of(EuclideanGroup::SO(d), "pca", x).size(), int64_t{1} << (d - 1));
  }
}

TEST(PcaFrame, ElementsAreDistinctOrthogonalAndOfTheRightHand) {
  for (const int64_t d : {1, 2, 3, 4}) {
    const Tensor x = random_clouds(4, 12, d);
    for (const EuclideanGroup& group : {EuclideanGroup::E(d), EuclideanGroup::SE(d)}) {
      const auto frame = frame_of(group, "pca", x);
      const Tensor r = frame.elements.linear;
      const Tensor gram = r.transpose(-1, -2).matmul(r);
      EXPECT_LT((gram - torch::eye(d, torch::kFloat64)).abs().max().item<double>(), 1e-13);
      const Tensor det = torch::linalg_det(r);
      if (!group.has_reflections()) {
        EXPECT_LT((det - 1).abs().max().item<double>(), 1e-12) << group.name();
      }
      const Tensor apart = (r.unsqueeze(1) - r.unsqueeze(2)).flatten(3).norm(2, 3) +
                           10 * torch::eye(frame.size(), torch::kFloat64);
      EXPECT_GT(apart.min().item<double>(), 1.0)
          << "two elements of " << group.name() << " coincide";
    }
  }
}

TEST(PcaFrame, AxesDiagonaliseTheCovarianceInAscendingOrder) {
  const Tensor x = random_clouds(5, 20, 3);
  const auto frame = frame_of(EuclideanGroup::E(3), "pca", x);
  const Tensor centred = x - x.mean(1, /*keepdim=*/true);
  const Tensor r = frame.elements.linear.select(1, 0);
  const Tensor c = centred.matmul(r);
  const Tensor covariance = c.transpose(1, 2).matmul(c);
  const Tensor diagonal = covariance.diagonal(0, 1, 2);
  EXPECT_LT((covariance - torch::diag_embed(diagonal)).abs().max().item<double>(), 1e-12);
  EXPECT_GT((diagonal.narrow(1, 1, 2) - diagonal.narrow(1, 0, 2)).min().item<double>(), 0.0);
  EXPECT_LT((frame.elements.shift.select(1, 0) - x.mean(1)).abs().max().item<double>(), 1e-14);
}

TEST(PcaFrame, AGroupThatFixesTheOriginDoesNotCentre) {
  const Tensor x = random_clouds(2, 9, 3) + 5.0;
  EXPECT_EQ(frame_of(EuclideanGroup::O(3), "pca", x).elements.shift.abs().max().item<double>(), 0);
}

TEST(PcaFrame, MaskedPointsDoNotCount) {
  const Tensor x = random_clouds(1, 8, 3);
  Batch padded(torch::cat({x, torch::full({1, 3, 3}, NAN, torch::kFloat64)}, 1));
  padded.mask = torch::arange(11).unsqueeze(0) < 8;
  const auto plain = frame_of(EuclideanGroup::E(3), "pca", x);
  const auto masked = frame_of(EuclideanGroup::E(3), "pca", padded);
  EXPECT_LT(frame_set_distance(EuclideanGroup::E(3), plain, masked).max().item<double>(), 1e-12);
}

TEST(PcaFrame, AWeightOfTwoIsAPointTwice) {
  const Tensor x = random_clouds(1, 6, 3);
  Batch weighted(x);
  weighted.weights = torch::ones({1, 6}, torch::kFloat64);
  weighted.weights[0][2] = 2.0;
  const Tensor doubled = torch::cat({x, x.narrow(1, 2, 1)}, 1);
  EXPECT_LT(
      frame_set_distance(EuclideanGroup::E(3), frame_of(EuclideanGroup::E(3), "pca", weighted),
                         frame_of(EuclideanGroup::E(3), "pca", doubled))
          .max()
          .item<double>(),
      1e-12);
}

TEST(PcaFrame, ReadsAllPointFieldsAndOnlyThose) {
  const Tensor x = random_clouds(2, 5, 9);
  const auto several = frame_of(EuclideanGroup::E(3), "pca", x, "2 point + 3 scalar");
  const Tensor as_one = x.narrow(2, 0, 6).reshape({2, 10, 3});
  EXPECT_LT(frame_set_distance(EuclideanGroup::E(3), several,
                               frame_of(EuclideanGroup::E(3), "pca", as_one))
                .max()
                .item<double>(),
            1e-12);
}

TEST(PcaFrame, ReportsMarginAndStratum) {
  Tensor x = random_clouds(3, 9, 3);
  x[1].select(1, 2).zero_();
  const auto frame = frame_of(EuclideanGroup::E(3), "pca", x);
  EXPECT_EQ(frame.stratum[0].item<int64_t>(), static_cast<int64_t>(Stratum::kSimple));
  EXPECT_EQ(frame.stratum[1].item<int64_t>(), static_cast<int64_t>(Stratum::kPlanar));
  EXPECT_GT(frame.margin.min().item<double>(), 1e-3);
  EXPECT_TRUE(frame.is_exact());
}

TEST(PcaFrame, TellsTheStrataOfDegenerateClouds) {
  auto clouds = laws::symmetric_clouds(3);
  for (auto& cloud : laws::infinite_clouds(3)) clouds.push_back(cloud);
  const std::map<std::string, Stratum> expected{
      {"square", Stratum::kRepeated},       {"cube", Stratum::kIsotropic},
      {"tetrahedron", Stratum::kIsotropic}, {"octahedron", Stratum::kIsotropic},
      {"icosahedron", Stratum::kIsotropic}, {"prism 3", Stratum::kRepeated},
      {"prism 6", Stratum::kRepeated},      {"coincident", Stratum::kCoincident},
      {"linear", Stratum::kLinear}};
  for (const auto& [name, points] : clouds) {
    const auto frame =
        frame_of(EuclideanGroup::E(3), "pca(degenerate=sample)", points.unsqueeze(0));
    EXPECT_STREQ(to_string(static_cast<Stratum>(frame.stratum[0].item<int64_t>())),
                 to_string(expected.at(name)))
        << name;
    EXPECT_FALSE(frame.is_exact()) << name;
    EXPECT_TRUE(frame.elements.linear.isfinite().all().item<bool>()) << name;
  }
}

TEST(PcaFrame, RefusalNamesTheItemsAndTheWayOut) {
  Tensor x = random_clouds(4, 8, 3);
  x[2] = laws::symmetric_clouds(3)[1].points;
  try {
    frame_of(EuclideanGroup::E(3), "pca", x);
    FAIL() << "expected a UserError";
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("item 2 of 4"), std::string::npos) << text;
    EXPECT_NE(text.find("isotropic"), std::string::npos) << text;
    EXPECT_NE(text.find("pca(degenerate=minimal)"), std::string::npos) << text;
  }
}

TEST(PcaFrame, FallsBackToMinimalForTheDegenerateItemsOnly) {
  Tensor x = random_clouds(3, 8, 3);
  x[1] = laws::symmetric_clouds(3)[1].points;  // the cube: 48 elements
  const auto frame = frame_of(EuclideanGroup::E(3), "pca(degenerate=minimal)", x);
  EXPECT_EQ(frame.size(), 48);
  const Tensor counts = (frame.weights > 0).sum(1);
  EXPECT_EQ(counts[0].item<int64_t>(), 8);
  EXPECT_EQ(counts[1].item<int64_t>(), 48);
  EXPECT_EQ(counts[2].item<int64_t>(), 8);
  EXPECT_TRUE(frame.is_exact());
}

TEST(PcaFrame, RefusesWhatItCannotServe) {
  const auto refuses = [](const EuclideanGroup& group, const char* call, const char* in) {
    EXPECT_THROW(make_frame(call, group, group.type(in)), UserError) << call;
  };
  refuses(EuclideanGroup::T(3), "pca", "point");
  refuses(EuclideanGroup::E(17), "pca", "point");
  refuses(EuclideanGroup::E(3), "pca(tolerence=1)", "point");
  refuses(EuclideanGroup::E(3), "mean", "point");
  EXPECT_THROW(frame_of(EuclideanGroup::E(3), "pca", torch::zeros({1, 4, 3}), "vector"), UserError);
  EXPECT_THROW(frame_of(EuclideanGroup::E(3), "pca", torch::zeros({1, 0, 3})), UserError);
  EXPECT_THROW(frame_of(EuclideanGroup::E(3), "pca", torch::full({1, 5, 3}, NAN)), UserError);
  EXPECT_THROW(frame_of(EuclideanGroup::E(3), "pca", torch::zeros({5, 3})), c10::Error);
  Batch masked(random_clouds(2, 5, 3));
  masked.mask = torch::zeros({2, 5}, torch::kBool);
  EXPECT_THROW(frame_of(EuclideanGroup::E(3), "pca", masked), UserError);
}

/// kExact is the true derivative of the averaged function; the others are not.
TEST(PcaFrame, ExactGradientMatchesFiniteDifferences) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  auto generator = make_generator(4);
  const Symmetry<EuclideanGroup> symmetry{group, group.type("point"), group.type("scalar")};
  const laws::RandomMlp phi(18, {1}, generator);
  const Tensor x = random_clouds(1, 6, 3);
  const auto energy = [&](const Tensor& at, const char* call) {
    return equivariant_average(symmetry, frame_of(group, call, at), phi, at).sum();
  };
  Tensor numeric = torch::zeros_like(x);
  constexpr double kStep = 1e-5;
  for (int64_t i = 0; i < x.numel(); ++i) {
    Tensor plus = x.clone(), minus = x.clone();
    plus.view(-1)[i] += kStep;
    minus.view(-1)[i] -= kStep;
    numeric.view(-1)[i] = (energy(plus, "pca") - energy(minus, "pca")) / (2 * kStep);
  }
  const auto gradient = [&](const char* call) {
    Tensor leaf = x.clone().requires_grad_(true);
    return torch::autograd::grad({energy(leaf, call)}, {leaf})[0];
  };
  const double scale = numeric.abs().max().item<double>();
  EXPECT_LT((gradient("pca(gradient=exact)") - numeric).abs().max().item<double>() / scale, 1e-7);
  EXPECT_GT((gradient("pca(gradient=smooth)") - numeric).abs().max().item<double>() / scale, 1e-2);
  // An invariant energy has no net force; with the centroid held constant it has one.
  EXPECT_LT(gradient("pca(gradient=smooth)").sum(1).abs().max().item<double>() / scale, 1e-12);
  EXPECT_GT(gradient("pca(gradient=none)").sum(1).abs().max().item<double>() / scale, 1e-3);
}

}  // namespace
}  // namespace equiframe
