#include "training/engine/result.h"

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "runtime/machine.h"

namespace equiframe::inline training {
namespace {

using nlohmann::ordered_json;

int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

/// Counts as whole numbers.
ordered_json metrics_json(const std::map<std::string, double>& metrics) {
  ordered_json result;
  for (const auto& [name, value] : metrics) {
    if (name == "best_epoch" || name == "epochs")
      result[name] = static_cast<int64_t>(value);
    else
      result[name] = value;
  }
  return result;
}

ordered_json paper_json(const PaperValue& paper) {
  if (paper.table.empty()) return nullptr;
  return {{"table", paper.table}, {"row", paper.row}, {"value", paper.value}};
}

}  // namespace

std::string result_json(const RunRequest& request, const RunResult& result) {
  const ModelCard& card = result.card;
  const runtime::Machine machine = runtime::machine();
  const ordered_json json{
      {"model", card.architecture.name},
      {"parameters", card.parameters},
      {"metrics", metrics_json(result.metrics)},
      {"stopped_by", to_string(result.fit.reason)},
      {"seed", request.config.train.seed},
      {"seconds", result.fit.progress.seconds},
      {"peak_memory_bytes", peak_memory_bytes()},
      {"equivariance",
       {{"group", card.signature.group},
        {"float32", card.equivariance.float32},
        {"float64", card.equivariance.float64},
        {"permutation_float32", card.equivariance.permutation32},
        {"permutation_float64", card.equivariance.permutation64}}},
      {"paper", paper_json(request.config.paper)},
      {"config_sha256", config_hash(request.config)},
      {"data", {{"description", card.data_description}, {"checksum", card.data_checksum}}},
      {"provenance",
       {{"commit", card.provenance.commit},
        {"equiframe", card.provenance.equiframe},
        {"libtorch", card.provenance.libtorch},
        {"cpu", card.provenance.cpu},
        {"cores", machine.usable_cores},
        {"simd", card.provenance.simd},
        {"threads", card.provenance.threads}}}};
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace equiframe::inline training
