/// `equiframe model`, `eval` and `predict` as a user meets them.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "equiframe/models/model_file.h"
#include "tests/app/tiny_run.h"

namespace equiframe::app_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string file_with(const std::string& name, const std::string& content) {
  const fs::path path = TinyRun::instance().folder() / name;
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

TEST(Model, ShowsTheCard) {
  const TinyRun& tiny = TinyRun::instance();
  const Outcome text = run_program("model show " + tiny.model());
  EXPECT_EQ(text.code, 0);
  for (const char* part : {"linear", "E(3)", "point + vector + scalar", "test_mse", "sha256"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " not in " << text.out;
  const json card = json_of("model show " + tiny.model() + " --json");
  EXPECT_EQ(card["architecture"]["name"], "linear");
  EXPECT_EQ(card["signature"]["group"], "E(3)");
}

TEST(Model, VerifiesTheClaims) {
  const TinyRun& tiny = TinyRun::instance();
  EXPECT_TRUE(json_of("model verify " + tiny.model() + " --json")["pass"].get<bool>());
  std::string bytes = read_file(tiny.model());
  bytes.resize(bytes.size() - 1);
  expect_one_line("model verify " + file_with("cut.safetensors", bytes), "too early");
}

TEST(Eval, GivesTheMetricsOfTheRunAgain) {
  const TinyRun& tiny = TinyRun::instance();
  const json card = json_of("model show " + tiny.model() + " --json");
  for (const std::string& what : {tiny.model(), tiny.run()}) {
    const json result = json_of("eval " + what + " --data " + tiny.data() + " --json");
    EXPECT_EQ(result["test_mse"], card["metrics"]["test_mse"]);
    EXPECT_EQ(result["samples"], 20);
    EXPECT_TRUE(result["trained_on_these_data"].get<bool>());
    EXPECT_LT(result["equivariance"]["float64"].get<double>(), 1e-12);
    EXPECT_EQ(result["worst"].size(), 5U);
    EXPECT_GE(result["worst"][0]["mse"], result["worst"][1]["mse"]);
  }
}

const char* const kCsv =
    "sample,x,y,z,vx,vy,vz,charge\n"
    "a,0,0,0,1,0,0,1\na,1,0,0,0,1,0,-1\na,0,1,0,0,0,1,1\n"
    "b,5,0,0,0,0,2,1\nb,0,5,0,0,0,-2,1\n";

/// x + t v is known in closed form, whatever the format and the sizes.
TEST(Predict, MixedSizesInCsvAndJson) {
  const TinyRun& tiny = TinyRun::instance();
  const Outcome csv = run_program("predict " + tiny.model() + " --in " + file_with("p.csv", kCsv),
                                  "", "2>/dev/null");
  EXPECT_EQ(csv.code, 0);
  double t = 0;
  ASSERT_EQ(std::sscanf(csv.out.c_str(), "sample,x,y,z\na,%lf,0,0\n", &t), 1) << csv.out;
  EXPECT_GT(t, 0.1);
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 6);
  EXPECT_NE(csv.out.find("b,0,5,-"), std::string::npos) << csv.out;

  const std::string in = file_with(
      "p.json", R"({"samples": [{"positions": [[0,0,0],[1,0,0]], "velocities": [[1,0,0],[0,1,0]],
                "charges": [1,-1]}]})");
  const json positions = json_of("predict " + tiny.model() + " --in " + in + " --json");
  EXPECT_NEAR(positions["samples"][0]["positions"][1][1].get<double>(), t, 1e-6);
  EXPECT_EQ(positions["samples"][0]["positions"][1][0], 1.0);
}

TEST(Predict, WritesFilesOfAllFormats) {
  const TinyRun& tiny = TinyRun::instance();
  const std::string in = file_with("one.csv", "0,0,0,1,0,0,1\n1,0,0,0,1,0,-1\n");
  const std::string array = (tiny.folder() / "out.npy").string();
  const json wrote =
      json_of("predict " + tiny.model() + " --in " + in + " --out " + array + " --json");
  EXPECT_EQ(wrote["particles"], 2);
  EXPECT_EQ(read_file(array).substr(1, 5), "NUMPY");
  EXPECT_NE(read_file(array).find("(1, 2, 3)"), std::string::npos);
}

TEST(Predict, MistakesGetOneLine) {
  const std::string model = TinyRun::instance().model();
  const auto refused = [&](const std::string& name, const std::string& content,
                           const std::string& part) {
    expect_one_line("predict " + model + " --in " + file_with(name, content), part);
  };
  refused("nan.csv", "x,y,z,vx,vy,vz,charge\n0,0,0,1,0,0,1\n0,nan,0,1,0,0,1\n", "nan.csv:3: y");
  refused("columns.csv", "0,0,0,1,0,0,1\n0,0,0,1,0,0\n", "columns.csv:2: 6 columns");
  refused("few.csv", "0,0,0,1,0,0,1\n", "at least 2");
  refused("text.csv", "0,0,0,1,0,0,1\n0,0,zero,1,0,0,1\n", "text.csv:2: z = 'zero'");
  refused("short.json", R"({"samples": [{"positions": [[0,0,0]], "charges": [1]}]})", "velocities");
  refused("data.txt", "", ".csv, .json or .npy");
  refused("large.json", R"({"samples": [{"positions": [[0,0,1e309],[1,0,0]],
           "velocities": [[1,0,0],[0,1,0]], "charges": [1,-1]}]})",
          "a number is too large: '1e309'");
}

/// What has no end is not read to its end.
TEST(Predict, DevicesAreRefused) {
  const TinyRun& tiny = TinyRun::instance();
  for (const char* name : {"zero.csv", "zero.json"}) {
    const fs::path link = tiny.folder() / name;
    fs::create_symlink("/dev/zero", link);
    expect_one_line("predict " + tiny.model() + " --in " + link.string(), "more than 256 MiB");
  }
}

/// No file and no row is better than a row of NaN.
TEST(Predict, WhatIsNotFiniteIsNotWritten) {
  const TinyRun& tiny = TinyRun::instance();
  const fs::path models = fs::path(__FILE__).parent_path() / "../../models";
  const fs::path out = tiny.folder() / "lost.csv";
  const auto refused = [&](const std::string& model, const std::string& rows,
                           const std::string& part) {
    expect_one_line(
        "predict " + model + " --in " + file_with("far.csv", rows) + " --out " + out.string(),
        part);
    EXPECT_FALSE(fs::exists(out));
  };
  refused((models / "nbody-fa-verlet.safetensors").string(),
          "0,0,0,1,0,0,1\n1,0,0,0,1,0,-1e308\n0,1,0,0,0,1,1\n", "far.csv: sample 0, particle 1");
  refused(tiny.model(),
          "sample,x,y,z,vx,vy,vz,charge\na,0,0,0,1,0,0,1\na,1,0,0,0,1,0,-1\n"
          "b,0,0,0,1,0,0,1\nb,3.3e38,0,0,3.3e38,1,0,-1\n",
          "far.csv: sample b, particle 1: the position that comes out is not finite");
}

/// LibTorch draws nothing without it.
TEST(Predict, SaysThatRandomNumbersAreMissing) {
  const std::string hidden =
      "unshare -m sh -c 'mount --bind /dev/null /dev/urandom && exec \"$@\"' sh";
  if (std::system((hidden + " true 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "hiding /dev/urandom needs the right to mount";
  const std::string in = file_with("one.csv", "0,0,0,1,0,0,1\n1,0,0,0,1,0,-1\n");
  for (const std::string& arguments : {"predict " + TinyRun::instance().model() + " --in " + in,
                                       std::string("check --group E3")}) {
    const Outcome result = run_program(arguments, hidden);
    EXPECT_EQ(result.code, 2) << result.out;
    EXPECT_NE(result.out.find("LibTorch needs /dev/urandom"), std::string::npos) << result.out;
  }
}

/// A step t so long that x + t v leaves float32 for particles that move, but not for the
/// reference, which rests.
TEST(Eval, NamesSamplesThatAreNotFinite) {
  const TinyRun& tiny = TinyRun::instance();
  LoadedModel loaded = load_model(tiny.model());
  loaded.model->parameters().front().data().fill_(3.4e38);
  Batch rest = loaded.reference_input;
  rest.x = rest.x.clone();
  rest.x.narrow(2, 3, 3).zero_();
  const std::string file = (tiny.folder() / "long.safetensors").string();
  save_model(file, *loaded.model, loaded.card, rest);
  expect_one_line("eval " + file + " --data " + tiny.data(), "not finite to ");
}

}  // namespace
}  // namespace equiframe::app_test
