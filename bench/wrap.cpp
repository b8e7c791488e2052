/// A wrapped TorchScript model against the bare one on as many copies as the frame has elements.
#include "equiframe/torchscript/wrap.h"

#include <torch/script.h>

#include "bench.h"
#include "equiframe/core/rng.h"

namespace {

using namespace equiframe;

/// PointNet as most people have it: a perceptron of each point, the largest of each feature, and a
/// perceptron of both.
ScriptModel point_net() {
  auto generator = make_generator(1);
  torch::jit::Module module("PointNet");
  module.register_attribute("training", c10::BoolType::get(), false);
  const auto add = [&](const char* name, int64_t in, int64_t out) {
    module.register_parameter(
        name, torch::randn({in, out}, generator) / std::sqrt(static_cast<double>(in)), false);
  };
  add("a", 3, 64);
  add("b", 64, 128);
  add("c", 128, 256);
  add("d", 64, 128);
  add("e", 256, 128);
  add("f", 128, 3);
  module.define(R"(
def forward(self, x):
    near = (x @ self.a).relu()
    far = ((near @ self.b).relu() @ self.c).relu().amax(1, True)
    return (near @ self.d + far @ self.e).relu() @ self.f
)");
  return ScriptModel(module);
}

WrapOptions points_to_vectors(const std::string& group) {
  WrapOptions options;
  options.call.group = group;
  options.call.in = {parse_typed_argument("point")};
  options.call.out = {parse_typed_argument("vector")};
  return options;
}

bench::Row wrap_row(const std::string& group, int64_t copies) {
  constexpr int64_t kClouds = 16, kPoints = 512, kCalls = 3;
  constexpr double kMax = 1.2;
  const ScriptModel bare = point_net();
  const WrappedModel wrapped = wrap(bare, points_to_vectors(group));
  const Tensor x = torch::randn({kClouds, kPoints, 3}, make_generator(2));
  const Tensor many = x.repeat({copies, 1, 1});
  for (int k = 0; k < kCalls; ++k) {  // the first calls compile
    wrapped.model.run({x});
    bare.run({many});
  }
  return bench::cost(
      c10::str("wrapped for ", group, ", against the bare model on ", copies, " times the batch"),
      kMax, [&] { wrapped.model.run({x}); }, [&] { bare.run({many}); });
}

/// What `load_with_operators` gives, on clouds so small that frames matter.
bench::Row operator_row() {
  constexpr int64_t kClouds = 64, kPoints = 20, kCalls = 3;
  constexpr double kMin = 2;
  WrapOptions options = points_to_vectors("E(3)");
  options.frame = "minimal";
  const WrappedModel plain = wrap(point_net(), options);
  options.operators = true;
  const WrappedModel fast = wrap(point_net(), options);
  const Tensor x = torch::randn({kClouds, kPoints, 3}, make_generator(2));
  for (int k = 0; k < kCalls; ++k) {
    plain.model.run({x});
    fast.model.run({x});
  }
  return bench::speedup(
      "wrapped over 'minimal', frames by the library's operators, against plain TorchScript", kMin,
      [&] { fast.model.run({x}); }, [&] { plain.model.run({x}); });
}

const bool kWrapRegistered = bench::add("wrap", [] { return wrap_row("O(3)", 8); }) &&
                             bench::add("wrap", [] { return wrap_row("SO(3)", 4); }) &&
                             bench::add("wrap", operator_row);

}  // namespace
