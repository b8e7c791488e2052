#include "equiframe/training/run.h"

#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "core/default_generator.h"
#include "equiframe/core/error.h"
#include "io/bytes/atomic_file.h"
#include "runtime/threads.h"
#include "training/engine/checkpoint.h"
#include "training/engine/curve.h"
#include "training/engine/load_data.h"
#include "training/engine/metrics.h"
#include "training/engine/prepared_data.h"
#include "training/engine/result.h"
#include "training/engine/run_folder.h"

namespace equiframe::inline training {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kReferenceItems = 4;
constexpr int64_t kReferenceNumbers = 40'000;  // of its input, about: files stay small

/// What may not change in the life of a run, because the state on the disk depends on it.
void require_same_run(const RunConfig& saved, const RunConfig& now, const fs::path& folder) {
  const TrainOptions &a = saved.train, &b = now.train;
  const std::pair<const char*, bool> same[] = {{"data", saved.data == now.data},
                                               {"model", saved.model == now.model},
                                               {"train.seed", a.seed == b.seed},
                                               {"train.batch", a.batch == b.batch},
                                               {"train.drop_last", a.drop_last == b.drop_last},
                                               {"train.dtype", a.dtype == b.dtype}};
  for (const auto& [key, agrees] : same) {
    if (!agrees)
      throw UserError("the run in '" + folder.string() + "' was started with another " + key +
                      "; train it in another folder with --out, or replace it with --force");
  }
}

constexpr const char* kCurve = "curve.svg";

void remove_run(const fs::path& folder) {
  for (const char* name :
       {"config.toml", "metrics.jsonl", "timing.jsonl", "result.json", "model.safetensors",
        "checkpoint.safetensors", "checkpoint.previous.safetensors", kCurve})
    fs::remove(folder / name);
}

void prepare(const RunRequest& request, RunFolder& folder) {
  const bool exists = RunFolder::holds_run(folder.path());
  if (exists && request.on_existing == OnExisting::kReplace) remove_run(folder.path());
  if (exists && request.on_existing == OnExisting::kResume)
    require_same_run(load_config(folder.config()), request.config, folder.path());
  write_file_atomically(folder.config(), to_toml(request.config));
}

void use_threads(int64_t threads) {
  if (threads == 0) return;
  const int bounded = runtime::bounded_threads(threads);
  runtime::set_blas_threads(bounded);
  at::set_num_threads(bounded);
}

Batch reference_input(const Splits& splits) {
  const int64_t items = std::min(kReferenceItems, splits.test->size());
  const Batch all = splits.test->get(torch::arange(items)).input;
  const int64_t each = std::max<int64_t>(1, all.x.numel() / std::max<int64_t>(1, all.size()));
  const int64_t rows = std::clamp<int64_t>(kReferenceNumbers / each, 1, all.size());
  if (rows == all.size()) return all;
  const Tensor spread = torch::arange(rows) * all.size() / rows;  // samples give several rows each
  return all.map([&](const Tensor& part) { return part.index_select(0, spread.to(torch::kLong)); });
}

/// Some samples of a data set, evenly spread over it.
class SomeOf final : public Dataset {
 public:
  SomeOf(const Dataset& all, int64_t most) : all_(all), size_(std::min(most, all.size())) {}
  int64_t size() const override { return size_; }
  Example get(const Tensor& indices) const override {
    return all_.get(torch::div(indices * all_.size(), size_, "floor"));
  }

 private:
  const Dataset& all_;
  int64_t size_;
};

/// Where seconds count, training samples are scored no more than test samples are.
std::map<std::string, double> final_metrics(Model& model, const Splits& splits,
                                            const FitResult& fit, const TrainOptions& train) {
  std::map<std::string, double> metrics{{"train_loss", fit.best().train_loss},
                                        {"best_epoch", static_cast<double>(fit.best().epoch)},
                                        {"epochs", static_cast<double>(fit.progress.epoch)}};
  const Dataset& known = *splits.train;
  const SomeOf scored(known, train.max_seconds > 0 ? splits.test->size() : known.size());
  metrics.merge(named("train", score(model, scored, train.batch, measure_of(train.loss))));
  metrics.merge(named("valid", fit.best().valid));
  metrics.merge(named("test", fit.best().test));
  return metrics;
}

ModelCard card_of(const RunConfig& config) {
  ModelCard card;
  card.architecture = config.model;
  card.data = config.data;
  card.dtype = config.train.dtype;
  card.config = to_toml(config);
  return card;
}

/// The data as they are, and as the model is trained on them.
struct RunData {
  const Splits& raw;
  const Splits& ready;
};

void complete(const RunRequest& request, const RunData& data, Model& model, RunFolder& folder,
              RunResult& result) {
  const Splits& splits = data.raw;
  result.metrics = final_metrics(model, data.ready, result.fit, request.config.train);
  ModelCard card = card_of(request.config);
  card.data_description = splits.description;
  card.data_checksum = splits.checksum;
  card.classes = splits.classes;
  card.metrics = result.metrics;
  card.provenance = provenance(request.commit);
  result.card = save_model(folder.model(), model, std::move(card), reference_input(splits));
  write_file_atomically(
      folder.path() / kCurve,
      training_curve(result.fit.history, static_cast<size_t>(result.fit.progress.best)).file());
  write_file_atomically(folder.result(), result_json(request, result));
  result.finished = true;
}

}  // namespace

Splits load_data(const Choice& data, const fs::path& folder, Observer* observer) {
  DataRequest request;
  request.options = data.options();
  request.folder = folder;
  request.progress = [observer](double fraction, const std::string& text) {
    if (observer != nullptr) observer->on_data(fraction, text);
  };
  return Datasets::instance().make(data.name)->load(request);
}

RunResult run(const RunRequest& request) {
  const TrainOptions& train = request.config.train;
  if (request.on_existing == OnExisting::kRefuse && RunFolder::holds_run(request.folder))
    throw UserError("'" + request.folder.string() +
                    "' holds a run already; go on with it by --resume, replace it by --force, or "
                    "choose another folder with --out");
  use_threads(train.threads);
  seed_default_generator(train.seed);
  const auto model = build_model(request.config.model, scalar_type(train.dtype));
  const Splits splits = load_data(request.config.data, request.data, request.observer);
  RunFolder folder(request.folder);
  prepare(request, folder);
  RunResult result;
  const Splits ready = prepared(*model, splits, scalar_type(train.dtype));
  result.fit = fit(*model, ready, train, {&folder, request.observer, request.stop, request.data});
  if (result.fit.reason != StopReason::kInterrupted)
    complete(request, {splits, ready}, *model, folder, result);
  return result;
}

LoadedModel load_run(const fs::path& folder) {
  if (fs::exists(folder / "model.safetensors")) return load_model(folder / "model.safetensors");
  const RunConfig config = load_config(folder / "config.toml");
  const auto loaded = Checkpoints(folder).load();
  if (!loaded || !loaded->state.best.defined())
    throw UserError("the run in '" + folder.string() +
                    "' has no evaluated weights yet; let it train longer");
  LoadedModel result;
  result.card = card_of(config);
  result.model = build_model(config.model, scalar_type(config.train.dtype));
  FlatParameters parameters(*result.model);
  const TrainState& state = loaded->state;
  if (state.layout != parameters.layout())
    throw UserError("the checkpoint of '" + folder.string() + "' is of another model");
  parameters.assign(state.best);
  for (auto& item : result.model->named_buffers())
    item.value().copy_(state.best_buffers.at(item.key()));
  const Evaluation& best = state.history.at(static_cast<size_t>(state.progress.best));
  result.card.signature = result.model->signature();
  result.card.parameters = parameter_count(*result.model);
  result.card.metrics = {{"best_epoch", static_cast<double>(best.epoch)},
                         {"epochs", static_cast<double>(state.progress.epoch)}};
  result.card.metrics.merge(named("valid", best.valid));
  result.card.metrics.merge(named("test", best.test));
  return result;
}

LoadedModel load_model_or_run(const fs::path& path) {
  return fs::is_directory(path) ? load_run(path) : load_model(path);
}

}  // namespace equiframe::inline training
