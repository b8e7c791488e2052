#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/averaging/make_equivariant.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/laws/zoo.h"

namespace equiframe {
namespace {

using torch::IValue;

/// An operator of the library by name, called as TorchScript calls it.
torch::jit::Stack call(const std::string& name, torch::jit::Stack stack) {
  c10::Dispatcher::singleton()
      .findSchemaOrThrow(("equiframe::" + name).c_str(), "")
      .callBoxed(&stack);
  return stack;
}

torch::jit::Stack frame_rows(const Tensor& x, const std::string& group, const std::string& type,
                             const std::string& frame) {
  return call("frame_rows", {x, IValue(), group, type, frame, int64_t{0}, int64_t{0}});
}

std::string sentence_of(const std::string& name, torch::jit::Stack stack) {
  try {
    call(name, std::move(stack));
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

class SetBackbone final : public Backbone {
 public:
  explicit SetBackbone(laws::RandomSetNetwork network) : network_(std::move(network)) {}
  Tensor forward(const Batch& batch) override { return network_(batch); }

 private:
  laws::RandomSetNetwork network_;
};

TEST(Operators, AverageOfOperatorsIsThatOfTheLibrary) {
  auto generator = make_generator(1);
  const Tensor x = torch::randn({3, 7, 6}, generator, torch::kFloat64);
  const laws::RandomSetNetwork network(6, 3, generator);
  for (const std::string frame : {"pca", "minimal", "sampled(k=2, base=pca)"}) {
    const auto rows = frame_rows(x, "SE3", "point + vector", frame);
    const Tensor linear = rows[0].toTensor(), shift = rows[1].toTensor(),
                 weights = rows[2].toTensor(), items = rows[3].toTensor();
    const Tensor framed =
        call("framed", {x, linear, shift, items, "SE3", "point + vector"})[0].toTensor();
    const Tensor y = call("combine", {network(Batch(framed)), linear, shift, weights, items,
                                      int64_t{3}, "SE3", "vector"})[0]
                         .toTensor();
    const auto model = make_equivariant(std::make_shared<SetBackbone>(network),
                                        {"SE(3)", "point + vector", "vector", frame});
    model->eval();
    EXPECT_LT((y - model->forward(x)).abs().max().item<double>(), 1e-13) << frame;
  }
}

TEST(Operators, RowsThatAreNotInOrderGiveTheSame) {
  auto generator = make_generator(2);
  const Tensor x = torch::randn({3, 5, 3}, generator, torch::kFloat64);
  const auto rows = frame_rows(x, "E3", "point", "pca");
  const Tensor order = torch::randperm(24, generator, torch::kInt64);
  const auto pick = [&](size_t k) { return rows[k].toTensor().index_select(0, order); };
  const auto average = [&](const Tensor& linear, const Tensor& shift, const Tensor& weights,
                           const Tensor& items) {
    const Tensor framed = call("framed", {x, linear, shift, items, "E3", "point"})[0].toTensor();
    return call("combine",
                {framed.sin(), linear, shift, weights, items, int64_t{3}, "E3", "point"})[0]
        .toTensor();
  };
  const Tensor straight =
      average(rows[0].toTensor(), rows[1].toTensor(), rows[2].toTensor(), rows[3].toTensor());
  EXPECT_LT((average(pick(0), pick(1), pick(2), pick(3)) - straight).abs().max().item<double>(),
            1e-13);
}

TEST(Operators, ActIsTheActionOfTheGroup) {
  auto generator = make_generator(3);
  const EuclideanGroup group = EuclideanGroup::E(3);
  const auto g = group.sample(4, generator);
  const Tensor x = torch::randn({1, 5, 6}, generator, torch::kFloat64);
  const FieldType type = group.type("point + pseudovector");
  const Tensor expected = group.act(type, g, x.expand({4, 5, 6}));
  const Tensor moved =
      call("act", {x, g.linear, g.shift, "E(3)", "point + pseudovector"})[0].toTensor();
  EXPECT_TRUE(moved.equal(expected));
  const Tensor back =
      call("act_inverse", {moved, g.linear, g.shift, "E(3)", "point + pseudovector"})[0].toTensor();
  EXPECT_LT((back - x).abs().max().item<double>(), 1e-13);
}

TEST(Operators, PermutationsAreElementsToo) {
  const auto drawn = call("sample", {"S(6)", int64_t{2}, int64_t{1}});
  const Tensor x = torch::arange(12, torch::kFloat64).view({2, 6, 1});
  const Tensor moved = call("act", {x, drawn[0], drawn[1], "S(6)", "node"})[0].toTensor();
  EXPECT_FALSE(moved.equal(x));
  EXPECT_TRUE(
      call("act_inverse", {moved, drawn[0], drawn[1], "S(6)", "node"})[0].toTensor().equal(x));
}

TEST(Operators, ReflectionsHaveNegativeDeterminant) {
  for (const int64_t d : {1, 2, 3, 5}) {
    const auto drawn = call("sample_reflections", {d, int64_t{10}, int64_t{1}});
    const Tensor determinants = torch::linalg_det(drawn[0].toTensor());
    EXPECT_LT((determinants + 1).abs().max().item<double>(), 1e-12) << d;
  }
}

TEST(Operators, ShapesAreKnownWithoutData) {
  const Tensor x = torch::empty({5, 9, 3}, torch::device(torch::kMeta));
  const auto frame = call("frame", {x, IValue(), "E3", "point", "pca", int64_t{0}, int64_t{0}});
  EXPECT_EQ(frame[0].toTensor().sizes(), (std::vector<int64_t>{5, 8, 3, 3}));
  EXPECT_EQ(frame[2].toTensor().sizes(), (std::vector<int64_t>{5, 8}));
  const auto rows = frame_rows(x, "SE3", "point", "minimal");
  EXPECT_EQ(rows[0].toTensor().sizes(), (std::vector<int64_t>{5, 3, 3}));
}

TEST(Operators, MistakesAreOneSentence) {
  const Tensor x = torch::randn({2, 5, 3});
  const auto frame = [&](const Tensor& input, const std::string& group, const std::string& name) {
    return sentence_of("frame", {input, IValue(), group, "point", name, int64_t{0}, int64_t{0}});
  };
  EXPECT_NE(frame(x, "E3", "pcaa").find("did you mean 'pca'"), std::string::npos);
  EXPECT_NE(frame(x, "D4", "pca").find("not D(4)"), std::string::npos);
  const std::string shape = frame(x[0], "E3", "pca");
  EXPECT_NE(shape.find("must be [B, N, C]"), std::string::npos) << shape;
  EXPECT_EQ(shape.find('\n'), std::string::npos) << shape;
  const auto drawn = call("sample", {"E3", int64_t{3}, int64_t{1}});
  EXPECT_NE(sentence_of("act", {x, drawn[0], drawn[1], "E3", "point"}).find("must be 3 or 1"),
            std::string::npos);
}

TEST(Operators, CosetsAreNotPassedOffAsElements) {
  const Tensor graph = torch::ones({1, 4, 4, 1}, torch::kFloat64);
  const auto frame = [&](const std::string& name) -> torch::jit::Stack {
    return {graph, IValue(), "S(4)", "pair", name, int64_t{0}, int64_t{0}};
  };
  EXPECT_NE(sentence_of("frame", frame("canonical")).find("stabilizer=list"), std::string::npos);
  EXPECT_EQ(call("frame", frame("canonical(stabilizer=list)"))[0].toTensor().sizes(),
            (std::vector<int64_t>{1, 24, 4}));
}

TEST(Operators, GradientsFlowWhereAskedFor) {
  const Tensor x = torch::randn({2, 5, 3}, torch::requires_grad());
  const Tensor linear =
      call("frame", {x, IValue(), "SO3", "point", "pca(gradient=exact)", int64_t{0}, int64_t{0}})[0]
          .toTensor();
  EXPECT_TRUE(linear.requires_grad());
  const torch::NoGradGuard no_grad;
  EXPECT_FALSE(
      call("frame", {x, IValue(), "SO3", "point", "pca(gradient=exact)", int64_t{0}, int64_t{0}})[0]
          .toTensor()
          .requires_grad());
}

}  // namespace
}  // namespace equiframe
