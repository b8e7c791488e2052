/// The program killed and interrupted in the middle of a run.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/app/tiny_run.h"

namespace equiframe::app_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSettings =
    " --resume --set train.epochs=3000 --set train.evaluate_every=20 "
    "--set train.checkpoint_every=0.02s --set train.ema=0.99";

/// Starts a run, waits for its next checkpoint and sends a signal; the shell says how it ended.
Outcome train_and_signal(const std::string& name, const std::string& signal) {
  const TinyRun& tiny = TinyRun::instance();
  const std::string checkpoint = (tiny.folder() / name / "checkpoint.safetensors").string();
  const std::string mark = (tiny.folder() / "mark").string();
  return run_program(tiny.train(name) + kSettings, "touch " + mark + ";",
                     "2>&1 & p=$!; while kill -0 $p && [ ! " + checkpoint + " -nt " + mark +
                         " ]; do sleep 0.01; done; sleep 0.1; kill -" + signal +
                         " $p; wait $p; echo ended $?");
}

TEST(Resume, AKilledAndInterruptedRunEndsTheSame) {
  const TinyRun& tiny = TinyRun::instance();
  const Outcome whole = run_program(tiny.train("whole") + kSettings);
  ASSERT_EQ(whole.code, 0) << whole.out;
  const Outcome killed = train_and_signal("disturbed", "KILL");
  EXPECT_NE(killed.out.find("ended 137"), std::string::npos) << killed.out;
  const Outcome interrupted = train_and_signal("disturbed", "INT");
  EXPECT_NE(interrupted.out.find("ended 130"), std::string::npos) << interrupted.out;
  EXPECT_NE(interrupted.out.find("everything is saved"), std::string::npos) << interrupted.out;
  EXPECT_NE(interrupted.out.find("disturbed --resume"), std::string::npos) << interrupted.out;
  const Outcome resumed = run_program("train " + (tiny.folder() / "disturbed").string() +
                                      " --resume --data " + tiny.data());
  ASSERT_EQ(resumed.code, 0) << resumed.out;
  for (const char* file : {"metrics.jsonl", "model.safetensors"})
    EXPECT_TRUE(read_file(tiny.folder() / "whole" / file) ==
                read_file(tiny.folder() / "disturbed" / file))
        << file;
}

}  // namespace
}  // namespace equiframe::app_test
