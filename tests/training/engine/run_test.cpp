#include "equiframe/training/run.h"

#include <csignal>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "tests/training/engine/toy.h"
#include "training/engine/load_data.h"
#include "training/engine/metrics.h"
#include "training/engine/run_folder.h"

namespace equiframe {
namespace {

namespace fs = std::filesystem;
using training_test::message_of;
using training_test::read_file;
using training_test::TemporaryFolder;
using training_test::toy_config;
using training_test::write_file;

RunRequest request(const fs::path& folder, OnExisting on_existing = OnExisting::kRefuse) {
  RunRequest result;
  result.config = toy_config();
  result.folder = folder;
  result.on_existing = on_existing;
  result.commit = "abc";
  return result;
}

TEST(Run, LeavesConfigMetricsModelAndResult) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a" / "b";
  const RunResult result = run(request(path));
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(read_file(path / "config.toml"), to_toml(toy_config()));
  const std::string picture = read_file(path / "curve.svg");
  for (const char* text : {"<svg", "epochs", "validation", "test", "kept", "MSE"})
    EXPECT_NE(picture.find(text), std::string::npos) << text;
  const auto json = nlohmann::json::parse(read_file(path / "result.json"));
  EXPECT_EQ(json["metrics"]["test_mse"].get<double>(), result.fit.best().test.error);
  EXPECT_EQ(json["metrics"]["epochs"], 6);
  EXPECT_EQ(json["provenance"]["commit"], "abc");
  EXPECT_EQ(json["data"]["checksum"], "0123");
  EXPECT_EQ(json["config_sha256"], config_hash(toy_config()));
  for (const char* key : {"seed", "seconds", "peak_memory_bytes", "stopped_by", "equivariance"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_TRUE(fs::exists(path / "timing.jsonl"));
  const LoadedModel loaded = load_model_or_run(path);
  EXPECT_EQ(loaded.card.metrics.at("test_mse"), result.metrics.at("test_mse"));
}

TEST(Run, RefusesAnExistingRunAndSaysHow) {
  const TemporaryFolder folder;
  run(request(folder.path()));
  const std::string message = message_of([&] { run(request(folder.path())); });
  EXPECT_NE(message.find("--resume"), std::string::npos) << message;
  EXPECT_NE(message.find("--force"), std::string::npos) << message;
}

TEST(Run, AFinishedRunIsReportedAgainAndCanBeExtended) {
  const TemporaryFolder folder;
  const RunResult first = run(request(folder.path()));
  const std::string metrics = read_file(folder.path() / "metrics.jsonl");
  const RunResult again = run(request(folder.path(), OnExisting::kResume));
  EXPECT_TRUE(again.finished);
  EXPECT_EQ(again.metrics, first.metrics);
  EXPECT_EQ(read_file(folder.path() / "metrics.jsonl"), metrics);
  RunRequest longer = request(folder.path(), OnExisting::kResume);
  longer.config.train.epochs = 8;
  EXPECT_EQ(run(longer).fit.history.size(), 4U);
  EXPECT_EQ(read_file(folder.path() / "metrics.jsonl").substr(0, metrics.size()), metrics);
}

TEST(Run, ReplacesOnlyIfAsked) {
  const TemporaryFolder folder;
  run(request(folder.path()));
  RunRequest other = request(folder.path(), OnExisting::kReplace);
  other.config.train.seed = 9;
  EXPECT_TRUE(run(other).finished);
  EXPECT_EQ(load_config(folder.path() / "config.toml").train.seed, 9U);
}

TEST(Run, ResumingWithAnotherModelDataOrSeedIsRefused) {
  const TemporaryFolder folder;
  run(request(folder.path()));
  const auto refused = [&](auto change, const char* key) {
    RunRequest other = request(folder.path(), OnExisting::kResume);
    change(other.config);
    const std::string message = message_of([&] { run(other); });
    EXPECT_NE(message.find(key), std::string::npos) << message;
  };
  refused([](RunConfig& c) { c.model.settings["width"] = "5"; }, "model");
  refused([](RunConfig& c) { c.data.settings["size"] = "48"; }, "data");
  refused([](RunConfig& c) { c.train.seed = 4; }, "train.seed");
  refused([](RunConfig& c) { c.train.batch = 4; }, "train.batch");
}

TEST(Run, MistakesLeaveNoFolderBehind) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  RunRequest misspelt = request(path);
  misspelt.config.model.settings["widht"] = "5";
  EXPECT_NE(message_of([&] { run(misspelt); }).find("did you mean 'width'"), std::string::npos);
  misspelt = request(path);
  misspelt.config.data.settings["sise"] = "5";
  EXPECT_NE(message_of([&] { run(misspelt); }).find("'size'"), std::string::npos);
  EXPECT_FALSE(fs::exists(path));
}

TEST(Run, AFolderThatCannotBeWrittenIsAUserError) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "");
  const std::string message = message_of([&] { run(request(folder.path() / "file" / "run")); });
  EXPECT_NE(message.find("cannot write to the run folder"), std::string::npos) << message;
  EXPECT_NE(message_of([&] { run(request("/proc/equiframe")); }).find("--out"), std::string::npos);
}

/// A limit on the size of files stands for a full disk.
class FullDisk {
 public:
  explicit FullDisk(size_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(Run, AFullDiskLeavesTheLastCheckpoint) {
  const TemporaryFolder folder;
  RunRequest longer = request(folder.path(), OnExisting::kResume);
  run(longer);
  const std::string before = read_file(folder.path() / "checkpoint.safetensors");
  longer.config.train.epochs = 10;
  std::string message;
  {
    const FullDisk full(before.size() - 100);
    message = message_of([&] { run(longer); });
  }
  EXPECT_NE(message.find("cannot write"), std::string::npos) << message;
  EXPECT_TRUE(read_file(folder.path() / "checkpoint.safetensors") == before);
  EXPECT_EQ(run(longer).fit.history.size(), 5U) << "with room on the disk it goes on";
}

TEST(Run, TwoTrainersInOneFolderAreRefused) {
  const TemporaryFolder folder;
  {
    const RunFolder first(folder.path());
    const std::string message = message_of([&] { run(request(folder.path())); });
    EXPECT_NE(message.find("another training (process "), std::string::npos) << message;
  }
  EXPECT_TRUE(run(request(folder.path())).finished) << "a lock nobody holds is taken over";
}

TEST(Run, AnUnfinishedRunCanBeEvaluated) {
  const TemporaryFolder folder;
  const std::atomic<bool> at_once{true};
  RunRequest first = request(folder.path());
  run(first);
  fs::remove(folder.path() / "model.safetensors");  // as if it were not finished
  const LoadedModel loaded = load_model_or_run(folder.path());
  const Splits splits = load_data(toy_config().data, "", nullptr);
  EXPECT_EQ(score(*loaded.model, *splits.test, 8).error, loaded.card.metrics.at("test_mse"));

  const fs::path early = folder.path() / "early";
  RunRequest second = request(early);
  second.stop = &at_once;
  EXPECT_FALSE(run(second).finished);
  EXPECT_NE(message_of([&] { load_model_or_run(early); }).find("no evaluated weights"),
            std::string::npos);
}

TEST(Run, ADamagedCheckpointIsReportedAndTheRunGoesOn) {
  struct Messages final : Observer {
    void on_message(const std::string& text) override { all += text; }
    std::string all;
  };
  const TemporaryFolder folder;
  RunRequest first = request(folder.path());
  first.config.train.checkpoint_every = CheckpointInterval::parse("1");
  const RunResult whole = run(first);
  const std::string metrics = read_file(folder.path() / "metrics.jsonl");
  const fs::path newest = folder.path() / "checkpoint.safetensors";
  write_file(newest, read_file(newest).substr(0, 1000));
  Messages messages;
  RunRequest second = first;
  second.on_existing = OnExisting::kResume;
  second.observer = &messages;
  EXPECT_EQ(run(second).metrics, whole.metrics);
  EXPECT_NE(messages.all.find("checkpoint.safetensors"), std::string::npos);
  EXPECT_EQ(read_file(folder.path() / "metrics.jsonl"), metrics);
}

TEST(Run, TheCommandToGoOnCanBePasted) {
  EXPECT_EQ(resume_command("runs/a-1", ""), "equiframe train runs/a-1 --resume");
  EXPECT_EQ(resume_command("it's mine", "my data"),
            "equiframe train 'it'\\''s mine' --resume --data 'my data'");
}

}  // namespace
}  // namespace equiframe
