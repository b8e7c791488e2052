#include "training/engine/session.h"

#include <cmath>
#include <mutex>

#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "training/engine/loss.h"
#include "training/engine/metrics.h"
#include "training/engine/run_folder.h"

namespace equiframe::inline training {
namespace {

int64_t batches_of_epoch(int64_t size, const TrainOptions& options) {
  const int64_t full = size / options.batch;
  if (!options.drop_last) return (size + options.batch - 1) / options.batch;
  if (full == 0)
    throw UserError(c10::str("the training set has ", size, " items, fewer than train.batch = ",
                             options.batch, "; lower it or set train.drop_last = false"));
  return full;
}

/// Dropout and the like draw from LibTorch's own generator: it too becomes a function of the step.
void seed_default_generator(const Rng& rng) {
  auto generator = at::globalContext().defaultGenerator(at::kCPU);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(rng.bits(0, 0));
}

}  // namespace

Session::Session(Model& model, const Splits& splits, const TrainOptions& options,
                 const FitContext& context)
    : model_(model),
      splits_(splits),
      options_(options),
      context_(context),
      observer_(context.observer != nullptr ? *context.observer : silent_),
      parameters_(model),
      adam_(parameters_, {options.optimizer, options.weight_decay}),
      batches_(batches_of_epoch(splits.train->size(), options)) {
  if (options.ema > 0) average_ = parameters_.values().clone();
  if (context.folder != nullptr) checkpoints_.emplace(context.folder->path());
}

FitResult Session::run() {
  restore();
  observer_.on_start(progress_);
  std::optional<StopReason> reason;
  while (!(reason = finished())) {
    if (stop_requested() || train_epoch() == EpochEnd::kStopped) {
      save();
      return {StopReason::kInterrupted, progress_, history_};
    }
    const bool last = progress_.epoch >= options_.epochs ||
                      (options_.max_seconds > 0 && seconds() >= options_.max_seconds);
    if (last || progress_.epoch % options_.evaluate_every == 0) evaluate();
    save_if_due();
  }
  return finish(*reason);
}

std::optional<StopReason> Session::finished() const {
  if (progress_.batch > 0) return std::nullopt;
  if (progress_.epoch >= options_.epochs) return StopReason::kEpochs;
  if (history_.empty() || progress_.epoch != history_.back().epoch) return std::nullopt;
  const int64_t best_epoch = history_[static_cast<size_t>(progress_.best)].epoch;
  if (options_.patience > 0 && progress_.epoch - best_epoch >= options_.patience)
    return StopReason::kPatience;
  if (options_.max_seconds > 0 && seconds() >= options_.max_seconds) return StopReason::kTime;
  return std::nullopt;
}

double Session::seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - start_).count();
}

double Session::rate() const {
  const auto step = static_cast<double>(progress_.step);
  return learning_rate(options_, step / static_cast<double>(batches_));
}

Session::EpochEnd Session::train_epoch() {
  model_.train();
  if (progress_.batch == 0) progress_.loss_sum = 0;
  const Tensor order = epoch_order(splits_.train->size(), options_.seed, progress_.epoch);
  while (progress_.batch < batches_) {
    const int64_t start = progress_.batch * options_.batch;
    const double loss =
        train_step(order.narrow(0, start, std::min(options_.batch, order.size(0) - start)));
    progress_.seconds = seconds();
    observer_.on_step({progress_, loss, batches_});
    if (progress_.batch == batches_) break;
    if (stop_requested()) return EpochEnd::kStopped;
    save_if_due();
  }
  ++progress_.epoch;
  progress_.batch = 0;
  return EpochEnd::kComplete;
}

double Session::train_step(const Tensor& indices) {
  const Rng rng{options_.seed, static_cast<uint64_t>(progress_.step)};
  seed_default_generator(rng);
  model_.set_rng(rng);
  const Example example =
      to_type(splits_.train->draw(indices, rng), parameters_.values().scalar_type());
  parameters_.clear_gradients();
  Tensor loss = training_loss(options_, model_.forward(example.input), example);
  if (const Tensor more = model_.regularizer(); more.defined()) loss = loss + more;
  const auto value = loss.item<double>();
  if (!std::isfinite(value))
    refuse(c10::str("the loss is ", value, " at epoch ", progress_.epoch + 1, ", step ",
                    progress_.step + 1));
  loss.backward();
  if (options_.clip > 0) {
    const double norm = parameters_.gradient_norm();
    if (norm > options_.clip) parameters_.scale_gradients(options_.clip / norm);
  }
  const double lr = rate();
  ++progress_.step;
  ++progress_.batch;
  progress_.loss_sum += value;
  adam_.step(progress_.step, lr);
  if (average_.defined())
    update_average(average_, parameters_.values(), options_.ema, progress_.step);
  return value;
}

template <class F>
void Session::with_evaluated_weights(F&& f) {
  if (!average_.defined()) return f();
  const Tensor current = parameters_.values().clone();
  parameters_.assign(average_);
  f();
  parameters_.assign(current);
}

void Session::evaluate() {
  Evaluation e;
  e.epoch = progress_.epoch;
  e.step = progress_.step;
  e.lr = learning_rate(options_, static_cast<double>(e.step - 1) / static_cast<double>(batches_));
  e.train_loss = progress_.loss_sum / static_cast<double>(batches_);
  const double before = seconds();
  with_evaluated_weights([&] {
    const Measure measure = measure_of(options_.loss);
    e.valid = score(model_, *splits_.valid, options_.batch, measure);
    e.test = score(model_, *splits_.test, options_.batch, measure);
    if (!std::isfinite(e.valid.error))
      refuse(c10::str("the validation error is ", e.valid.error, " after epoch ", e.epoch));
    history_.push_back(e);
    const bool better = progress_.best < 0 ||
                        e.valid.error < history_[static_cast<size_t>(progress_.best)].valid.error;
    if (better) keep_best();
  });
  progress_.seconds = seconds();
  if (context_.folder != nullptr) {
    context_.folder->append_metrics(e);
    context_.folder->append_timing(nlohmann::ordered_json{
        {"epoch", e.epoch},
        {"seconds", progress_.seconds},
        {"evaluation_seconds",
         progress_.seconds - before}}.dump());
  }
  observer_.on_evaluation(history_, progress_);
}

void Session::refuse(const std::string& what) const {
  if (!checkpoints_) throw UserError(what + "; lower train.lr or set train.clip");
  throw UserError(what + "; the last checkpoint is kept, go on from it with a lower rate: " +
                  c10::str(resume_command(context_.folder->path(), context_.data),
                           " --set train.lr=", options_.lr / 2));
}

}  // namespace equiframe::inline training
