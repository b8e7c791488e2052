/// `equiframe data votes` as a user meets it.
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

class DataVotes : public testing::Test {
 protected:
  std::string folder(const std::string& name) const {
    return "'" + (folder_ / name).string() + "'";
  }
  Outcome votes(const std::string& arguments) const {
    return run_program("data votes " + arguments + " --out " + folder("votes"), "", "2>/dev/null");
  }

  equiframe::test_support::TemporaryFolder folder_;
};

TEST_F(DataVotes, WritesASetThatTrains) {
  ASSERT_EQ(
      run_program("data cad --kinds organic --models 3 --points 400 --out " + folder("shapes"))
          .code,
      0);
  const Outcome result =
      votes("--clouds 6 --points 300 --threads 2 --json --shapes " + folder("shapes"));
  ASSERT_EQ(result.code, 0) << result.out;
  const auto files = nlohmann::json::parse(result.out)["sha256"];
  for (const char* name : {"points.npy", "normals.npy", "found.npy", "told.npy", "clouds.npy"})
    EXPECT_TRUE(files.contains(name) && fs::exists(folder_ / "votes" / name)) << name;
  const Outcome again =
      votes("--clouds 6 --points 300 --threads 1 --json --shapes " + folder("shapes"));
  EXPECT_EQ(nlohmann::json::parse(again.out)["sha256"], files);
  equiframe::test_support::write_file(
      folder_ / "votes.toml",
      "[data]\nname = \"votes\"\nvalid = 1\ntest = 1\n[model]\nname = \"normal-votes\"\n"
      "[train]\nepochs = 1\nbatch = 2\nloss = \"angle\"\n");
  const Outcome trained = run_program("train " + folder("votes.toml") + " --data " +
                                      folder("votes") + " --out " + folder("run"));
  EXPECT_EQ(trained.code, 0) << trained.out;
  EXPECT_TRUE(fs::exists(folder_ / "run/model.safetensors"));
}

TEST_F(DataVotes, SaysWhatIsMissing) {
  const Outcome result =
      run_program("data votes --shapes " + folder("none") + " --out " + folder("votes"));
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.out.find("equiframe data cad"), std::string::npos) << result.out;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
}

}  // namespace
