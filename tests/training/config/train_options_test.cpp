#include "training/config/train_options.h"

#include <cmath>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"

namespace equiframe {
namespace {

TrainOptions options(Schedule schedule) {
  TrainOptions o;
  o.schedule = schedule;
  o.epochs = 100;
  o.lr = 2e-3;
  return o;
}

TEST(LearningRate, ConstantStays) {
  const TrainOptions o = options(Schedule::kConstant);
  EXPECT_EQ(learning_rate(o, 0), 2e-3);
  EXPECT_EQ(learning_rate(o, 99.9), 2e-3);
}

TEST(LearningRate, CosineFallsFromLrToMinLr) {
  TrainOptions o = options(Schedule::kCosine);
  o.min_lr = 1e-4;
  EXPECT_DOUBLE_EQ(learning_rate(o, 0), 2e-3);
  EXPECT_NEAR(learning_rate(o, 50), (2e-3 + 1e-4) / 2, 1e-15);
  EXPECT_NEAR(learning_rate(o, 100), 1e-4, 1e-15);
  EXPECT_NEAR(learning_rate(o, 120), 1e-4, 1e-15);  // a run that was made longer
  EXPECT_GT(learning_rate(o, 20), learning_rate(o, 21));
}

TEST(LearningRate, StepMultipliesEverySoManyEpochs) {
  TrainOptions o = options(Schedule::kStep);
  o.step_epochs = 30;
  o.step_factor = 0.5;
  EXPECT_DOUBLE_EQ(learning_rate(o, 29.99), 2e-3);
  EXPECT_DOUBLE_EQ(learning_rate(o, 30), 1e-3);
  EXPECT_DOUBLE_EQ(learning_rate(o, 95), 2.5e-4);
}

TEST(LearningRate, WarmupRisesThenFalls) {
  TrainOptions o = options(Schedule::kWarmupCosine);
  o.warmup_epochs = 10;
  EXPECT_EQ(learning_rate(o, 0), 0);
  EXPECT_DOUBLE_EQ(learning_rate(o, 5), 1e-3);
  EXPECT_DOUBLE_EQ(learning_rate(o, 10), 2e-3);
  EXPECT_NEAR(learning_rate(o, 55), 1e-3, 1e-15);
  EXPECT_NEAR(learning_rate(o, 100), 0, 1e-15);
}

TEST(CheckpointInterval, ReadsEpochsAndSeconds) {
  EXPECT_EQ(CheckpointInterval::parse("20").epochs, 20);
  EXPECT_EQ(CheckpointInterval::parse("20").seconds, 0);
  EXPECT_EQ(CheckpointInterval::parse("1.5s").seconds, 1.5);
  EXPECT_EQ(CheckpointInterval::parse("1.5s").epochs, 0);
  for (const char* text : {"20", "1.5s", "0", "30s"})
    EXPECT_EQ(CheckpointInterval::parse(text).str(), text);
  for (const char* text : {"", "s", "-3", "-3s", "often", "2 epochs"})
    EXPECT_THROW(CheckpointInterval::parse(text), UserError) << text;
}

TEST(TrainOptions, RefusesWhatMakesNoSense) {
  const auto refused = [](auto change) {
    TrainOptions o;
    change(o);
    EXPECT_THROW(validate(o), UserError);
  };
  EXPECT_NO_THROW(validate(TrainOptions()));
  refused([](TrainOptions& o) { o.epochs = 0; });
  refused([](TrainOptions& o) { o.batch = 0; });
  refused([](TrainOptions& o) { o.lr = NAN; });
  refused([](TrainOptions& o) { o.ema = 1; });
  refused([](TrainOptions& o) { o.min_lr = 1; });
  refused([](TrainOptions& o) { o.warmup_epochs = 100; });
  refused([](TrainOptions& o) { o.schedule = Schedule::kStep; });
  refused([](TrainOptions& o) { o.evaluate_every = 0; });
}

}  // namespace
}  // namespace equiframe
