#include "training/engine/checkpoint.h"

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "io/weights/safetensors.h"

namespace equiframe::inline training {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "equiframe-checkpoint-1";
constexpr int64_t kColumns = 9;          // numbers of an Evaluation
constexpr int64_t kWithoutMeasure = 8;   // before normals were judged by their angle
constexpr int64_t kWithoutAccuracy = 6;  // and before there were classifiers

Tensor to_tensor(const History& history) {
  std::vector<double> numbers;
  for (const Evaluation& e : history)
    numbers.insert(numbers.end(), {static_cast<double>(e.epoch), static_cast<double>(e.step), e.lr,
                                   e.train_loss, e.valid.error, e.test.error, e.valid.accuracy,
                                   e.test.accuracy, static_cast<double>(e.valid.measure)});
  return torch::tensor(numbers, torch::kFloat64)
      .view({static_cast<int64_t>(history.size()), kColumns});
}

History to_history(const Tensor& numbers) {
  History history;
  const auto rows = numbers.accessor<double, 2>();
  const bool accuracies = rows.size(1) > kWithoutAccuracy;
  const bool measures = rows.size(1) > kWithoutMeasure;
  for (int64_t i = 0; i < rows.size(0); ++i) {
    const auto row = rows[i];
    const double valid = accuracies ? row[6] : NAN, test = accuracies ? row[7] : NAN;
    const Measure measure = measures            ? static_cast<Measure>(row[8])
                            : std::isnan(valid) ? Measure::kSquaredError
                                                : Measure::kCrossEntropy;
    history.push_back({static_cast<int64_t>(row[0]),
                       static_cast<int64_t>(row[1]),
                       row[2],
                       row[3],
                       {row[4], valid, measure},
                       {row[5], test, measure}});
  }
  return history;
}

/// The numbers that must come back to the last bit go into arrays, not into text.
Tensor to_tensor(const Progress& p) {
  return torch::tensor(
      {static_cast<double>(p.epoch), static_cast<double>(p.batch), static_cast<double>(p.step),
       p.loss_sum, static_cast<double>(p.best), p.seconds},
      torch::kFloat64);
}

Progress to_progress(const Tensor& numbers) {
  const auto p = numbers.accessor<double, 1>();
  return {static_cast<int64_t>(p[0]), static_cast<int64_t>(p[1]),
          static_cast<int64_t>(p[2]), p[3],
          static_cast<int64_t>(p[4]), p[5]};
}

void put(SafeTensors& content, const std::string& name, const Tensor& tensor) {
  if (tensor.defined()) content.tensors[name] = tensor;
}

SafeTensors to_content(const TrainState& state) {
  SafeTensors content;
  content.metadata = {{"format", kFormat}, {"layout", state.layout}};
  put(content, "progress", to_tensor(state.progress));
  put(content, "history", to_tensor(state.history));
  put(content, "parameters", state.parameters);
  put(content, "adam/mean", state.mean);
  put(content, "adam/variance", state.variance);
  put(content, "average", state.average);
  put(content, "best/parameters", state.best);
  for (const auto& [name, buffer] : state.buffers) put(content, "buffer/" + name, buffer);
  for (const auto& [name, buffer] : state.best_buffers) put(content, "best/buffer/" + name, buffer);
  return content;
}

NamedTensors with_prefix(const SafeTensors& content, const std::string& prefix) {
  NamedTensors result;
  for (const auto& [name, tensor] : content.tensors) {
    if (name.starts_with(prefix)) result[name.substr(prefix.size())] = tensor;
  }
  return result;
}

Tensor optional_array(const SafeTensors& content, const std::string& name) {
  const auto found = content.tensors.find(name);
  return found == content.tensors.end() ? Tensor() : found->second;
}

TrainState to_state(const SafeTensors& content, const fs::path& file) {
  const auto format = content.metadata.find("format");
  if (format == content.metadata.end() || format->second != kFormat)
    throw UserError("'" + file.string() + "' is no checkpoint of this version");
  TrainState state;
  state.layout = content.metadata.at("layout");
  state.progress = to_progress(content.at("progress", file));
  state.history = to_history(content.at("history", file));
  state.parameters = content.at("parameters", file);
  state.mean = content.at("adam/mean", file);
  state.variance = content.at("adam/variance", file);
  state.average = optional_array(content, "average");
  state.best = optional_array(content, "best/parameters");
  state.buffers = with_prefix(content, "buffer/");
  state.best_buffers = with_prefix(content, "best/buffer/");
  return state;
}

/// Gives `from` a second name in place of whatever had it, atomically.
void rename_copy(const fs::path& from, const fs::path& to) {
  const fs::path temporary = to.string() + ".tmp";
  std::error_code error;
  fs::remove(temporary, error);
  fs::create_hard_link(from, temporary, error);
  if (error) fs::copy_file(from, temporary, error);  // a file system without links
  if (!error) fs::rename(temporary, to, error);
  if (error)
    throw UserError("cannot write '" + to.string() + "': " + error.message() +
                    "; check the run folder and the disk");
}

}  // namespace

Checkpoints::Checkpoints(fs::path folder) : folder_(std::move(folder)) {}

fs::path Checkpoints::newest() const {
  return folder_ / "checkpoint.safetensors";
}

fs::path Checkpoints::previous() const {
  return folder_ / "checkpoint.previous.safetensors";
}

void Checkpoints::save(const TrainState& state) {
  if (newest_is_good_) rename_copy(newest(), previous());
  save_safetensors(newest(), to_content(state));
  newest_is_good_ = true;
}

std::optional<Checkpoints::Loaded> Checkpoints::load() {
  std::string fault;
  for (const fs::path& file : {newest(), previous()}) {
    if (!fs::exists(file)) continue;
    try {
      Loaded loaded{to_state(load_safetensors(file), file), fault};
      newest_is_good_ = file == newest();
      if (!fault.empty()) loaded.warning += "; going on from the checkpoint before it";
      return loaded;
    } catch (const UserError& error) {
      fault += (fault.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (fault.empty()) return std::nullopt;
  throw UserError("no checkpoint of '" + folder_.string() + "' can be read: " + fault +
                  "; start again with --force");
}

}  // namespace equiframe::inline training
