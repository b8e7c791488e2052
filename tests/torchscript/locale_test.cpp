/// Wrapped models are the same in programs that honour a locale with a decimal comma.
#include <string>

#include <gtest/gtest.h>
#include <torch/script.h>

#include "equiframe/core/rng.h"
#include "equiframe/torchscript/wrap.h"
#include "tests/support/german_numbers.h"
#include "tests/support/temporary_folder.h"

namespace equiframe {
namespace {

/// A model with numbers in its code that a locale would write otherwise, wrapped, saved and loaded.
Tensor answer(const Tensor& x, const std::string& frame) {
  torch::jit::Module module("Net");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("a", torch::ones({3, 3}), false);
  module.define(
      "def forward(self, x, scale: float = 1234.5, most: int = 4000):\n"
      "    return torch.tanh(x[:, 0:2000] @ self.a * (scale / most) + 1000.5 / 2000)\n");
  WrapOptions options;
  options.call.group = "E(3)";
  options.call.in = {parse_typed_argument("point")};
  options.call.out = {parse_typed_argument("vector")};
  options.frame = frame;
  options.max_bytes = 10'000'000;
  const test_support::TemporaryFolder folder;
  const WrappedModel wrapped = wrap(ScriptModel(module), options);
  save_script(folder / "wrapped.pt", wrapped.model, R"({"group": "E3"})");
  return ScriptModel::load(folder / "wrapped.pt").run({x})[0];
}

TEST(Locale, WrappedModelsAreAsEver) {
  const Tensor x = torch::randn({2, 5, 3}, make_generator(1));
  for (const char* frame : {"pca", "minimal"}) {
    const Tensor before = answer(x, frame);
    const test_support::GermanStreams streams;
    const test_support::GermanPrintf print;
    EXPECT_TRUE(answer(x, frame).equal(before)) << frame;
  }
}

}  // namespace
}  // namespace equiframe
