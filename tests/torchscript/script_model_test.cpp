#include "equiframe/torchscript/script_model.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "tests/support/at_once.h"

namespace equiframe {
namespace {

using test_support::kThreads;

ScriptModel wave() {
  torch::jit::Module module("wave");
  module.register_parameter("w", torch::randn({3, 3}, make_generator(1)), false);
  module.define("def forward(self, x):\n    return torch.sin(x.matmul(self.w))\n");
  return ScriptModel(module);
}

/// The first call in float64 converts the weights.
TEST(ScriptModels, MayBeSharedByThreadsInEitherType) {
  const ScriptModel shared = wave(), alone = wave();
  const auto input = [](int t) {
    const auto type = t % 2 == 0 ? torch::kFloat64 : torch::kFloat32;
    return torch::randn({4, 3}, make_generator(static_cast<uint64_t>(t))).to(type);
  };
  std::vector<Tensor> found(kThreads);
  test_support::at_once([&](int t) {
    for (int again = 0; again < 20; ++again)
      found[static_cast<size_t>(t)] = shared.run({input(t)}).at(0);
  });
  for (int t = 0; t < kThreads; ++t)
    EXPECT_TRUE(torch::equal(found[static_cast<size_t>(t)], alone.run({input(t)}).at(0))) << t;
}

}  // namespace
}  // namespace equiframe
