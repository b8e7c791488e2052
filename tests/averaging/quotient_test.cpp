#include "equiframe/averaging/quotient.h"

#include <map>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/frames/frame.h"
#include "equiframe/frames/generic.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/laws/laws.h"
#include "equiframe/laws/zoo.h"
#include "frames/permutation/labelling/automorphisms.h"
#include "frames/stabilizer.h"

namespace equiframe {
namespace {

/// Counts evaluations of a random network.
struct Counter {
  laws::RandomMlp phi;
  int64_t count = 0;
  Tensor operator()(const Batch& batch) {
    count += batch.size();
    return phi(batch);
  }
};

TEST(Stabilizer, OfOrderedCloudsIsTheirReflection) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  auto generator = make_generator(1);
  Tensor x = torch::randn({2, 6, 3}, generator, torch::kFloat64);
  x[1].select(1, 2).zero_();
  const auto of = [&](int64_t item, PointOrder order) {
    return stabilizer(group, group.type("point"), x, item, order).linear.size(0);
  };
  EXPECT_EQ(of(0, PointOrder::kFixed), 1);
  EXPECT_EQ(of(1, PointOrder::kFixed), 2);
  const Tensor cube = laws::symmetric_clouds(3)[1].points.unsqueeze(0);
  EXPECT_EQ(stabilizer(group, group.type("point"), cube, 0, PointOrder::kFree).linear.size(0), 48);
  EXPECT_EQ(stabilizer(group, group.type("point"), cube, 0, PointOrder::kFixed).linear.size(0), 1);
}

TEST(Stabilizer, FixesTheCloudAsASet) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  for (const auto& [name, points] : laws::symmetric_clouds(3)) {
    const auto all =
        stabilizer(group, group.type("point"), points.unsqueeze(0), 0, PointOrder::kFree);
    const Tensor moved = group.act(group.type("point"), all,
                                   points.unsqueeze(0).expand({all.linear.size(0), -1, -1}));
    const Tensor distance = (moved.unsqueeze(2) - points.view({1, 1, -1, 3})).norm(2, 3);
    EXPECT_LT(std::get<0>(distance.min(2)).max().item<double>(), 1e-9) << name;
  }
}

TEST(Stabilizer, OfFiniteGroupsIsFoundByTrying) {
  const PlanarGroup d4 = PlanarGroup::D(4);
  const Tensor x = torch::tensor({1.0, 0.0}, torch::kFloat64).view({1, 1, 2});  // on a mirror axis
  EXPECT_EQ(stabilizer(d4, d4.type("vector"), Batch(x), 0).size(0), 2);
}

/// Theorem 3: F(X) is a disjoint union of classes of the size of the stabiliser.
TEST(Quotient, ClassesHaveTheSizeOfTheStabilizer) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  auto generator = make_generator(2);
  Tensor x = torch::randn({2, 6, 3}, generator, torch::kFloat64);
  x[1].select(1, 2).zero_();
  const auto frame = (*make_frame("pca", group, group.type("point")))(x);
  std::vector<EuclideanGroup::Element> stabilizers;
  for (int64_t b = 0; b < 2; ++b)
    stabilizers.push_back(stabilizer(group, group.type("point"), x, b, PointOrder::kFixed));
  const auto classes = quotient(group, frame, stabilizers, 1e-9);
  EXPECT_EQ(classes.class_count()[0].item<int64_t>(), 8);
  EXPECT_EQ(classes.class_count()[1].item<int64_t>(), 4);
  for (int64_t b = 0; b < 2; ++b) {
    const auto counts = std::get<2>(at::unique_dim(classes.class_of[b], 0, true, false, true));
    EXPECT_EQ(counts.min().item<int64_t>(), counts.max().item<int64_t>());
  }
}

TEST(Quotient, AveragingOverClassesEqualsAveragingOverTheFrame) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  auto generator = make_generator(3);
  Tensor x = torch::randn({2, 6, 3}, generator, torch::kFloat64);
  x[1].select(1, 2).zero_();
  const auto frame = (*make_frame("pca", group, group.type("point")))(x);
  std::vector<EuclideanGroup::Element> stabilizers;
  for (int64_t b = 0; b < 2; ++b)
    stabilizers.push_back(stabilizer(group, group.type("point"), x, b, PointOrder::kFixed));
  const auto classes = quotient(group, frame, stabilizers, 1e-9);
  for (const char* out : {"scalar", "point"}) {
    const Symmetry<EuclideanGroup> type{group, group.type("point"), group.type(out)};
    Counter counter{laws::RandomMlp(18, {6, type.out.channels(3)}, generator)};
    const Tensor fast = quotient_average(type, classes, counter, x);
    EXPECT_EQ(counter.count, 8 + 4) << out;
    EXPECT_LT(laws::relative_difference(fast, equivariant_average(type, frame, counter.phi, x)),
              1e-12)
        << out;
  }
}

/// Eq. 6 on graphs, with the automorphism group from nauty; m_F = |F| / |Aut|.
TEST(Quotient, OfTheSortingFrameByAutomorphisms) {
  auto generator = make_generator(4);
  for (const auto& graph : laws::graphs(generator)) {
    const Batch x = laws::as_batch(graph);
    const int64_t n = x.nodes();
    const SymmetricGroup group(n);
    const auto frame = (*make_frame("laplacian", group, group.type("node")))(x);
    if (!frame.is_exact()) continue;
    const Tensor automorphism_list = automorphisms(x, 0).elements(100000);
    const auto classes = quotient(group, frame, {automorphism_list}, 0.0);
    const auto size = (frame.weights[0] > 0).sum().item<int64_t>();
    EXPECT_EQ(classes.class_count()[0].item<int64_t>() * automorphism_list.size(0), size)
        << graph.name;
    const Symmetry<SymmetricGroup> type{group, group.type("node"), group.type("node")};
    Counter counter{laws::RandomMlp(n + n * n, {n, 2}, generator)};
    const Tensor fast = quotient_average(type, classes, counter, x);
    EXPECT_EQ(counter.count, classes.class_count()[0].item<int64_t>()) << graph.name;
    EXPECT_LT(laws::relative_difference(fast, equivariant_average(type, frame, counter.phi, x)),
              1e-12)
        << graph.name;
  }
}

/// Corollary 1: a uniform draw from F(X) falls into each class with equal probability.
TEST(Quotient, DrawsFallUniformlyIntoClasses) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  auto generator = make_generator(5);
  Tensor x = torch::randn({1, 6, 3}, generator, torch::kFloat64);
  x.select(2, 2).zero_();
  const auto frame = (*make_frame("pca", group, group.type("point")))(x);
  const auto classes =
      quotient(group, frame, {stabilizer(group, group.type("point"), x, 0, PointOrder::kFixed)},
               1e-9)
          .class_of[0];
  std::map<int64_t, int> counts;
  constexpr int kDraws = 8000;
  for (uint64_t i = 0; i < kDraws; ++i) {
    const Tensor position =
        draw_positions(frame.weights, 1, torch::zeros({1}, torch::kInt64), {9, i});
    ++counts[classes[position[0][0].item<int64_t>()].item<int64_t>()];
  }
  double chi_square = 0;
  for (const auto& [label, count] : counts)
    chi_square += (count - kDraws / 4.0) * (count - kDraws / 4.0) / (kDraws / 4.0);
  EXPECT_EQ(counts.size(), 4U);
  EXPECT_LT(chi_square, 16.3);  // 3 degrees of freedom, p = 0.001
}

}  // namespace
}  // namespace equiframe
