#include "training/engine/checkpoint.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "tests/training/engine/toy.h"

namespace equiframe {
namespace {

using training_test::message_of;
using training_test::read_file;
using training_test::TemporaryFolder;
using training_test::write_file;

TrainState state(int64_t epoch) {
  TrainState result;
  result.progress = {epoch, 3, epoch * 30 + 3, 0.1 + 0.2, 0, 1.5};
  result.history = {{5, 150, 1e-3, 0.1, {1.0 / 3, 0.75, Measure::kCrossEntropy}, {0.3, 0.5}},
                    {10, 300, 1e-3, 0.1, {0.25, NAN, Measure::kUnoriented}, {0.2}}};
  result.layout = "Float; w [2] @0";
  for (Tensor* tensor : {&result.parameters, &result.mean, &result.variance, &result.best})
    *tensor = torch::full({16}, static_cast<double>(epoch));
  result.buffers["b"] = torch::ones({2});
  result.best_buffers["b"] = torch::zeros({2});
  return result;
}

TEST(Checkpoints, ComeBackToTheLastBit) {
  const TemporaryFolder folder;
  Checkpoints checkpoints(folder.path());
  EXPECT_FALSE(checkpoints.load().has_value());
  checkpoints.save(state(7));
  const auto loaded = Checkpoints(folder.path()).load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->warning, "");
  const TrainState& s = loaded->state;
  EXPECT_EQ(s.progress.epoch, 7);
  EXPECT_EQ(s.progress.batch, 3);
  EXPECT_EQ(s.progress.step, 213);
  EXPECT_EQ(s.progress.loss_sum, 0.1 + 0.2);
  EXPECT_EQ(s.history.at(0).valid.error, 1.0 / 3);
  EXPECT_EQ(s.history.at(0).valid.accuracy, 0.75);
  EXPECT_EQ(s.history.at(0).test.error, 0.3);
  EXPECT_EQ(s.history.at(0).test.accuracy, 0.5);
  EXPECT_EQ(s.history.at(0).test.measure, Measure::kCrossEntropy);
  EXPECT_EQ(s.history.at(1).valid.measure, Measure::kUnoriented);
  EXPECT_TRUE(s.parameters.equal(torch::full({16}, 7.0)));
  EXPECT_FALSE(s.average.defined());
  EXPECT_TRUE(s.best_buffers.at("b").equal(torch::zeros({2})));
}

TEST(Checkpoints, WithoutHistoryOrBest) {
  const TemporaryFolder folder;
  TrainState fresh = state(0);
  fresh.history.clear();
  fresh.best = Tensor();
  fresh.best_buffers.clear();
  Checkpoints(folder.path()).save(fresh);
  const auto loaded = Checkpoints(folder.path()).load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_TRUE(loaded->state.history.empty());
  EXPECT_FALSE(loaded->state.best.defined());
}

TEST(Checkpoints, ADamagedOneIsReplacedByTheOneBefore) {
  const TemporaryFolder folder;
  Checkpoints checkpoints(folder.path());
  checkpoints.save(state(1));
  checkpoints.save(state(2));
  const std::string bytes = read_file(checkpoints.newest());
  for (const size_t length : {bytes.size() - 1, bytes.size() / 2, size_t{4}, size_t{0}}) {
    write_file(checkpoints.newest(), bytes.substr(0, length));
    const auto loaded = Checkpoints(folder.path()).load();
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(loaded->state.progress.epoch, 1);
    EXPECT_NE(loaded->warning.find("checkpoint.safetensors"), std::string::npos);
    EXPECT_NE(loaded->warning.find("before it"), std::string::npos);
  }
}

/// Going on from the older one must not throw it away for the damaged one.
TEST(Checkpoints, ADamagedOneNeverReplacesAGoodOne) {
  const TemporaryFolder folder;
  Checkpoints checkpoints(folder.path());
  checkpoints.save(state(1));
  checkpoints.save(state(2));
  write_file(checkpoints.newest(), "damaged");
  Checkpoints later(folder.path());
  ASSERT_TRUE(later.load().has_value());
  later.save(state(3));
  write_file(later.newest(), "damaged again");
  EXPECT_EQ(Checkpoints(folder.path()).load()->state.progress.epoch, 1);
}

TEST(Checkpoints, ALostOneIsReplacedByTheOneBefore) {
  const TemporaryFolder folder;
  Checkpoints checkpoints(folder.path());
  checkpoints.save(state(1));
  checkpoints.save(state(2));
  std::filesystem::remove(checkpoints.newest());
  EXPECT_EQ(Checkpoints(folder.path()).load()->state.progress.epoch, 1);
}

TEST(Checkpoints, BothDamagedIsAnError) {
  const TemporaryFolder folder;
  Checkpoints checkpoints(folder.path());
  write_file(checkpoints.newest(), "x");
  write_file(checkpoints.previous(), "y");
  const std::string message = message_of([&] { checkpoints.load(); });
  EXPECT_NE(message.find("no checkpoint"), std::string::npos) << message;
  EXPECT_NE(message.find("--force"), std::string::npos) << message;
}

}  // namespace
}  // namespace equiframe
