/// `equiframe data choices` as a user meets it.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "run_program.h"
#include "tests/support/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using equiframe::app_test::Outcome;
using equiframe::app_test::run_program;

class DataChoices : public testing::Test {
 protected:
  std::string folder(const std::string& name) const {
    return "'" + (folder_ / name).string() + "'";
  }
  Outcome choices(const std::string& arguments) const {
    return run_program("data choices " + arguments + " --out " + folder("choices"), "",
                       "2>/dev/null");
  }

  equiframe::test_support::TemporaryFolder folder_;
};

TEST_F(DataChoices, WritesASetThatTrains) {
  ASSERT_EQ(
      run_program("data cad --kinds organic --models 3 --points 1600 --out " + folder("shapes"))
          .code,
      0);
  const std::string small = "--clouds 6 --points 8 --json --shapes " + folder("shapes");
  const Outcome result = choices(small + " --threads 2");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto files = nlohmann::json::parse(result.out)["sha256"];
  EXPECT_TRUE(files.contains("rows.npy") && fs::exists(folder_ / "choices/normals.npy"));
  EXPECT_EQ(nlohmann::json::parse(choices(small + " --threads 1").out)["sha256"], files);
  equiframe::test_support::write_file(
      folder_ / "choice.toml",
      "[data]\nname = \"choices\"\nvalid = 1\ntest = 1\n[model]\nname = \"normal-choice\"\n"
      "[train]\nepochs = 1\nbatch = 2\nloss = \"log-angle\"\n");
  const Outcome trained = run_program("train " + folder("choice.toml") + " --data " +
                                      folder("choices") + " --out " + folder("run"));
  EXPECT_EQ(trained.code, 0) << trained.out;
  EXPECT_TRUE(fs::exists(folder_ / "run/model.safetensors"));
}

TEST_F(DataChoices, SaysWhatIsMissing) {
  const Outcome result =
      run_program("data choices --shapes " + folder("none") + " --out " + folder("choices"));
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.out.find("equiframe data cad"), std::string::npos) << result.out;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
}

}  // namespace
