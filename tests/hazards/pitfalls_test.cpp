/// The correctness pitfalls seen in other software (P1-P17 of the landscape study), one test each.
/// P8 and P9 (forces, eigenvector gradients) are in frames/pca_test.cpp and euclidean_hazards_test;
/// P10 and P11 (covariance, flat patches) also in tests/kernels; P12 in frames/laplacian_test.cpp.
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
using test_support::kSE3;
using test_support::normal;

Symmetry<EuclideanGroup> type_of(const EuclideanGroup& group, const char* out) {
  return {group, group.type("point"), group.type(out)};
}

/// f(gX) against g f(X) of an averaged random network, in float64.
double error_on(const EuclideanGroup& group, const std::string& call, const Tensor& x) {
  auto generator = make_generator(1);
  const auto type = type_of(group, "vector");
  const laws::RandomMlp phi(x[0].numel(), {x.size(1), group.dim()}, generator);
  const auto frame = make_frame(call, group, type.in);
  return laws::equivariance_error(
      type, [&](const Batch& b) { return equivariant_average(type, (*frame)(b), phi, b); }, x,
      generator);
}

TEST(Pitfalls, P01_TiesAreExactWithMinimalAndRefusedByPca) {
  for (const auto& [name, points] : laws::symmetric_clouds(3)) {
    EXPECT_THROW(error_on(kE3, "pca", points.unsqueeze(0)), UserError) << name;
    EXPECT_LT(error_on(kE3, "minimal", points.unsqueeze(0)), 1e-12) << name;
    EXPECT_LT(error_on(kE3, "pca(degenerate=minimal)", points.unsqueeze(0)), 1e-12) << name;
  }
}

TEST(Pitfalls, P02_AJumpOnATrajectoryIsAnnouncedByTheMargin) {
  // Two extents cross along the path: wherever the axes swap, a step before or after had a small
  // margin.
  const Tensor shape = normal({40, 3}, 2);
  const auto [u, s, v] = torch::linalg_svd(shape - shape.mean(0), /*full_matrices=*/false);
  double smallest = INFINITY;
  for (int step = 0; step <= 20; ++step) {
    const double t = step / 20.0;
    const Tensor extents = torch::tensor({3.0, 1.0 + t, 2.001 - t}, torch::kFloat64);
    const auto frame = (*make_frame("pca", kE3, kE3.type("point")))((u * extents).unsqueeze(0));
    smallest = std::min(smallest, frame.margin[0].item<double>());
  }
  EXPECT_LT(smallest, 1e-2);
}

TEST(Pitfalls, P03_SymmetricShapesHaveMoreThanSigns) {
  const Tensor cube = laws::symmetric_clouds(3)[1].points.unsqueeze(0);
  EXPECT_EQ((*make_frame("minimal", kE3, kE3.type("point")))(cube).size(), 48);
}

// P04, a laboratory-frame rule for signs, is a mutant that must fail: testing/mutants_test.cpp.

TEST(Pitfalls, P05_RotationFramesSeeChirality) {
  const Tensor x = normal({1, 6, 3}, 5);
  const Tensor mirrored = x * torch::tensor({1.0, 1.0, -1.0}, torch::kFloat64);
  auto generator = make_generator(5);
  const laws::RandomMlp phi(18, {1}, generator);
  const auto value = [&](const EuclideanGroup& group, const std::string& call, const Tensor& at) {
    const auto type = type_of(group, "scalar");
    return equivariant_average(type, (*make_frame(call, group, type.in))(at), phi, at)
        .item<double>();
  };
  for (const char* call : {"pca", "minimal"}) {
    EXPECT_GT(std::abs(value(kSE3, call, x) - value(kSE3, call, mirrored)), 1e-3) << call;
    EXPECT_NEAR(value(kE3, call, x), value(kE3, call, mirrored), 1e-12) << call;
  }
}

// P06, the cross product as a pseudovector, is FieldType.ACrossProductIsAPseudovector.

TEST(Pitfalls, P07_RankDeficientInputs) {
  Tensor planar = normal({2, 6, 3}, 7);
  planar.select(2, 1).zero_();
  for (const EuclideanGroup& group : {kE3, kSE3}) {
    for (const char* call : {"pca", "minimal"}) EXPECT_LT(error_on(group, call, planar), 1e-12);
  }
  for (const auto& [name, points] : laws::infinite_clouds(3)) {
    for (const char* call : {"pca", "minimal", "pca(degenerate=minimal)"})
      EXPECT_THROW(error_on(kE3, call, points.unsqueeze(0)), UserError) << name << " " << call;
  }
}

TEST(Pitfalls, P10_UtmSizedOffsets) {
  const Tensor x = normal({3, 30, 3}, 10) + torch::tensor({5e5, 5.4e6, 3e2}, torch::kFloat64);
  EXPECT_LT(error_on(kE3, "pca", x), 1e-6);  // the input itself has 1e-9 of the extent
}

TEST(Pitfalls, P11_FlatAxisAlignedPatches) {
  // A regular grid in the xy plane, stretched: exactly flat, exactly aligned.
  const Tensor i = torch::arange(5, torch::kFloat64).repeat_interleave(4);
  const Tensor j = torch::arange(4, torch::kFloat64).repeat({5}) * 0.7;
  const Tensor grid = torch::stack({i, j, torch::zeros({20}, torch::kFloat64)}, 1).unsqueeze(0);
  const auto frame = (*make_frame("pca", kE3, kE3.type("point")))(grid);
  const Tensor axis = frame.elements.linear[0][0].select(1, 0);  // smallest extent
  EXPECT_NEAR(std::abs(axis[2].item<double>()), 1.0, 1e-15);
}

TEST(Pitfalls, P13_WhatABackboneBreaksFramesCannotMendForReordering) {
  // A truncated neighbour list by index order breaks S_n; the law for reordering says so.
  const Tensor x = normal({2, 8, 3}, 13);
  const auto type = type_of(kE3, "vector");
  const auto frame = make_frame("pca", kE3, type.in);
  const auto truncated = [](const Tensor& framed) {  // "the first three neighbours"
    return framed.narrow(1, 0, 3).mean(1, /*keepdim=*/true).expand_as(framed).contiguous() + framed;
  };
  const auto model = [&](const Batch& b) {
    return equivariant_average(type, (*frame)(b), truncated, b);
  };
  auto generator = make_generator(13);
  const Symmetry<SymmetricGroup> reorder{SymmetricGroup(8), {}, {}};
  EXPECT_LT(laws::equivariance_error(type, model, x, generator), 1e-12);
  EXPECT_GT(laws::equivariance_error(reorder, model, x, generator), 1e-2);
}

TEST(Pitfalls, P14_TheTestActsInFloat64) {
  // The same float32 model: moved in float64 its error is the model's, not the test's.
  auto generator = make_generator(14);
  const auto type = type_of(kE3, "vector");
  const laws::RandomMlp phi(24, {8, 3}, generator);
  const auto frame = make_frame("pca", kE3, type.in);
  const auto model = [&](const Batch& b) {
    const Batch single(b.x.to(torch::kFloat32));
    return equivariant_average(type, (*frame)(single), phi, single).to(torch::kFloat64);
  };
  EXPECT_LT(laws::equivariance_error(type, model, normal({4, 8, 3}, 14), generator), 1e-5);
}

TEST(Pitfalls, P15_ABiasOnVectorsIsSeen) {
  const auto type = type_of(kE3, "vector");
  const auto biased = [](const Batch& b) {
    return b.x - b.x.mean(1, /*keepdim=*/true) + torch::tensor({0.1, 0.0, 0.0}, torch::kFloat64);
  };
  auto generator = make_generator(15);
  EXPECT_GT(laws::equivariance_error(type, biased, normal({4, 8, 3}, 15), generator), 1e-2);
}

TEST(Pitfalls, P16_DrawsPromiseOnlyDistribution) {
  const auto sampled = make_frame("sampled(k=2, base=pca)", kE3, kE3.type("point"));
  EXPECT_EQ(sampled->guarantee(), Guarantee::kInDistribution);
  EXPECT_EQ(make_frame("pca", kE3, kE3.type("point"))->guarantee(), Guarantee::kExact);
  EXPECT_FALSE((*sampled)(normal({1, 8, 3}, 16)).is_exact());
}

TEST(Pitfalls, P17_SymmetricInputsForceSymmetricOutputs) {
  // The centroid is the only point the cube's symmetries fix: a pooled vector must vanish.
  const Tensor cube = laws::symmetric_clouds(3)[1].points.unsqueeze(0);
  auto generator = make_generator(17);
  const laws::RandomSetNetwork nodes(3, 3, generator);
  const auto phi = [&](const Batch& batch) { return nodes(batch).mean(1); };
  const auto type = type_of(kE3, "vector");
  const auto frame = (*make_frame("minimal", kE3, type.in))(cube);
  EXPECT_LT(equivariant_average(type, frame, phi, cube).abs().max().item<double>(), 1e-12);
  const auto point = type_of(kE3, "point");
  EXPECT_LT(
      (equivariant_average(point, frame, phi, cube) - cube.mean(1)).abs().max().item<double>(),
      1e-12);
}

}  // namespace
}  // namespace equiframe
