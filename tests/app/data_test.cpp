/// `equiframe data` as a user meets it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdlib.h>

#include "tests/app/run_program.h"
#include "tests/support/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using equiframe::app_test::Outcome;
using equiframe::app_test::run_program;

class Data : public testing::Test {
 protected:
  Outcome nbody(const std::string& arguments, const fs::path& out,
                const std::string& redirection = "2>&1") const {
    return run_program("data nbody --train 6 --valid 3 --test 2 --length 300 " + arguments +
                           " --out '" + out.string() + "'",
                       "", redirection);
  }

  equiframe::test_support::TemporaryFolder folder_;
};

TEST_F(Data, WritesTheFilesAndTheirChecksums) {
  const fs::path out = folder_ / "new/set";
  const Outcome result = nbody("--threads 2", out);
  ASSERT_EQ(result.code, 0) << result.out;
  EXPECT_NE(result.out.find("loc_train_charged5_initvel1small.npy"), std::string::npos);
  EXPECT_NE(result.out.find("12 files"), std::string::npos) << result.out;
  EXPECT_TRUE(fs::exists(out / "charges_test_charged5_initvel1small.npy"));
  EXPECT_TRUE(fs::exists(out / "manifest.json"));
  std::ifstream stream(out / "manifest.json");
  const auto manifest = nlohmann::json::parse(stream);
  for (const auto& [name, checksum] : manifest["sha256"].items())
    EXPECT_NE(result.out.find(checksum.get<std::string>() + "  " + name), std::string::npos);
}

TEST_F(Data, RepeatsItselfAndReplacesAFormerSet) {
  const fs::path out = folder_ / "set";
  const auto checksums = [&](const std::string& arguments) {
    const Outcome result = nbody(arguments + " --json", out, "2>/dev/null");
    EXPECT_EQ(result.code, 0) << result.out;
    return nlohmann::json::parse(result.out)["sha256"];
  };
  const auto first = checksums("");
  EXPECT_EQ(first.size(), 12U);
  EXPECT_EQ(first, checksums("--threads 2"));
  EXPECT_TRUE(
      checksums("--springs --particles 3").contains("edges_valid_springs3_initvel1small.npy"));
  EXPECT_FALSE(fs::exists(out / "loc_train_charged5_initvel1small.npy"));
}

TEST_F(Data, LeavesForeignFilesAlone) {
  std::ofstream(folder_ / "thesis.tex") << "years of work";
  const Outcome refused = nbody("", folder_.path());
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.out.find("--force"), std::string::npos) << refused.out;
  EXPECT_EQ(nbody("--force", folder_.path()).code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "thesis.tex"));
}

TEST_F(Data, RefusesNonsenseInOneLine) {
  for (const char* arguments : {"--sampling 7", "--seed -1", "--wrong 1"}) {
    const Outcome result = nbody(arguments, folder_ / "set");
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
  }
  EXPECT_EQ(nbody("", "/dev/null/set").code, 2);
}

}  // namespace
