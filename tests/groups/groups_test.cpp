#include <set>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/groups/product.h"

namespace equiframe {
namespace {

std::string name_of(const std::string& text) {
  return std::visit([](const auto& group) { return group.name(); }, parse_group(text));
}

TEST(ParseGroup, ReadsEveryNotation) {
  for (const char* name :
       {"T(1)", "O(2)", "SO(3)", "E(4)", "SE(7)", "S(8)", "C(4)", "D(6)", "flips(3)"})
    EXPECT_EQ(name_of(name), name);
  EXPECT_EQ(name_of("E3"), "E(3)");
  EXPECT_EQ(name_of("S_8"), "S(8)");
  EXPECT_EQ(name_of(" SE ( 2 ) "), "SE(2)");
}

TEST(ParseGroup, RefusesWhatIsNone) {
  for (const char* text :
       {"", "E", "X(3)", "E(0)", "S(0)", "C(0)", "flips(99)", "E(3)+T(2)", "E(12345678901)"})
    EXPECT_THROW(parse_group(text), UserError) << text;
}

TEST(EuclideanGroup, SamplesHaveTheRightDeterminants) {
  auto generator = make_generator(1);
  for (const int64_t d : {1, 2, 3, 5}) {
    const Tensor o = torch::linalg_det(EuclideanGroup::O(d).sample(200, generator).linear);
    const Tensor so = torch::linalg_det(EuclideanGroup::SO(d).sample(200, generator).linear);
    EXPECT_LT((so - 1).abs().max().item<double>(), 1e-12) << d;
    EXPECT_LT((o.abs() - 1).abs().max().item<double>(), 1e-12) << d;
    EXPECT_LT(o.min().item<double>(), -0.5) << "no reflection among 200 draws, d = " << d;
    EXPECT_GT(o.max().item<double>(), 0.5) << d;
  }
}

/// Haar measure: the first column of a random rotation is uniform on the sphere, so its moments are
/// those of the sphere; a QR without the sign rule fails the first.
TEST(EuclideanGroup, RotationsAreHaar) {
  auto generator = make_generator(2);
  constexpr int64_t kDraws = 20000;
  const Tensor r = EuclideanGroup::SO(3).sample(kDraws, generator).linear;
  EXPECT_LT(r.mean(0).abs().max().item<double>(), 0.02);
  EXPECT_LT((r.square().mean(0) - 1.0 / 3).abs().max().item<double>(), 0.02);
  const Tensor trace = r.diagonal(0, 1, 2).sum(1);
  EXPECT_NEAR(trace.square().mean().item<double>(), 1.0, 0.05);  // one invariant in R^3 x R^3
}

TEST(EuclideanGroup, DrawsComeFromTheGeneratorAlone) {
  auto a = make_generator(5), b = make_generator(5);
  torch::manual_seed(1);
  const Tensor first = EuclideanGroup::E(3).sample(4, a).linear;
  torch::manual_seed(2);
  EXPECT_TRUE(first.equal(EuclideanGroup::E(3).sample(4, b).linear));
}

TEST(SymmetricGroup, MatchesPermutationMatrices) {
  const SymmetricGroup group(5);
  auto generator = make_generator(3);
  const Tensor g = group.sample(1, generator)[0], h = group.sample(1, generator)[0];
  const auto matrix = [](const Tensor& sigma) {  // P_ij = 1 iff i = sigma(j)
    const Tensor p = torch::zeros({5, 5}, torch::kFloat64);
    for (int64_t j = 0; j < 5; ++j) p[sigma[j].item<int64_t>()][j] = 1;
    return p;
  };
  const Tensor x = torch::randn({5, 2}, generator, torch::kFloat64);
  const Tensor a = torch::randn({5, 5, 1}, generator, torch::kFloat64);
  EXPECT_TRUE(group.act(group.type("node"), g, x).equal(matrix(g).matmul(x)));
  const Tensor p = matrix(g);
  EXPECT_TRUE(
      group.act(group.type("pair"), g, a).squeeze(-1).equal(p.matmul(a.squeeze(-1)).matmul(p.t())));
  EXPECT_TRUE(matrix(group.compose(g, h)).equal(matrix(g).matmul(matrix(h))));
  EXPECT_TRUE(matrix(group.inverse(g)).equal(matrix(g).t()));
}

TEST(SymmetricGroup, MovesEveryPartOfABatch) {
  const SymmetricGroup group(3);
  Batch batch(torch::arange(3.0).view({1, 3, 1}));
  batch.pair = torch::arange(9.0).view({1, 3, 3, 1});
  batch.mask = torch::tensor({true, true, false}).view({1, 3});
  const Tensor g = torch::tensor({2, 0, 1}, torch::kInt64).unsqueeze(0);  // 0->2, 1->0, 2->1
  const Batch moved = group.act(group.type("node"), g, batch);
  EXPECT_TRUE(moved.x.flatten().equal(torch::tensor({1.f, 2.f, 0.f})));
  EXPECT_TRUE(moved.mask.flatten().equal(torch::tensor({true, false, true})));
  EXPECT_EQ((moved.pair[0][2][0].item<float>()), (batch.pair[0][0][1].item<float>()));
  const Batch back = group.act_inverse(group.type("node"), g, moved);
  EXPECT_TRUE(back.pair.equal(batch.pair));
}

TEST(SymmetricGroup, ListsAndRefuses) {
  EXPECT_EQ(SymmetricGroup(5).elements().size(0), 120);
  EXPECT_THROW(SymmetricGroup(10).elements(), UserError);
  EXPECT_THROW(SymmetricGroup(3).type("vector"), UserError);
  EXPECT_THROW(
      SymmetricGroup(3).act(PermutationType::parse("node"), torch::arange(3), torch::zeros({4, 2})),
      c10::Error);
}

/// Finite groups close: every product of listed elements is listed.
template <FiniteGroup G>
void expect_closed(const G& group) {
  const auto all = group.elements();
  const auto rows = map_parts(all, [](const Tensor& part) { return part.unsqueeze(1); });
  const auto columns = map_parts(all, [](const Tensor& part) { return part.unsqueeze(0); });
  const auto products =
      map_parts(group.compose(rows, columns), [](const Tensor& part) { return part.unsqueeze(2); });
  const Tensor nearest = std::get<0>(group.distance(products, all).min(2));
  EXPECT_EQ(nearest.max().template item<double>(), 0.0) << group.name();
  EXPECT_EQ(static_cast<double>(nearest.size(0)), group.order()) << group.name();
}

TEST(FiniteGroups, Close) {
  expect_closed(PlanarGroup::C(5));
  expect_closed(PlanarGroup::D(4));
  expect_closed(SignFlips(3));
  expect_closed(SymmetricGroup(4));
  expect_closed(ProductGroup(PlanarGroup::D(3), SignFlips(2)));
}

TEST(PlanarGroup, QuarterTurnsAreExact) {
  const PlanarGroup group = PlanarGroup::C(4);
  const Tensor quarter = group.matrix(torch::tensor(1, torch::kInt64));
  EXPECT_TRUE(quarter.equal(torch::tensor({0., -1., 1., 0.}, torch::kFloat64).view({2, 2})));
}

TEST(ProductGroup, RefusesATypeOfOneFactor) {
  const ProductGroup group(EuclideanGroup::E(3), SymmetricGroup(4));
  EXPECT_EQ(group.name(), "E(3) x S(4)");
  EXPECT_EQ(group.type("point & node").str(), "point & node");
  EXPECT_THROW(group.type("point"), UserError);
}

}  // namespace
}  // namespace equiframe
