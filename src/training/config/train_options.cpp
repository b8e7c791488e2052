#include "training/config/train_options.h"

#include <charconv>
#include <cmath>
#include <numbers>

#include "equiframe/core/error.h"

namespace equiframe::inline training {
namespace {

template <class Number>
bool read(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

double cosine(double high, double low, double fraction) {
  return low + (high - low) * 0.5 * (1 + std::cos(std::numbers::pi * std::min(1.0, fraction)));
}

void require(bool holds, const char* key, const char* range) {
  if (!holds) throw UserError(std::string("train.") + key + " must be " + range);
}

}  // namespace

CheckpointInterval CheckpointInterval::parse(const std::string& text) {
  CheckpointInterval result{0, 0};
  const bool in_seconds = text.ends_with('s');
  const bool good = in_seconds
                        ? read(std::string_view(text).substr(0, text.size() - 1), result.seconds)
                        : read(text, result.epochs);
  if (!good || result.epochs < 0 || !(result.seconds >= 0))
    throw UserError("train.checkpoint_every = '" + text +
                    "' is neither a number of epochs such as 20 nor a time such as '90s'");
  return result;
}

std::string CheckpointInterval::str() const {
  if (epochs > 0 || seconds == 0) return std::to_string(epochs);
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer - 1, seconds);
  return std::string(buffer, end) + "s";
}

double learning_rate(const TrainOptions& o, double epoch) {
  const auto length = static_cast<double>(o.epochs);
  switch (o.schedule) {
    case Schedule::kConstant:
      return o.lr;
    case Schedule::kCosine:
      return cosine(o.lr, o.min_lr, epoch / length);
    case Schedule::kStep:
      return o.lr * std::pow(o.step_factor, std::floor(epoch / o.step_epochs));
    case Schedule::kWarmupCosine:
      if (epoch < o.warmup_epochs) return o.lr * epoch / o.warmup_epochs;
      return cosine(o.lr, o.min_lr, (epoch - o.warmup_epochs) / (length - o.warmup_epochs));
  }
  return o.lr;
}

void validate(const TrainOptions& o) {
  require(o.epochs > 0, "epochs", "positive");
  require(o.batch > 0, "batch", "positive");
  require(o.lr > 0 && std::isfinite(o.lr), "lr", "positive");
  require(o.weight_decay >= 0, "weight_decay", "zero or more");
  require(o.clip >= 0, "clip", "zero (off) or more");
  require(o.ema >= 0 && o.ema < 1, "ema", "at least 0 (off) and below 1");
  require(o.huber_delta > 0, "huber_delta", "positive");
  require(o.cauchy_delta > 0, "cauchy_delta", "positive");
  require(o.min_lr >= 0 && o.min_lr <= o.lr, "min_lr", "between 0 and train.lr");
  require(o.warmup_epochs >= 0 && o.warmup_epochs < static_cast<double>(o.epochs), "warmup_epochs",
          "at least 0 and below train.epochs");
  require(o.schedule != Schedule::kStep || o.step_epochs > 0, "step_epochs",
          "positive with the step schedule");
  require(o.step_factor > 0, "step_factor", "positive");
  require(o.evaluate_every > 0, "evaluate_every", "positive");
  require(o.patience >= 0, "patience", "zero (off) or more");
  require(o.max_seconds >= 0, "max_seconds", "zero (off) or more");
  require(o.threads >= 0, "threads", "zero (automatic) or more");
}

}  // namespace equiframe::inline training
