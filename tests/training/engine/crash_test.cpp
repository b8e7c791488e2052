/// Training processes that are really killed and interrupted.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/training/run.h"
#include "tests/training/engine/child_process.h"
#include "tests/training/engine/toy.h"

namespace equiframe {
namespace {

namespace fs = std::filesystem;
using training_test::Child;
using training_test::read_file;
using training_test::TemporaryFolder;
using training_test::toy_config;

RunConfig crash_config() {
  RunConfig config = toy_config();
  config.train.epochs = 400;
  config.train.evaluate_every = 1;
  config.train.ema = 0.99;
  config.train.schedule = Schedule::kCosine;
  config.train.checkpoint_every = CheckpointInterval::parse("0.01s");
  config.train.threads = 1;
  return config;
}

std::atomic<bool> interrupted{false};

/// Not a test: what the child processes do.
TEST(TrainingChild, DISABLED_Train) {
  const char* folder = std::getenv("EQUIFRAME_TEST_FOLDER");
  ASSERT_NE(folder, nullptr);
  std::signal(SIGINT, [](int) { interrupted = true; });
  RunRequest request;
  request.config = crash_config();
  request.folder = folder;
  request.on_existing = OnExisting::kResume;
  request.stop = &interrupted;
  try {
    std::exit(run(request).finished ? 0 : 3);
  } catch (const UserError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(2);
  }
}

Child train(const fs::path& folder) {
  return Child("TrainingChild.DISABLED_Train", {"EQUIFRAME_TEST_FOLDER=" + folder.string()});
}

/// The run that nothing disturbs, made once.
const fs::path& undisturbed() {
  static const TemporaryFolder folder;
  static const int code = train(folder.path() / "run").wait();
  static const fs::path path = folder.path() / "run";
  EXPECT_EQ(code, 0);
  return path;
}

void expect_same_as_undisturbed(const fs::path& folder) {
  const std::string metrics = read_file(folder / "metrics.jsonl");
  EXPECT_EQ(std::count(metrics.begin(), metrics.end(), '\n'), 400);
  EXPECT_TRUE(metrics == read_file(undisturbed() / "metrics.jsonl"));
  EXPECT_TRUE(read_file(folder / "model.safetensors") ==
              read_file(undisturbed() / "model.safetensors"));
}

bool wait_for(const fs::path& file) {
  for (int i = 0; i < 2000 && !fs::exists(file); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return fs::exists(file);
}

TEST(Crash, KilledAtRandomMomentsTheRunEndsTheSame) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp)
  int killed = 0;
  while (killed < 6) {
    Child child = train(path);
    const fs::path checkpoint = path / "checkpoint.safetensors";
    const auto before =
        fs::exists(checkpoint) ? fs::last_write_time(checkpoint) : fs::file_time_type::min();
    while (child.is_running() &&
           (!fs::exists(checkpoint) || fs::last_write_time(checkpoint) == before))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40000));
    child.send(SIGKILL);
    const int end = child.wait();
    ASSERT_TRUE(end == -SIGKILL || end == 0) << child.output();
    if (end == 0) break;
    ++killed;
  }
  EXPECT_GE(killed, 5) << "the run is too short to be killed often";
  ASSERT_EQ(train(path).wait(), 0);
  expect_same_as_undisturbed(path);
  for (const auto& entry : fs::directory_iterator(path))
    EXPECT_NE(entry.path().extension(), ".tmp") << "left over: " << entry.path();
}

TEST(Crash, AnInterruptSavesAndTheRunGoesOn) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  Child child = train(path);
  ASSERT_TRUE(wait_for(path / "checkpoint.safetensors"));
  child.send(SIGINT);
  ASSERT_EQ(child.wait(), 3) << child.output();
  ASSERT_EQ(train(path).wait(), 0);
  expect_same_as_undisturbed(path);
}

}  // namespace
}  // namespace equiframe
