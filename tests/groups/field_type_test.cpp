#include "equiframe/groups/field_type.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/groups/euclidean.h"

namespace equiframe {
namespace {

using Kind = FieldType::Kind;

std::string refusal(const std::string& text) {
  try {
    FieldType::parse(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(FieldType, ParsesAndPrints) {
  const FieldType type = FieldType::parse("point+2 vector + 3scalars");
  EXPECT_EQ(type.str(), "point + 2 vector + 3 scalar");
  EXPECT_EQ(FieldType::parse(type.str()), type);
  EXPECT_EQ(type.channels(3), 12);
  EXPECT_EQ(type.channels(2), 9);
  EXPECT_EQ(FieldType::parse("tensor + pseudovector + pseudoscalar").channels(3), 13);
}

TEST(FieldType, RefusesWithASentenceThatHelps) {
  EXPECT_NE(refusal("2 vectr").find("did you mean 'vector'"), std::string::npos);
  EXPECT_NE(refusal("point +").find("point + 2 vector + 3 scalar"), std::string::npos);
  EXPECT_NE(refusal("0 vector").find("at least 1"), std::string::npos);
  EXPECT_NE(refusal("").find("no field named ''"), std::string::npos);
  EXPECT_NE(refusal("99999999999 scalar").find("too large"), std::string::npos);
}

TEST(FieldType, SaysWhatChannelsWouldBeRight) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  try {
    group.act(group.type("point + vector"), group.identity(), torch::zeros({4, 7}));
    FAIL() << "expected a UserError";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "type 'point + vector' in 3 dimensions has 6 channels, but the tensor's last axis "
                 "has 7; add '+ 1 scalar' if the rest is invariant");
  }
}

TEST(FieldType, SelectsFieldsOfOneKind) {
  const Tensor x = torch::arange(10.0).view({1, 10});
  const FieldType type = FieldType::parse("vector + 2 scalar + vector + 2 pseudoscalar");
  const Tensor vectors = type.select(Kind::kVector, 3, x);
  EXPECT_TRUE(
      vectors.equal(torch::tensor({0., 1., 2., 5., 6., 7.}).view({1, 2, 3}).to(torch::kFloat)));
  EXPECT_TRUE(type.select(Kind::kPseudoscalar, 3, x).equal(x.narrow(1, 8, 2)));
}

TEST(FieldType, ACrossProductIsAPseudovector) {
  const EuclideanGroup group = EuclideanGroup::O(3);
  auto generator = make_generator(1);
  const auto g = group.sample(20, generator);
  const Tensor a = torch::randn({20, 3}, generator, torch::kFloat64);
  const Tensor b = torch::randn({20, 3}, generator, torch::kFloat64);
  const FieldType vector = group.type("vector");
  const Tensor moved = torch::cross(group.act(vector, g, a), group.act(vector, g, b), 1);
  const Tensor cross = torch::cross(a, b, 1);
  EXPECT_LT((moved - group.act(group.type("pseudovector"), g, cross)).abs().max().item<double>(),
            1e-13);
  EXPECT_GT((moved - group.act(vector, g, cross)).abs().max().item<double>(), 0.1);
}

TEST(FieldType, ATensorCarriesAnUnorientedDirection) {
  const EuclideanGroup group = EuclideanGroup::O(3);
  auto generator = make_generator(2);
  const auto g = group.sample(20, generator);
  const Tensor n = torch::randn({20, 3}, generator, torch::kFloat64);
  const auto outer = [](const Tensor& v) {
    return v.unsqueeze(-1).mul(v.unsqueeze(-2)).flatten(1);
  };
  const Tensor moved = group.act(group.type("tensor"), g, outer(n));
  EXPECT_LT((moved - outer(group.act(group.type("vector"), g, n))).abs().max().item<double>(),
            1e-13);
  EXPECT_TRUE(outer(n).equal(outer(-n)));  // no sign to cancel
}

TEST(FieldType, PseudoscalarsFlipUnderReflections) {
  const EuclideanGroup group = EuclideanGroup::O(2);
  const EuclideanGroup::Element mirror{torch::diag(torch::tensor({1.0, -1.0}, torch::kFloat64)),
                                       torch::zeros({2}, torch::kFloat64)};
  const Tensor s = torch::ones({1}, torch::kFloat64);
  EXPECT_EQ(group.act(group.type("pseudoscalar"), mirror, s).item<double>(), -1.0);
  EXPECT_EQ(group.act(group.type("scalar"), mirror, s).item<double>(), 1.0);
}

TEST(FieldType, CentresBeforeItRotates) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  auto generator = make_generator(3);
  const auto rotation = group.sample(1, generator);
  const Tensor extent = torch::randn({1, 20, 3}, generator, torch::kFloat64);
  const EuclideanGroup::Element far{rotation.linear.to(torch::kFloat32),
                                    torch::full({1, 3}, 65536.0, torch::kFloat64)};
  const Tensor x = (extent + 65536.0).to(torch::kFloat32);
  const Tensor exact = (x.to(torch::kFloat64) - 65536.0).matmul(rotation.linear);
  const Tensor framed = group.act_inverse(group.type("point"), far, x);
  EXPECT_EQ(framed.scalar_type(), torch::kFloat32);
  EXPECT_LT((framed.to(torch::kFloat64) - exact).abs().max().item<double>(), 1e-5);
}

}  // namespace
}  // namespace equiframe
