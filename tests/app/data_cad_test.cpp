/// `equiframe data cad` as a user meets it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.h"
#include "tests/support/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using equiframe::app_test::Outcome;
using equiframe::app_test::run_program;

class DataCad : public testing::Test {
 protected:
  Outcome cad(const std::string& arguments, const std::string& environment = "",
              const std::string& redirection = "2>&1") const {
    return run_program("data cad --models 3 --points 64 " + arguments + " --out '" +
                           (folder_ / "set").string() + "'",
                       environment, redirection);
  }

  equiframe::test_support::TemporaryFolder folder_;
};

TEST_F(DataCad, WritesASetWithItsPicture) {
  const Outcome result = cad("--kinds organic --json", "", "2>/dev/null");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto files = nlohmann::json::parse(result.out)["sha256"];
  for (const char* name :
       {"points.npy", "normals.npy", "edges.npy", "recipes.txt", "contact-sheet.svg"})
    EXPECT_TRUE(files.contains(name) && fs::exists(folder_ / "set" / name)) << name;
  const auto again = cad("--kinds organic --json --threads 2", "", "2>/dev/null");
  EXPECT_EQ(nlohmann::json::parse(again.out)["sha256"], files);
}

TEST_F(DataCad, ExportsModelsAndReplacesThem) {
  ASSERT_EQ(cad("--kinds organic --export obj").code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "set/model-000002.obj"));
  ASSERT_EQ(cad("--kinds organic --export ply").code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "set/model-000002.ply"));
  EXPECT_FALSE(fs::exists(folder_ / "set/model-000002.obj"));
}

TEST_F(DataCad, RefusesNonsenseInOneLine) {
  for (const char* arguments : {"--kinds solid", "--models 0", "--export dwg", "--points none"}) {
    const Outcome result = cad(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
  }
  const Outcome missing = cad("--kinds solids", "EQUIFRAME_CAD=/nowhere");
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.out.find("install libocct"), std::string::npos) << missing.out;
}

}  // namespace
