/// `equiframe wrap` as a user meets it.
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/script.h>

#include "equiframe/core/rng.h"
#include "run_program.h"
#include "tests/support/temporary_folder.h"

namespace equiframe::app_test {
namespace {

/// `words` stand somewhere in `text`.
void expect_in(const std::string& words, const std::string& text) {
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

class WrapCommand : public testing::Test {
 protected:
  WrapCommand() {
    torch::jit::Module module("Net");
    module.register_attribute("training", c10::BoolType::get(), true);
    module.register_parameter("a", torch::randn({6, 3}, make_generator(1)), false);
    module.define("def forward(self, x):\n    return torch.tanh(x @ self.a + 0.5)\n");
    module.save(file("model.pt"));
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  Outcome wrap(const std::string& rest) const {
    return run_program("wrap " + file("model.pt") + " -o " + file("out.pt") + " " + rest);
  }
  test_support::TemporaryFolder folder_;
};

TEST_F(WrapCommand, WritesAFileThatRunsAndSaysWhatItIs) {
  const Outcome result = wrap("--group E3 --in 'point + vector' --out vector --json");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto card = nlohmann::json::parse(result.out);
  for (const char* part : {"translation", "rotation", "reflection"}) {
    EXPECT_GT(card["error"][part]["before"]["float64"], 1e-2) << part;
    EXPECT_LT(card["error"][part]["after"]["float64"], 1e-10) << part;
    EXPECT_LT(card["error"][part]["after"]["float32"], 1e-3) << part;
  }
  torch::jit::Module wrapped = torch::jit::load(file("out.pt"));
  const torch::Tensor x = torch::randn({2, 5, 6}, make_generator(2));
  EXPECT_EQ(wrapped.forward({x}).toTensor().sizes(), (std::vector<int64_t>{2, 5, 3}));
  const Outcome shown = run_program("model show " + file("out.pt") + " --json");
  ASSERT_EQ(shown.code, 0) << shown.out;
  EXPECT_EQ(nlohmann::json::parse(shown.out), card);
  expect_in("point + vector", run_program("model show " + file("out.pt")).out);
}

TEST_F(WrapCommand, RefusesInOneLine) {
  const auto refused = [&](const Outcome& result, const std::string& words) {
    EXPECT_EQ(result.code, 2) << result.out;
    expect_in(words, result.out);
    EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
    EXPECT_FALSE(std::ifstream(file("out.pt")));
  };
  refused(wrap("--in point --out point"), "--group E3");
  refused(wrap("--group E3 --in 'point + scalar' --out vector"), "the model fails on random input");
  refused(wrap("--group E3 --in 'point + vector' --out scalar"), "cannot transform as 'scalar'");
  refused(wrap("--group E3 --in 'point + vector' --out vector --frame pcb"), "frame 'pcb'");
  refused(wrap("--group Q3 --in point --out vector"), "Q3");
  std::ofstream(file("model.pt")) << "not a model";
  refused(wrap("--group E3 --in point --out vector"), "is no TorchScript file");
}

TEST_F(WrapCommand, FilesWithoutACardAreNotOurs) {
  const Outcome shown = run_program("model show " + file("model.pt"));
  EXPECT_EQ(shown.code, 2);
  expect_in("has no card", shown.out);
}

}  // namespace
}  // namespace equiframe::app_test
