#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>
#include <torch/version.h>

#include "equiframe/core/error.h"
#include "equiframe/models/model_file.h"
#include "equiframe/version.h"
#include "runtime/machine.h"
#include "simd/cpu.h"

namespace equiframe::inline models {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const Choice& choice) {
  return {{"name", choice.name}, {"options", choice.settings}};
}

Choice to_choice(const ordered_json& json) {
  return {json.at("name"), json.at("options")};
}

ordered_json to_json(const EquivarianceErrors& e) {
  return {{"float32", e.float32},
          {"float64", e.float64},
          {"permutation_float32", e.permutation32},
          {"permutation_float64", e.permutation64}};
}

EquivarianceErrors to_errors(const ordered_json& json) {
  return {json.at("float32"), json.at("float64"), json.at("permutation_float32"),
          json.at("permutation_float64")};
}

ordered_json to_json(const Signature& s) {
  ordered_json json{{"group", s.group}, {"frame", s.frame}, {"in", s.in}, {"out", s.out}};
  if (s.average != "none") json["average"] = s.average;
  return json;
}

Signature to_signature(const ordered_json& json) {
  return {json.at("group"), json.at("frame"), json.at("in"), json.at("out"),
          json.value("average", "none")};
}

/// Averaged networks on graphs took the mean of features before cards said so.
void set_average(ModelCard& card) {
  Signature& signature = card.signature;
  if (signature.in != "graph" || signature.frame == "none" || signature.average != "none") return;
  signature.average = "features";
  card.architecture.settings.emplace("average", signature.average);
}

ordered_json to_json(const Provenance& p) {
  return {{"commit", p.commit}, {"equiframe", p.equiframe}, {"libtorch", p.libtorch},
          {"cpu", p.cpu},       {"simd", p.simd},           {"threads", p.threads}};
}

Provenance to_provenance(const ordered_json& json) {
  return {json.at("commit"), json.at("equiframe"), json.at("libtorch"),
          json.at("cpu"),    json.at("simd"),      json.at("threads")};
}

ModelCard to_card(const ordered_json& json) {
  ModelCard card;
  card.architecture = to_choice(json.at("architecture"));
  card.dtype = json.at("dtype") == "float64" ? Precision::kFloat64 : Precision::kFloat32;
  card.signature = to_signature(json.at("signature"));
  set_average(card);
  card.parameters = json.at("parameters");
  const ordered_json& data = json.at("data");
  card.data = to_choice(data);
  card.data_description = data.at("description");
  card.data_checksum = data.at("checksum");
  if (data.contains("classes")) card.classes = data.at("classes").get<std::vector<int64_t>>();
  card.metrics = json.at("metrics").get<std::map<std::string, double>>();
  card.equivariance = to_errors(json.at("equivariance").at("error"));
  card.equivariance_tolerance = to_errors(json.at("equivariance").at("tolerance"));
  card.reference_tolerance = json.at("reference_tolerance");
  card.licence = json.at("licence");
  card.provenance = to_provenance(json.at("provenance"));
  card.config = json.at("config");
  return card;
}

}  // namespace

Provenance provenance(std::string commit) {
  const runtime::Machine machine = runtime::machine();
  return {std::move(commit),
          std::string(version()),
          TORCH_VERSION,
          machine.cpu.brand,
          std::string(kernels::name(machine.simd)),
          at::get_num_threads()};
}

std::string to_json(const ModelCard& card) {
  ordered_json data = to_json(card.data);
  data["description"] = card.data_description;
  data["checksum"] = card.data_checksum;
  if (!card.classes.empty()) data["classes"] = card.classes;
  const ordered_json json{{"format", ModelCard::kFormat},
                          {"architecture", to_json(card.architecture)},
                          {"dtype", card.dtype == Precision::kFloat64 ? "float64" : "float32"},
                          {"signature", to_json(card.signature)},
                          {"parameters", card.parameters},
                          {"data", data},
                          {"metrics", card.metrics},
                          {"equivariance",
                           {{"error", to_json(card.equivariance)},
                            {"tolerance", to_json(card.equivariance_tolerance)}}},
                          {"reference_tolerance", card.reference_tolerance},
                          {"licence", card.licence},
                          {"provenance", to_json(card.provenance)},
                          {"config", card.config}};
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

ModelCard parse_card(const std::string& text, const std::string& where) {
  const ordered_json json = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("format") || !json["format"].is_number_integer())
    throw UserError("'" + where + "' has no model card; it is not a model of Equiframe");
  const int format = json["format"];
  if (format > ModelCard::kFormat)
    throw UserError("'" + where + "' has format " + std::to_string(format) +
                    ", this program reads up to " + std::to_string(ModelCard::kFormat) +
                    "; use a newer version");
  try {
    return to_card(json);
  } catch (const ordered_json::exception& error) {
    throw UserError("the model card of '" + where + "' is incomplete: " + error.what());
  }
}

}  // namespace equiframe::inline models
