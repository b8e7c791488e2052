/// How far the runs of a plan are, and how long they will take.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include <torch/types.h>
#include <torch/utils.h>

#include "core/default_generator.h"
#include "equiframe/core/error.h"
#include "experiments/runner/reproduce.h"
#include "experiments/runner/run_outcome.h"
#include "training/engine/metrics.h"
#include "training/engine/run_folder.h"

namespace equiframe::inline experiments {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Times steps and asks for an end when it has seen enough of them.
class StepClock final : public Observer {
 public:
  void on_step(const StepReport& report) override {
    batches_ = report.batches;
    if (steps_++ == 0) start_ = Clock::now();  // the first step allocates
    if (steps_ > kSteps || (steps_ > 2 && seconds_since(start_) > kSeconds)) stop = true;
    last_ = Clock::now();
  }
  double epoch() const {
    const double time = std::chrono::duration<double>(last_ - start_).count();
    return time / std::max(1, steps_ - 1) * static_cast<double>(batches_);
  }
  std::atomic<bool> stop{false};

 private:
  static constexpr int kSteps = 20;
  static constexpr double kSeconds = 2;
  int steps_ = 0;
  int64_t batches_ = 0;
  Clock::time_point start_, last_;
};

/// Of the validation and the test set, from one batch.
double evaluation_seconds(Model& model, const Splits& splits, const TrainOptions& options) {
  const torch::NoGradGuard no_grad;
  const int64_t count = std::min(options.batch, splits.valid->size());
  const Example example = to_type(splits.valid->get(torch::arange(count)), type_of(model));
  model.eval();
  model.forward(example.input);
  const auto start = Clock::now();
  model.forward(example.input);
  return seconds_since(start) * static_cast<double>(splits.valid->size() + splits.test->size()) /
         static_cast<double>(count);
}

/// The same course of the learning rate in other `epochs`.
void reschedule(PlannedRun& run, int64_t epochs, int64_t evaluate_every) {
  const TrainOptions& train = run.resolved.train;
  const double part = static_cast<double>(epochs) / static_cast<double>(train.epochs);
  std::vector<std::string> settings{"train.epochs=" + std::to_string(epochs),
                                    "train.evaluate_every=" + std::to_string(evaluate_every)};
  if (train.warmup_epochs > 0)
    settings.push_back("train.warmup_epochs=" + std::to_string(train.warmup_epochs * part));
  run.set(settings);
}

}  // namespace

RunState run_state(const PlannedRun& run) {
  if (!RunFolder::holds_run(run.folder)) return RunState::kAbsent;
  const std::string wanted = config_hash(run.resolved);
  if (config_hash(load_config(run.folder / "config.toml")) != wanted) return RunState::kOther;
  const auto outcome = read_outcome(run.folder);
  if (!outcome || outcome->config_hash != wanted) return RunState::kUnfinished;
  const double limit = run.resolved.train.max_seconds;
  const bool enough = outcome->stopped_by != to_string(StopReason::kTime) ||
                      (limit > 0 && outcome->seconds >= limit);
  return enough ? RunState::kFinished : RunState::kUnfinished;
}

fs::path set_aside(const PlannedRun& run) {
  const std::string hash = config_hash(load_config(run.folder / "config.toml"));
  fs::path place = run.folder;
  place += "." + hash.substr(0, 8);
  while (fs::exists(place)) place += "+";
  std::error_code error;
  fs::rename(run.folder, place, error);
  if (error)
    throw UserError("cannot move the run in '" + run.folder.string() +
                    "' aside: " + error.message() + "; choose another folder with --out");
  return place;
}

double EpochTime::total(const TrainOptions& options) const {
  return static_cast<double>(options.epochs) *
         (training + evaluation / static_cast<double>(options.evaluate_every));
}

EpochTime measure_epoch(const RunConfig& config, const Splits& splits) {
  seed_default_generator(config.train.seed);
  const auto model = build_model(config.model, scalar_type(config.train.dtype));
  StepClock clock;
  TrainOptions options = config.train;
  options.epochs = 1000;  // the clock ends it first
  options.patience = 0;
  options.max_seconds = 0;
  fit(*model, splits, options, {nullptr, &clock, &clock.stop});
  return {clock.epoch(), evaluation_seconds(*model, splits, config.train)};
}

bool has_ending_schedule(const TrainOptions& options) {
  return options.schedule == Schedule::kCosine || options.schedule == Schedule::kWarmupCosine;
}

void fit_schedule(PlannedRun& run, const EpochTime& time) {
  constexpr double kCaution = 0.85;  // other runs share the machine
  constexpr double kEvaluationShare = 0.2;
  const TrainOptions& train = run.resolved.train;
  const double available = kCaution * train.max_seconds - time.evaluation;  // the last one is sure
  const double every = std::max(static_cast<double>(train.evaluate_every),
                                std::ceil(time.evaluation / (kEvaluationShare * time.training)));
  const double fitting = std::floor(available / (time.training + time.evaluation / every));
  const double epochs = std::clamp(fitting, 1.0, static_cast<double>(train.epochs));
  reschedule(run, std::lround(epochs), std::lround(std::min(every, epochs)));
}

bool adopt_schedule(PlannedRun& run) {
  if (!RunFolder::holds_run(run.folder)) return false;
  const TrainOptions saved = load_config(run.folder / "config.toml").train;
  PlannedRun same = run;
  reschedule(same, saved.epochs, saved.evaluate_every);
  if (run_state(same) == RunState::kOther) return false;
  run = same;
  return true;
}

}  // namespace equiframe::inline experiments
