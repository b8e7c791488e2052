/// `equiframe wrap` as a user meets it.
#include "equiframe/torchscript/wrap.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/script.h>

#include "equiframe/core/rng.h"
#include "equiframe/io/npy.h"
#include "tests/app/run_program.h"
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

TEST_F(WrapCommand, TakesEveryOption) {
  torch::jit::Module module("Masked");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("a", torch::randn({5, 3}, make_generator(1)), false);
  module.define(R"(
def forward(self, x, edge, mask):
    h = torch.tanh(x.transpose(1, 2) @ self.a + edge) * mask.unsqueeze(2).to(x)
    return h.transpose(1, 2)
)");
  module.save(file("model.pt"));
  const Outcome result = wrap(
      "--group SE3 --in 'x=point + 2 scalar' --in edge=scalar --mask mask --point-axis 2 "
      "--shape edge=3,1,1 --out vector --frame 'pca(degenerate=minimal)' "
      "--train-frame 'sampled(k=1, base=pca(degenerate=minimal))' --max-memory 1MB --nodes 9 "
      "--json");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto card = nlohmann::json::parse(result.out);
  EXPECT_EQ(card["max_bytes"], 1'000'000);
  EXPECT_EQ(card["in"], (std::vector<std::string>{"x=point + 2 scalar", "edge=scalar"}));
  EXPECT_LT(card["error"]["rotation"]["after"]["float64"], 1e-10);
  EXPECT_FALSE(card["error"]["reflection"]["claimed"].get<bool>());
  torch::jit::Module wrapped = torch::jit::load(file("out.pt"));
  const torch::Tensor x = torch::randn({2, 5, 7}, make_generator(2));
  const torch::Tensor mask = torch::ones({2, 7}, torch::kBool);
  const auto y = wrapped.forward({x, torch::zeros({2, 1, 1}), mask}).toTensor();
  EXPECT_EQ(y.sizes(), (std::vector<int64_t>{2, 3, 7}));
}

TEST_F(WrapCommand, PassesIndicesAsTheyAre) {
  torch::jit::Module module("Edges");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("a", torch::randn({3, 3}, make_generator(1)), false);
  module.define(R"(
def forward(self, edges, x):
    d = torch.tanh((x[:, edges[0]] - x[:, edges[1]]) @ self.a + 0.3)
    return torch.zeros_like(x).index_add(1, edges[0], d)
)");
  module.save(file("model.pt"));
  write_npy(file("edges.npy"), torch::tensor({{0, 1, 2, 3, 5}, {1, 2, 3, 4, 0}}, torch::kInt64));
  const std::string types = "--group E3 --in edges=untouched --in point --out vector ";
  expect_in("--input edges=FILE.npy", wrap(types).out);
  const std::string input = "--input edges=" + file("edges.npy");
  const Outcome result = wrap(types + input + " --nodes 6 --json");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto error = nlohmann::json::parse(result.out)["error"];
  EXPECT_GT(error["rotation"]["before"]["float64"], 1e-2);
  EXPECT_LT(error["rotation"]["after"]["float64"], 1e-12);
  EXPECT_FALSE(error.contains("permutation")) << "the edges number the points";
  const Outcome audit =
      run_program("audit " + file("out.pt") + " --points 6 --require all " + input);
  EXPECT_EQ(audit.code, 0) << audit.out;
}

TEST_F(WrapCommand, WrapsForPermutations) {
  torch::jit::Module module("Ordered");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("place", torch::randn({8, 2}, make_generator(1)), false);
  module.define("def forward(self, x, a):\n    return (a.squeeze(3) @ x) * self.place\n");
  module.save(file("model.pt"));
  const Outcome result =
      wrap("--group S_n --in x='2 node' --in a=pair --out '2 node' --nodes 8 --json");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto error = nlohmann::json::parse(result.out)["error"]["permutation"];
  EXPECT_GT(error["before"]["float64"], 1e-2);
  EXPECT_LT(error["after"]["float64"], 1e-12);
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
  refused(wrap("--group E3 --in 'point + vector' --out vector --max-memory lots"), "--max-memory");
  std::ofstream(file("model.pt")) << "not a model";
  refused(wrap("--group E3 --in point --out vector"), "is no TorchScript file");
}

TEST_F(WrapCommand, FilesWithoutACardAreNotOurs) {
  const Outcome shown = run_program("model show " + file("model.pt"));
  EXPECT_EQ(shown.code, 2);
  expect_in("has no card", shown.out);
  expect_in("equiframe audit", run_program("model verify " + file("model.pt")).out);
}

TEST_F(WrapCommand, ADamagedCardIsNamed) {
  torch::jit::Module module("Net");
  module.define("def forward(self, x):\n    return x\n");
  for (const char* card : {"{\"what\": \"a TorchScript mod", "{\"what\": 3}", "[]", "\xff"}) {
    module.save(file("model.pt"), {{kWrapCard, card}});
    for (const char* form : {"", " --json"}) {
      const Outcome shown = run_program("model show " + file("model.pt") + form);
      EXPECT_EQ(shown.code, 2) << card << shown.out;
      expect_in("is damaged; write the file again with equiframe wrap\n", shown.out);
      EXPECT_EQ(std::count(shown.out.begin(), shown.out.end(), '\n'), 1) << shown.out;
    }
  }
}

TEST_F(WrapCommand, SaysThatAnswersAreNotFinite) {
  torch::jit::Module module("Lost");
  module.define("def forward(self, x):\n    return torch.log(x)\n");
  module.save(file("model.pt"));
  const Outcome result = wrap("--group E3 --in point --out point");
  EXPECT_EQ(result.code, 0) << result.out;
  expect_in("NaN or infinite, to 4 of its inputs before", result.out);
  EXPECT_EQ(result.out.find("zero"), std::string::npos) << result.out;
  const Outcome shown = run_program("model show " + file("out.pt"));
  EXPECT_EQ(shown.code, 0) << shown.out;
  expect_in("not finite before", shown.out);
}

TEST_F(WrapCommand, ShowsTheWordsOfAModelThatFails) {
  torch::jit::Module module("Fussy");
  module.define(
      "def forward(self, x):\n    assert x.size(1) == 5, 'I want five points'\n    return x\n");
  module.save(file("model.pt"));
  const Outcome result = wrap("--group E3 --in point --out point");
  EXPECT_EQ(result.code, 2);
  expect_in("I want five points", result.out);
  EXPECT_EQ(wrap("--group E3 --in point --out point --nodes 5").code, 0);
}

}  // namespace
}  // namespace equiframe::app_test
