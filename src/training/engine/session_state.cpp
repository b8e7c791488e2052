/// What a session keeps: from the disk, to the disk, and the best weights.
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "training/engine/run_folder.h"
#include "training/engine/session.h"

namespace equiframe::inline training {
namespace {

NamedTensors copy_buffers(const torch::nn::Module& model) {
  NamedTensors result;
  for (const auto& item : model.named_buffers()) result[item.key()] = item.value().clone();
  return result;
}

void put_buffers(torch::nn::Module& model, const NamedTensors& values) {
  for (auto& item : model.named_buffers()) item.value().copy_(values.at(item.key()));
}

bool same_names(const torch::nn::Module& model, const NamedTensors& values) {
  const auto buffers = model.named_buffers();
  bool same = buffers.size() == values.size();
  for (const auto& item : buffers)
    same = same && values.contains(item.key()) &&
           values.at(item.key()).sizes() == item.value().sizes();
  return same;
}

}  // namespace

void Session::restore() {
  if (!checkpoints_) return;
  std::optional<Checkpoints::Loaded> loaded = checkpoints_->load();
  if (loaded) {
    if (!loaded->warning.empty()) observer_.on_message(loaded->warning);
    adopt(loaded->state);
  }
  context_.folder->rewrite_metrics(history_);
}

void Session::adopt(const TrainState& state) {
  if (state.layout != parameters_.layout() || !same_names(model_, state.buffers))
    throw UserError("the checkpoint of '" + context_.folder->path().string() +
                    "' is of another model; train it in another folder with --out");
  parameters_.assign(state.parameters);
  adam_.mean().copy_(state.mean);
  adam_.variance().copy_(state.variance);
  if (average_.defined())
    average_.copy_(state.average.defined() ? state.average : state.parameters);
  put_buffers(model_, state.buffers);
  best_ = state.best;
  best_buffers_ = state.best_buffers;
  progress_ = state.progress;
  history_ = state.history;
  earlier_seconds_ = progress_.seconds;
  saved_step_ = progress_.step;
  saved_epoch_ = progress_.epoch;
}

TrainState Session::snapshot() const {
  TrainState state;
  state.progress = progress_;
  state.history = history_;
  state.layout = parameters_.layout();
  state.parameters = parameters_.values();
  state.mean = adam_.mean();
  state.variance = adam_.variance();
  state.average = average_;
  state.best = best_;
  state.buffers = copy_buffers(model_);
  state.best_buffers = best_buffers_;
  return state;
}

void Session::save() {
  if (!checkpoints_) return;
  if (!parameters_.values().isfinite().all().item<bool>())
    refuse(c10::str("the weights are not finite after step ", progress_.step));
  progress_.seconds = seconds();
  checkpoints_->save(snapshot());
  saved_step_ = progress_.step;
  saved_epoch_ = progress_.epoch;
  saved_at_ = Clock::now();
  observer_.on_checkpoint(progress_);
}

void Session::save_if_due() {
  const CheckpointInterval& every = options_.checkpoint_every;
  const double passed = std::chrono::duration<double>(Clock::now() - saved_at_).count();
  const bool by_time = every.seconds > 0 && passed >= every.seconds;
  const bool by_epochs =
      every.epochs > 0 && progress_.batch == 0 && progress_.epoch - saved_epoch_ >= every.epochs;
  if (by_time || by_epochs) save();
}

void Session::keep_best() {
  progress_.best = static_cast<int64_t>(history_.size()) - 1;
  best_ = parameters_.values().clone();
  best_buffers_ = copy_buffers(model_);
}

FitResult Session::finish(StopReason reason) {
  progress_.seconds = seconds();
  if (saved_step_ != progress_.step) save();
  parameters_.assign(best_);
  put_buffers(model_, best_buffers_);
  parameters_.clear_gradients();
  model_.eval();
  return {reason, progress_, history_};
}

}  // namespace equiframe::inline training
