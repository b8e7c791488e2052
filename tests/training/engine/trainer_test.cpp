#include "training/engine/trainer.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "equiframe/core/error.h"
#include "equiframe/models/model_file.h"
#include "tests/training/engine/toy.h"
#include "training/engine/metrics.h"
#include "training/engine/run_folder.h"

namespace equiframe {
namespace {

using training_test::message_of;
using training_test::read_file;
using training_test::TemporaryFolder;
using training_test::toy_config;
using training_test::toy_data;
using training_test::toy_splits;

std::shared_ptr<Model> toy_model(const Choice& choice = {"toy-mlp", {}}) {
  torch::manual_seed(5);
  return build_model(choice, torch::kFloat32);
}

Tensor weights(const Model& model) {
  std::vector<Tensor> parts;
  for (const Tensor& p : model.parameters()) parts.push_back(p.detach().flatten());
  return torch::cat(parts);
}

TEST(EpochOrder, IsAPermutationOfItsEpoch) {
  const Tensor order = epoch_order(100, 1, 0);
  EXPECT_TRUE(std::get<0>(order.sort()).equal(torch::arange(100)));
  EXPECT_TRUE(order.equal(epoch_order(100, 1, 0)));
  EXPECT_FALSE(order.equal(epoch_order(100, 1, 1)));
  EXPECT_FALSE(order.equal(epoch_order(100, 2, 0)));
  EXPECT_LT((order == torch::arange(100)).sum().item<int64_t>(), 10);
}

TEST(Fit, LearnsAndEvaluatesOnSchedule) {
  const auto model = toy_model({"toy-linear", {}});
  TrainOptions options = toy_config().train;
  options.epochs = 45;
  options.evaluate_every = 10;
  options.lr = 0.05;
  const FitResult result = fit(*model, toy_splits(), options);
  EXPECT_EQ(result.reason, StopReason::kEpochs);
  ASSERT_EQ(result.history.size(), 5U);  // 10, 20, 30, 40 and the last
  EXPECT_EQ(result.history[0].epoch, 10);
  EXPECT_EQ(result.history.back().epoch, 45);
  EXPECT_EQ(result.history.back().step, 45 * 5);
  EXPECT_NEAR(model->parameters()[0].item<double>(), 0.7, 0.05);
  EXPECT_EQ(score(*model, *toy_splits().test, 7).error, result.best().test.error)
      << "the size of batches must not matter, nor the mode";
}

TEST(Fit, MeanSquaredErrorIsOverAllCoordinates) {
  const auto model = toy_model({"toy-linear", {{"start", "0.7"}}});
  const auto data = toy_data(20, 3);
  const Example all = data->get(torch::arange(20));
  const torch::NoGradGuard no_grad;
  const Tensor wide = model->forward(all.input).to(torch::kFloat64);
  const double direct = (wide - all.target.to(torch::kFloat64)).square().mean().item<double>();
  EXPECT_NEAR(score(*model, *data, 6).error, direct, 1e-12);
  EXPECT_NEAR(item_scores(*model, *data, 6).error.mean().item<double>(), direct, 1e-12);
}

TEST(Fit, PaddingCountsNeitherInLossNorInError) {
  const Splits splits{toy_data(40, 1, true), toy_data(20, 2, true), toy_data(20, 3, true), "", ""};
  TrainOptions options = toy_config().train;
  for (const LossKind loss :
       {LossKind::kMse, LossKind::kMae, LossKind::kHuber, LossKind::kCauchy}) {
    options.loss = loss;
    const auto model = toy_model();
    const FitResult result = fit(*model, splits, options);
    EXPECT_LT(result.best().test.error, 10);
    EXPECT_LT(result.best().train_loss, 10);
  }
}

/// Best validation, not best test and not last.
TEST(Fit, KeepsTheWeightsOfTheBestValidation) {
  const auto model = toy_model();
  TrainOptions options = toy_config().train;
  options.epochs = 30;
  options.evaluate_every = 1;
  options.lr = 0.3;  // jumps about
  const Splits splits = toy_splits();
  const FitResult result = fit(*model, splits, options);
  const auto best = std::min_element(
      result.history.begin(), result.history.end(),
      [](const Evaluation& a, const Evaluation& b) { return a.valid.error < b.valid.error; });
  EXPECT_EQ(result.best().epoch, best->epoch);
  EXPECT_LT(best->epoch, 30) << "the case needs a best that is not the last";
  EXPECT_EQ(score(*model, *splits.valid, 8).error, best->valid.error);
  EXPECT_EQ(score(*model, *splits.test, 8).error, best->test.error);
  EXPECT_EQ(model->buffers()[0].item<double>(), 5.0 * static_cast<double>(best->epoch))
      << "buffers go with the weights";
}

TEST(Fit, StopsWhenPatienceEnds) {
  const auto model = toy_model({"toy-linear", {{"start", "0.7"}}});
  TrainOptions options = toy_config().train;
  options.epochs = 1000;
  options.evaluate_every = 2;
  options.lr = 0.5;
  options.patience = 10;
  const FitResult result = fit(*model, toy_splits(), options);
  EXPECT_EQ(result.reason, StopReason::kPatience);
  EXPECT_LT(result.progress.epoch, 1000);
  EXPECT_EQ(result.progress.epoch - result.best().epoch, 10);
}

TEST(Fit, StopsWhenTimeEnds) {
  const auto model = toy_model();
  TrainOptions options = toy_config().train;
  options.epochs = 100'000'000;
  options.evaluate_every = 1'000'000;
  options.max_seconds = 0.2;
  const FitResult result = fit(*model, toy_splits(), options);
  EXPECT_EQ(result.reason, StopReason::kTime);
  EXPECT_GE(result.progress.seconds, 0.2);
  EXPECT_EQ(result.history.back().epoch, result.progress.epoch) << "what is there is evaluated";
}

TEST(Fit, EvaluatesTheAveragedWeights) {
  TrainOptions options = toy_config().train;
  options.lr = 0.3;
  const auto plain = toy_model(), averaged = toy_model();
  const FitResult without = fit(*plain, toy_splits(), options);
  options.ema = 0.99;
  const FitResult with = fit(*averaged, toy_splits(), options);
  EXPECT_EQ(with.history.back().train_loss, without.history.back().train_loss)
      << "averaging must not touch the training";
  EXPECT_NE(with.history.back().valid.error, without.history.back().valid.error);
  EXPECT_EQ(score(*averaged, *toy_splits().valid, 8).error, with.best().valid.error);
}

TEST(Fit, ClippingBoundsTheGradient) {
  TrainOptions options = toy_config().train;
  const auto plain = toy_model(), loose = toy_model(), tight = toy_model();
  fit(*plain, toy_splits(), options);
  options.clip = 1e6;
  fit(*loose, toy_splits(), options);
  options.clip = 1e-9;  // as large as Adam's epsilon: steps become small
  fit(*tight, toy_splits(), options);
  EXPECT_TRUE(weights(*plain).equal(weights(*loose)));
  const Tensor start = weights(*toy_model());
  EXPECT_LT((weights(*tight) - start).norm().item<double>(),
            0.5 * (weights(*plain) - start).norm().item<double>());
}

TEST(Fit, SeedDecidesEverything) {
  TrainOptions options = toy_config().train;
  const auto a = toy_model(), b = toy_model(), c = toy_model();
  fit(*a, toy_splits(), options);
  torch::manual_seed(99);  // dropout must not come from here
  fit(*b, toy_splits(), options);
  options.seed = 2;
  fit(*c, toy_splits(), options);
  EXPECT_TRUE(weights(*a).equal(weights(*b)));
  EXPECT_FALSE(weights(*a).equal(weights(*c)));
}

TEST(Fit, WorksInFloat64) {
  torch::manual_seed(5);
  const auto model = build_model({"toy-mlp", {}}, torch::kFloat64);
  const FitResult result = fit(*model, toy_splits(), toy_config().train);
  EXPECT_LT(result.history.back().valid.error, result.history.front().valid.error);
  EXPECT_EQ(type_of(*model), torch::kFloat64);
}

TEST(Fit, RefusesABatchLargerThanTheSet) {
  TrainOptions options = toy_config().train;
  options.batch = 41;
  const auto model = toy_model();
  EXPECT_NE(message_of([&] { fit(*model, toy_splits(), options); }).find("train.batch"),
            std::string::npos);
  options.drop_last = false;
  EXPECT_EQ(fit(*model, toy_splits(), options).progress.step, options.epochs);
}

/// Sets a flag after so many steps: Ctrl-C at a known moment.
class StopAfter final : public Observer {
 public:
  explicit StopAfter(int64_t steps) : steps_(steps) {}
  void on_step(const StepReport& report) override {
    if (report.progress.step == steps_) stop = true;
  }
  std::atomic<bool> stop{false};

 private:
  int64_t steps_;
};

std::string metrics_of_interrupted_run(const std::vector<int64_t>& stops, Tensor* final_weights) {
  const TemporaryFolder folder;
  TrainOptions options = toy_config().train;
  options.ema = 0.9;
  options.schedule = Schedule::kCosine;
  for (size_t i = 0; i <= stops.size(); ++i) {
    const auto model = toy_model();
    RunFolder run(folder.path());
    StopAfter stop(i < stops.size() ? stops[i] : -1);
    const FitResult result = fit(*model, toy_splits(), options, {&run, &stop, &stop.stop});
    if (i < stops.size()) {
      EXPECT_EQ(result.reason, StopReason::kInterrupted);
      EXPECT_EQ(result.progress.step, stops[i]);
    }
    *final_weights = weights(*model);
  }
  return read_file(folder.path() / "metrics.jsonl");
}

/// In the middle of an epoch, at its end, twice in one epoch.
TEST(Fit, ResumedRunsAreBitIdentical) {
  Tensor whole_weights, weights;
  const std::string whole = metrics_of_interrupted_run({}, &whole_weights);
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 3);
  const std::vector<std::vector<int64_t>> cases{{1}, {7}, {12, 13}, {3, 14, 22, 29}};
  for (const auto& stops : cases) {
    EXPECT_EQ(metrics_of_interrupted_run(stops, &weights), whole);
    EXPECT_TRUE(weights.equal(whole_weights));
  }
}

/// A loss that is not finite names the moment and leaves the last checkpoint.
TEST(Fit, RefusesALossThatIsNotFinite) {
  const TemporaryFolder folder;
  TrainOptions options = toy_config().train;
  options.checkpoint_every = CheckpointInterval::parse("1");
  options.epochs = 3;
  {
    RunFolder run(folder.path());
    fit(*toy_model(), toy_splits(), options, {&run});
  }
  const std::string before = read_file(folder.path() / "checkpoint.safetensors");
  options.epochs = 50;
  options.lr = 1e30;
  RunFolder run(folder.path());
  const std::string message = message_of([&] { fit(*toy_model(), toy_splits(), options, {&run}); });
  for (const char* part : {"epoch 4", "step 1", "--resume", "train.lr"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(read_file(folder.path() / "checkpoint.safetensors"), before);
}

}  // namespace
}  // namespace equiframe
