/// Wrapped models of several arguments and results, in parts, and drawn.
#include <gtest/gtest.h>
#include <torch/script.h>

#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/torchscript/wrap.h"

namespace equiframe {
namespace {

Tensor weight(int64_t rows, int64_t columns, uint64_t seed) {
  return torch::randn({rows, columns}, make_generator(seed));
}

/// Points with two numbers, velocities, a number for each item, and the names of the items, which
/// nobody may touch; a point for each node and a number for each item come out.
ScriptModel several() {
  torch::jit::Module module("Several");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("a", weight(9, 8, 1), false);
  module.register_parameter("b", weight(8, 3, 2), false);
  module.register_parameter("c", weight(8, 1, 3), false);
  module.define(R"(
def forward(self, x, v, edge, table, scale: float = 0.5) -> Tuple[Tensor, Tensor]:
    h = torch.tanh(torch.cat([x, v, edge.expand(-1, x.size(1), -1)], 2) @ self.a + table[0])
    return h @ self.b * scale, (h @ self.c).mean(1)
)");
  return ScriptModel(module);
}

WrapOptions several_options() {
  WrapOptions options;
  options.call.group = "E3";
  for (const char* text : {"v=vector", "x=point + 2 scalar", "edge=scalar", "table=untouched"})
    options.call.in.push_back(parse_typed_argument(text));
  options.call.out = {parse_typed_argument("point"), parse_typed_argument("scalar")};
  options.shapes = {{"edge", {3, 1, 1}}, {"table", {1, 8}}};
  return options;
}

TEST(WrapArguments, NamedOnesMoveByTheirTypesAndTuplesComeOut) {
  const ScriptModel bare = several();
  const WrappedModel wrapped = wrap(bare, several_options());
  auto generator = make_generator(4);
  const auto random = [&](at::IntArrayRef shape) {
    return torch::randn(shape, generator, torch::kFloat64);
  };
  const Tensor x = random({5, 6, 5}), v = random({5, 6, 3}), edge = random({5, 1, 1});
  const Tensor table = random({1, 8});
  const EuclideanGroup group = EuclideanGroup::E(3);
  const auto g = group.sample(5, generator);
  const auto act = [&](const char* type, const Tensor& y) {
    return group.act(FieldType::parse(type), g, y);
  };
  const auto errors = [&](const ScriptModel& model) {
    const auto here = model.run({x, v, edge, table});
    const auto there = model.run({act("point + 2 scalar", x), act("vector", v), edge, table});
    return std::pair{(there[0] - act("point", here[0])).abs().max().item<double>(),
                     (there[1] - here[1]).abs().max().item<double>()};
  };
  EXPECT_GT(std::min(errors(bare).first, errors(bare).second), 1e-2);
  EXPECT_LT(std::max(errors(wrapped.model).first, errors(wrapped.model).second), 1e-12);
  const auto found = wrapped.model.run({x, v, edge, table});
  EXPECT_EQ(found[0].sizes(), (std::vector<int64_t>{5, 6, 3}));
  EXPECT_EQ(found[1].sizes(), (std::vector<int64_t>{5, 1}));
}

/// Remembers the largest batch it has seen.
ScriptModel counting() {
  torch::jit::Module module("Counting");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_attribute("largest", c10::IntType::get(), 0);
  module.register_parameter("a", weight(3, 3, 1), false);
  module.define(R"(
def forward(self, x):
    self.largest = max(self.largest, x.size(0))
    return torch.tanh(x @ self.a + 0.3)
)");
  return ScriptModel(module);
}

WrapOptions points_to(const std::string& type, const std::string& frame = "") {
  WrapOptions options;
  options.call.group = "E3";
  options.call.in = {parse_typed_argument("point")};
  options.call.out = {parse_typed_argument(type)};
  options.frame = frame;
  return options;
}

TEST(WrapArguments, MemoryBoundsTheCopiesAtATimeAndChangesNothing) {
  constexpr int64_t kItems = 5, kCopies = 8;
  const Tensor x = torch::randn({kItems, 12, 3}, make_generator(9));
  WrapOptions options = points_to("vector");
  const auto largest = [&](const WrappedModel& wrapped) {
    torch::jit::Module backbone = wrapped.model.module().attr("backbone").toModule();
    backbone.setattr("largest", 0);  // the probe has been there
    wrapped.model.run({x});
    return backbone.attr("largest").toInt();
  };
  const WrappedModel whole = wrap(counting(), options);
  EXPECT_EQ(largest(whole), kItems * kCopies);
  options.max_bytes = 3'000;
  const WrappedModel parts = wrap(counting(), options);
  const int64_t at_once = largest(parts);
  EXPECT_GE(at_once, 1);
  EXPECT_LT(at_once, kItems * kCopies / 2);
  EXPECT_LT((parts.model.run({x})[0] - whole.model.run({x})[0]).abs().max().item<double>(), 1e-6);
}

TEST(WrapArguments, ABatchMayHaveAnyNumberOfItemsButNone) {
  for (const char* frame : {"pca(degenerate=minimal)", "minimal"}) {
    const WrappedModel wrapped = wrap(counting(), points_to("vector", frame));
    for (const int64_t items : {1, 2, 40})
      EXPECT_EQ(wrapped.model.run({torch::randn({items, 5, 3})})[0].size(0), items);
    try {
      wrapped.model.run({torch::zeros({0, 5, 3})});
      FAIL();
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("the batch has no items"), std::string::npos);
    }
  }
}

TEST(WrapArguments, AsManyDrawsAsElementsAreTheFrame) {
  const ScriptModel bare = counting();
  const Tensor x = torch::randn({4, 7, 3}, make_generator(9), torch::kFloat64);
  const Tensor expected = wrap(bare, points_to("vector", "pca")).model.run({x})[0];
  const WrappedModel all = wrap(bare, points_to("vector", "sampled(k=8, base=pca)"));
  EXPECT_LT((all.model.run({x})[0] - expected).abs().max().item<double>(), 1e-12);
  const WrappedModel one = wrap(bare, points_to("vector", "sampled(k=1, base=pca)"));
  Tensor mean = torch::zeros_like(expected);
  constexpr int64_t kDraws = 2000;
  for (int64_t k = 0; k < kDraws; ++k) mean += one.model.run({x})[0] / kDraws;
  EXPECT_GT((one.model.run({x})[0] - expected).abs().max().item<double>(), 1e-2);
  EXPECT_LT((mean - expected).abs().max().item<double>(), 0.15);  // right in distribution
}

}  // namespace
}  // namespace equiframe
