/// `equiframe audit` as a user meets it.
#include <filesystem>
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

using test_support::TemporaryFolder;

std::string saved(const TemporaryFolder& folder, const std::string& name, const std::string& body) {
  torch::jit::Module module("audited");
  module.define("def forward(self, x):\n    return " + body + "\n");
  const std::string file = (folder / name).string();
  module.save(file);
  return file;
}

const std::string kTypes = " --group E3 --in point --out vector";

TEST(Audit, PassesASoundModelAndWritesAPage) {
  const TemporaryFolder folder;
  const std::string model = saved(folder, "sound.pt", "x - x.mean(1, True)");
  const std::string page = (folder / "page.html").string();
  const Outcome text = run_program("audit " + model + kTypes + " --require all --report " + page);
  EXPECT_EQ(text.code, 0) << text.out;
  EXPECT_NE(text.out.find("no findings"), std::string::npos) << text.out;
  EXPECT_NE(test_support::read_file(page).find("How symmetric is sound.pt?"), std::string::npos);
}

TEST(Audit, FailsARequirementAndNamesTheFault) {
  const TemporaryFolder folder;
  const std::string model = saved(folder, "biased.pt", "x - x.mean(1, True) + 0.1");
  const Outcome outcome = run_program(
      "audit " + model + kTypes + " --json --require \"translation, rotation\"", "", "2>/dev/null");
  EXPECT_EQ(outcome.code, 1);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["symmetry"]["translation"]["verdict"], "exact");
  EXPECT_EQ(json["symmetry"]["rotation"]["verdict"], "broken");
  EXPECT_EQ(json["findings"][0]["code"], "vector-bias");
  EXPECT_EQ(json["unmet"].size(), 1U);
  EXPECT_FALSE(json["pass"].get<bool>());
}

TEST(Audit, DoesNotCallNaNSymmetric) {
  const TemporaryFolder folder;
  const std::string model = saved(folder, "lost.pt", "x * float('nan')");
  const Outcome outcome = run_program("audit " + model + kTypes);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("Finite inputs give NaN or infinity."), std::string::npos);
  EXPECT_EQ(outcome.out.find("holds"), std::string::npos) << outcome.out;
}

TEST(Audit, TakesACensusOfTheUsersInputs) {
  const TemporaryFolder folder;
  const std::string model = saved(folder, "sound.pt", "x - x.mean(1, True)");
  const std::string data = (folder / "inputs.npy").string();
  torch::Tensor inputs = torch::randn({5, 9, 3}, make_generator(1));
  inputs[2].select(1, 2).zero_();  // planar
  inputs[4].fill_(1);              // one place
  write_npy(data, inputs);
  const Outcome outcome =
      run_program("audit " + model + kTypes + " --json --data " + data, "", "2>/dev/null");
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  const auto census = nlohmann::json::parse(outcome.out)["census"];
  EXPECT_EQ(census["items"], 5);
  EXPECT_EQ(census["strata"]["planar"], 1);
  EXPECT_EQ(census["strata"]["coincident"], 1);
  EXPECT_EQ(census["strata"]["simple"], 3);
}

TEST(Audit, KnowsTheTypesOfWrappedFilesAndFindsThemSound) {
  const TemporaryFolder folder;
  const std::string model =
      saved(folder, "bare.pt", "torch.tanh(x * 2 + 0.3) * (x * x).sum(1, True)");
  const std::string wrapped = (folder / "wrapped.pt").string();
  ASSERT_EQ(run_program("wrap " + model + kTypes + " -o " + wrapped).code, 0);
  EXPECT_EQ(run_program("audit " + model + kTypes + " --require all").code, 1);
  const Outcome outcome =
      run_program("audit " + wrapped + " --require 'all, gradient, batch, hard'");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
}

TEST(Audit, TakesAnyLibraryWithTheCInterface) {
  const Outcome sound =
      run_program(std::string("audit ") + EQUIFRAME_STRANGER + ":sound --require 'all, hard'");
  EXPECT_EQ(sound.code, 0) << sound.out;
  const Outcome broken =
      run_program(std::string("audit ") + EQUIFRAME_STRANGER + ":biased --require all");
  EXPECT_EQ(broken.code, 1) << broken.out;
  EXPECT_NE(broken.out.find("[vector-bias]"), std::string::npos) << broken.out;
  const Outcome refused = run_program(std::string("audit ") + EQUIFRAME_STRANGER + ":other");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.out.find("knows 'sound' and 'biased' only"), std::string::npos) << refused.out;
}

TEST(Audit, AsksForTypesInOneLine) {
  const TemporaryFolder folder;
  const std::string model = saved(folder, "sound.pt", "x");
  const Outcome outcome = run_program("audit " + model);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("--group E3 --in \"x=point\" --out \"vector\""), std::string::npos);
  EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1);
  EXPECT_EQ(run_program("audit " + model + kTypes + " --require nothing").code, 2);
}

}  // namespace
}  // namespace equiframe::app_test
