#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.h"
#include "tests/support/temporary_folder.h"

namespace equiframe::app_test {

/// A folder with a small data set, a config of the one-parameter model and a finished run of it,
/// made once for all tests of the program.
class TinyRun {
 public:
  static const TinyRun& instance() {
    static const TinyRun run;
    return run;
  }

  std::filesystem::path folder() const { return folder_.path(); }
  std::string data() const { return (folder_ / "data").string(); }
  std::string config() const { return (folder_ / "configs/tiny/row.toml").string(); }
  std::string run() const { return (folder_ / "finished").string(); }
  std::string model() const { return run() + "/model.safetensors"; }
  /// "train CONFIG --data DATA --out FOLDER/name"
  std::string train(const std::string& name) const {
    return "train " + config() + " --data " + data() + " --out " + (folder_ / name).string();
  }

 private:
  TinyRun() {
    std::filesystem::create_directories(folder_ / "configs/tiny");
    std::ofstream(config()) << "[data]\nname = \"nbody\"\ntrain = 60\nvalid = 20\ntest = 20\n\n"
                               "[model]\nname = \"linear\"\n\n"
                               "[train]\nepochs = 12\nbatch = 20\nlr = 1e-2\n\n"
                               "[paper]\ntable = \"Table 3\"\nrow = \"Linear\"\nvalue = 0.0819\n";
    const Outcome made = run_program("data nbody --train 60 --valid 20 --test 20 --out " + data());
    EXPECT_EQ(made.code, 0) << made.out;
    const Outcome trained = run_program(train("finished"));
    EXPECT_EQ(trained.code, 0) << trained.out;
  }

  test_support::TemporaryFolder folder_;
};

using test_support::read_file;

inline nlohmann::json json_of(const std::string& arguments, int expected_code = 0) {
  const Outcome result = run_program(arguments, "", "2>/dev/null");
  EXPECT_EQ(result.code, expected_code) << arguments << ": " << result.out;
  return nlohmann::json::parse(result.out);
}

/// Exit 2 and one line with `part` in it.
inline void expect_one_line(const std::string& arguments, const std::string& part) {
  const Outcome result = run_program(arguments);
  EXPECT_EQ(result.code, 2) << arguments << ": " << result.out;
  EXPECT_NE(result.out.find(part), std::string::npos) << arguments << ": " << result.out;
  EXPECT_EQ(result.out.find('\n'), result.out.size() - 1) << "more than one line: " << result.out;
}

}  // namespace equiframe::app_test
