#include "equiframe/frames/generic.h"

#include <map>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/laws/laws.h"

namespace equiframe {
namespace {

const EuclideanGroup kE3 = EuclideanGroup::E(3);

Tensor clouds(int64_t b, uint64_t seed = 1) {
  auto generator = make_generator(seed);
  return torch::randn({b, 8, 3}, generator, torch::kFloat64);
}

TEST(Registry, HoldsTheFramesOfTheDocumentation) {
  EXPECT_EQ(Frames<EuclideanGroup>::instance().names(),
            (std::vector<std::string>{"identity", "mean", "minimal", "pca", "sampled", "whole"}));
  EXPECT_EQ(Frames<SymmetricGroup>::instance().names(),
            (std::vector<std::string>{"canonical", "identity", "laplacian", "sampled", "whole"}));
  EXPECT_EQ(Frames<PlanarGroup>::instance().names(),
            (std::vector<std::string>{"identity", "sampled", "whole"}));
}

TEST(SampledFrame, DrawsDoNotDependOnTheBatch) {
  const Tensor x = clouds(6);
  const auto frame = make_frame("sampled(k=3, base=pca)", kE3, kE3.type("point"));
  const auto together = (*frame)(x, {7, 1});
  for (int64_t b = 0; b < 6; ++b) {
    const auto alone = (*frame)(x.narrow(0, b, 1), {7, 1});
    EXPECT_TRUE(alone.elements.linear[0].equal(together.elements.linear[b])) << b;
  }
}

TEST(SampledFrame, ItemsHaveDrawsOfTheirOwn) {
  const Tensor x = clouds(40);
  const auto frame = make_frame("sampled(k=1, base=pca)", kE3, kE3.type("point"));
  const auto full = make_frame("pca", kE3, kE3.type("point"));
  const Tensor drawn = (*frame)(x, {}).elements.linear;
  const Tensor distance =
      (drawn - (*full)(x, {}).elements.linear).flatten(2).norm(2, 2);  // [40, 8]
  const Tensor chosen = distance.argmin(1);
  EXPECT_GT(std::get<0>(at::_unique(chosen)).numel(), 5) << "one shared draw for the batch";
}

TEST(SampledFrame, StreamsChangeTheDrawAndSeedsRepeatIt) {
  const Tensor x = clouds(8);
  const auto frame = make_frame("sampled(k=1, base=pca)", kE3, kE3.type("point"));
  EXPECT_TRUE((*frame)(x, {1, 1}).elements.linear.equal((*frame)(x, {1, 1}).elements.linear));
  EXPECT_FALSE((*frame)(x, {1, 1}).elements.linear.equal((*frame)(x, {1, 2}).elements.linear));
}

TEST(SampledFrame, IsExactOnceAllElementsAreDrawn) {
  const Tensor x = clouds(3);
  const auto all = make_frame("sampled(k=8, base=pca)", kE3, kE3.type("point"));
  const auto some = make_frame("sampled(k=7, base=pca)", kE3, kE3.type("point"));
  const auto full = (*make_frame("pca", kE3, kE3.type("point")))(x);
  EXPECT_TRUE((*all)(x, {}).is_exact());
  EXPECT_LT(frame_set_distance(kE3, (*all)(x, {}), full).max().item<double>(), 1e-15);
  EXPECT_FALSE((*some)(x, {}).is_exact());
}

/// Without replacement: two draws are never the same element, and each pair is equally likely.
TEST(SampledFrame, DrawsWithoutReplacement) {
  const Tensor weights = torch::full({1, 4}, 0.25, torch::kFloat64);
  const Tensor key = torch::zeros({1}, torch::kInt64);
  std::map<std::pair<int64_t, int64_t>, int> pairs;
  constexpr int kDraws = 6000;
  for (uint64_t i = 0; i < kDraws; ++i) {
    const Tensor two = draw_positions(weights, 2, key, {3, i});
    int64_t a = two[0][0].item<int64_t>(), b = two[0][1].item<int64_t>();
    ASSERT_NE(a, b);
    ++pairs[std::minmax(a, b)];
  }
  double chi_square = 0;
  for (const auto& [pair, count] : pairs)
    chi_square += (count - kDraws / 6.0) * (count - kDraws / 6.0) / (kDraws / 6.0);
  EXPECT_EQ(pairs.size(), 6U);
  EXPECT_LT(chi_square, 20.5);  // 5 degrees of freedom, p = 0.001
}

TEST(SampledFrame, NeverDrawsPadding) {
  const Tensor weights = torch::tensor({0.5, 0.0, 0.5, 0.0}, torch::kFloat64).unsqueeze(0);
  for (uint64_t i = 0; i < 50; ++i) {
    const Tensor drawn = draw_positions(weights, 3, torch::zeros({1}, torch::kInt64), {1, i})[0];
    EXPECT_EQ(drawn[2].item<int64_t>(), -1);
    EXPECT_NE(drawn[0].item<int64_t>() % 2, 1);
    EXPECT_NE(drawn[1].item<int64_t>() % 2, 1);
  }
}

TEST(WholeFrame, ListsFiniteGroupsAndDrawsFromTheRest) {
  const PlanarGroup d6 = PlanarGroup::D(6);
  const Batch flat(torch::zeros({2, 3, 2}, torch::kFloat64));
  EXPECT_EQ((*make_frame("whole", d6, d6.type("vector")))(flat).size(), 12);
  const EuclideanGroup so3 = EuclideanGroup::SO(3);
  const auto drawn = (*make_frame("whole(samples=5)", so3, so3.type("vector")))(clouds(2));
  EXPECT_EQ(drawn.size(), 5);
  EXPECT_FALSE(drawn.is_exact());
  EXPECT_THROW(make_frame("whole", kE3, kE3.type("point")), UserError);  // not compact
  EXPECT_THROW(make_frame("whole(samples=0)", so3, so3.type("vector")), UserError);
}

/// F11: Monte-Carlo group averaging converges like k^(-1/2).
TEST(WholeFrame, MonteCarloErrorFallsAsTheSquareRoot) {
  const EuclideanGroup so3 = EuclideanGroup::SO(3);
  const Symmetry<EuclideanGroup> symmetry{so3, so3.type("vector"), so3.type("scalar")};
  auto generator = make_generator(3);
  const laws::RandomMlp phi(24, {1}, generator);
  const Tensor x = clouds(1);
  const auto spread = [&](int64_t k) {
    std::vector<double> values;
    const auto frame = make_frame(c10::str("whole(samples=", k, ")"), so3, symmetry.in);
    for (uint64_t i = 0; i < 60; ++i)
      values.push_back(equivariant_average(symmetry, (*frame)(x, {5, i}), phi, x).item<double>());
    return torch::tensor(values, torch::kFloat64).std().item<double>();
  };
  const double ratio = spread(4) / spread(64);  // expected 4
  EXPECT_GT(ratio, 2.5);
  EXPECT_LT(ratio, 6.5);
}

TEST(IdentityFrame, PromisesNothingAndFailsTheLaw) {
  const auto frame = make_frame("identity", kE3, kE3.type("point"));
  EXPECT_EQ(frame->guarantee(), Guarantee::kNone);
  auto generator = make_generator(4);
  EXPECT_GT(laws::frame_equivariance_error(kE3, *frame, kE3.type("point"), clouds(2), generator),
            0.1);
}

TEST(MakeFrame, RefusesUnknownNamesAndOptions) {
  EXPECT_THROW(make_frame("pac", kE3, kE3.type("point")), UserError);
  EXPECT_THROW(make_frame("identity(k=1)", kE3, kE3.type("point")), UserError);
  EXPECT_THROW(make_frame("sampled(k=0)", kE3, kE3.type("point")), UserError);
  EXPECT_THROW(make_frame("minimal(gradient=exact)", kE3, kE3.type("point")), UserError);
}

}  // namespace
}  // namespace equiframe
