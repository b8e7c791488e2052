#include "equiframe/averaging/frame_average.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "equiframe/averaging/make_equivariant.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/laws/laws.h"

namespace equiframe {
namespace {

torch::nn::Sequential network(int64_t in, int64_t out) {
  torch::manual_seed(1);
  torch::nn::Sequential net(torch::nn::Linear(in, 16), torch::nn::Tanh(),
                            torch::nn::Linear(16, out));
  net->to(torch::kFloat64);
  return net;
}

Tensor clouds(int64_t c = 3) {
  auto generator = make_generator(2);
  return torch::randn({4, 7, c}, generator, torch::kFloat64);
}

double error_of(Backbone& model, const EuclideanGroup& group, const char* in, const char* out,
                const Tensor& x) {
  const torch::NoGradGuard guard;
  auto generator = make_generator(3);
  const Symmetry<EuclideanGroup> type{group, group.type(in), group.type(out)};
  return laws::equivariance_error(
      type, [&](const Batch& batch) { return model.forward(batch); }, x, generator);
}

TEST(MakeEquivariant, TurnsAnyModuleIntoAnEquivariantOne) {
  const auto plain = as_backbone(network(3, 3));
  const auto model = make_equivariant(network(3, 3), {.group = "E(3)"});
  model->eval();
  EXPECT_GT(error_of(*plain, EuclideanGroup::E(3), "point", "point", clouds()), 0.1);
  EXPECT_LT(error_of(*model, EuclideanGroup::E(3), "point", "point", clouds()), 1e-12);
}

TEST(MakeEquivariant, RefusesInWords) {
  const auto refuses = [](const SymmetrySpec& spec, const std::string& part) {
    try {
      make_equivariant(network(3, 3), spec);
      FAIL() << part;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refuses({.group = "F(3)"}, "no group named 'F(3)'");
  refuses({.in = "pont"}, "did you mean 'point'");
  refuses({.frame = "pcaa"}, "did you mean 'pca'");
  refuses({.group = "S(4)"}, "type of S(n)");
  refuses({.group = "T(3)"}, "use 'mean'");
}

TEST(FrameAverage, IsAModuleWithTheBackbonesParameters) {
  const auto model = make_equivariant(network(3, 3), {});
  EXPECT_EQ(model->parameters().size(), 4U);
  EXPECT_TRUE(model->named_parameters().contains("backbone.module.0.weight"));
  torch::serialize::OutputArchive archive;
  EXPECT_NO_THROW(model->save(archive));
}

TEST(FrameAverage, TrainsEveryParameter) {
  const auto model = make_equivariant(network(3, 3), {});
  model->forward(clouds()).square().sum().backward();
  for (const auto& parameter : model->parameters()) {
    ASSERT_TRUE(parameter.grad().defined());
    EXPECT_GT(parameter.grad().abs().max().item<double>(), 0.0);
  }
}

/// F31: blocks chain, with new frames for latent vectors ("20 point" of the n-body network).
TEST(FrameAverage, BlocksComposeWithLatentFrames) {
  const auto first = make_equivariant(network(6, 12), {.in = "point + vector", .out = "4 vector"});
  const auto second =
      make_equivariant(network(12, 3), {.group = "O(3)", .in = "4 point", .out = "vector"});
  struct Chain final : Backbone {
    std::shared_ptr<Backbone> a, b;
    Tensor forward(const Batch& batch) override { return b->forward(a->forward(batch)); }
  } chain;
  chain.a = first;
  chain.b = second;
  EXPECT_LT(error_of(chain, EuclideanGroup::E(3), "point + vector", "vector", clouds(6)), 1e-12);
}

/// Averaging over one group keeps another that the first leaves alone: nesting.
TEST(FrameAverage, BlocksNest) {
  const auto inner = make_equivariant(network(3, 3), {.group = "SO(3)", .out = "vector"});
  const auto outer =
      make_equivariant(inner, {.group = "T(3)", .in = "point", .out = "point", .frame = "mean"});
  EXPECT_LT(error_of(*outer, EuclideanGroup::SE(3), "point", "point", clouds()), 1e-12);
}

TEST(FrameAverage, SampledFramesChangeInTrainingAndStayInEval) {
  const torch::NoGradGuard guard;
  const auto model = make_equivariant(network(3, 3), {.frame = "sampled(k=1, base=pca)"});
  const Tensor x = clouds();
  model->train();
  EXPECT_FALSE(model->forward(x).equal(model->forward(x)));
  model->eval();
  EXPECT_TRUE(model->forward(x).equal(model->forward(x)));
}

TEST(FrameAverage, RunsInFloat32) {
  const auto model = make_equivariant(network(3, 3), {});
  model->to(torch::kFloat32);
  model->eval();
  const torch::NoGradGuard guard;
  EXPECT_EQ(model->forward(clouds().to(torch::kFloat32)).scalar_type(), torch::kFloat32);
}

}  // namespace
}  // namespace equiframe
