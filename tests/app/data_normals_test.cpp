/// `equiframe data votes` and `equiframe data choices` as a user meets them.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.h"
#include "tests/support/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using equiframe::app_test::Outcome;
using equiframe::app_test::run_program;

/// A set and the network that learns from it.
struct NormalSet {
  std::string name, points, model, loss;
  std::vector<std::string> files;

  friend std::ostream& operator<<(std::ostream& out, const NormalSet& set) {
    return out << set.name;
  }
};

class DataNormals : public testing::TestWithParam<NormalSet> {
 protected:
  std::string folder(const std::string& name) const {
    return "'" + (folder_ / name).string() + "'";
  }
  Outcome make(const std::string& arguments) const {
    return run_program("data " + GetParam().name + " --clouds 6 --points " + GetParam().points +
                           " --json --shapes " + folder("shapes") + " --out " + folder("set") +
                           " " + arguments,
                       "", "2>/dev/null");
  }

  equiframe::test_support::TemporaryFolder folder_;
};

TEST_P(DataNormals, WritesASetThatTrains) {
  ASSERT_EQ(
      run_program("data cad --kinds organic --models 3 --points 1600 --out " + folder("shapes"))
          .code,
      0);
  const Outcome result = make("--threads 2");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto files = nlohmann::json::parse(result.out)["sha256"];
  for (const std::string& name : GetParam().files)
    EXPECT_TRUE(files.contains(name) && fs::exists(folder_ / "set" / name)) << name;
  EXPECT_EQ(nlohmann::json::parse(make("--threads 1").out)["sha256"], files);
  equiframe::test_support::write_file(
      folder_ / "config.toml",
      "[data]\nname = \"" + GetParam().name + "\"\nvalid = 1\ntest = 1\n[model]\nname = \"" +
          GetParam().model + "\"\n[train]\nepochs = 1\nbatch = 2\nloss = \"" + GetParam().loss +
          "\"\n");
  const Outcome trained = run_program("train " + folder("config.toml") + " --data " +
                                      folder("set") + " --out " + folder("run"));
  EXPECT_EQ(trained.code, 0) << trained.out;
  EXPECT_TRUE(fs::exists(folder_ / "run/model.safetensors"));
}

TEST_P(DataNormals, SaysWhatIsMissing) {
  const Outcome result = run_program("data " + GetParam().name + " --shapes " + folder("none") +
                                     " --out " + folder("set"));
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.out.find("equiframe data cad"), std::string::npos) << result.out;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
}

INSTANTIATE_TEST_SUITE_P(
    Sets, DataNormals,
    testing::Values(NormalSet{"votes",
                              "300",
                              "normal-votes",
                              "angle",
                              {"points.npy", "normals.npy", "found.npy", "told.npy", "clouds.npy"}},
                    NormalSet{
                        "choices", "8", "normal-choice", "log-angle", {"rows.npy", "normals.npy"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
