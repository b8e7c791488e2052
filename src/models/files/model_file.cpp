#include "equiframe/models/model_file.h"

#include <torch/types.h>

#include "core/default_generator.h"
#include "equiframe/core/error.h"
#include "equiframe/laws/group_laws.h"
#include "equiframe/runtime/blas.h"
#include "io/weights/safetensors.h"

namespace equiframe::inline models {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCard = "equiframe";
constexpr const char* kOutput = "reference/output";
constexpr double kReferenceTolerance32 = 1e-4;
constexpr double kReferenceTolerance64 = 1e-9;

/// Name in the file and member of the parts a reference input may have.
constexpr std::pair<const char*, Tensor Batch::*> kInputParts[] = {
    {"reference/input", &Batch::x},   {"reference/pair", &Batch::pair},
    {"reference/mask", &Batch::mask}, {"reference/weights", &Batch::weights},
    {"reference/id", &Batch::id},     {"reference/neighbors", &Batch::neighbors},
    {"reference/edge", &Batch::edge}};

/// Parameters and buffers by name.
std::map<std::string, Tensor> weights_of(const torch::nn::Module& module) {
  std::map<std::string, Tensor> result;
  for (const auto& item : module.named_parameters()) result[item.key()] = item.value();
  for (const auto& item : module.named_buffers()) result[item.key()] = item.value();
  return result;
}

Tensor evaluate(Model& model, const Batch& x) {
  const torch::NoGradGuard no_grad;
  model.eval();
  return model.forward(to_type(x, type_of(model)));
}

/// The same weights in another type, as a model of its own.
std::shared_ptr<Model> converted(const Model& model, const Choice& architecture,
                                 c10::ScalarType type) {
  auto copy = build_model(architecture, type);
  copy_weights(model, *copy);
  return copy;
}

void fill(Model& model, const SafeTensors& content, const fs::path& file) {
  const torch::NoGradGuard no_grad;
  size_t found = 0;
  for (auto& [name, weight] : weights_of(model)) {
    const Tensor& stored = content.at(name, file);
    if (stored.sizes() != weight.sizes())
      throw UserError(c10::str("'", file.string(), "' has '", name, "' of shape ", stored.sizes(),
                               ", its architecture needs ", weight.sizes(),
                               "; the file was changed"));
    Tensor(weight).copy_(stored);
    ++found;
  }
  for (const auto& [name, tensor] : content.tensors) {
    if (!name.starts_with("reference/")) --found;
  }
  if (found != 0)
    throw UserError("'" + file.string() + "' has arrays its architecture does not; it was changed");
}

ModelCard card_in(const SafeTensors& content, const fs::path& file) {
  const auto card = content.metadata.find(kCard);
  return parse_card(card == content.metadata.end() ? "" : card->second, file.string());
}

/// Everything but the check of the reference output.
LoadedModel read_model(const fs::path& file) {
  const SafeTensors content = load_safetensors(file);
  LoadedModel loaded;
  loaded.card = card_in(content, file);
  loaded.model = build_model(loaded.card.architecture, scalar_type(loaded.card.dtype));
  fill(*loaded.model, content, file);
  for (const auto& [name, part] : kInputParts) {
    const auto found = content.tensors.find(name);
    if (found != content.tensors.end()) loaded.reference_input.*part = found->second;
  }
  content.at(kInputParts[0].first, file);
  loaded.reference_output = content.at(kOutput, file);
  return loaded;
}

double reference_error(const LoadedModel& loaded) {
  const Tensor output = evaluate(*loaded.model, loaded.reference_input);
  if (output.sizes() != loaded.reference_output.sizes()) return INFINITY;
  return laws::relative_difference(output.to(torch::kFloat64),
                                   loaded.reference_output.to(torch::kFloat64));
}

}  // namespace

std::shared_ptr<Model> build_model(const Choice& choice, c10::ScalarType type) {
  const Options options = choice.options();
  default_generator();  // as make_model does
  std::shared_ptr<Model> model = Models::instance().make(choice.name, options);
  options.refuse_unread("model '" + choice.name + "'");
  model->to(type);
  model->eval();
  return model;
}

void copy_weights(const torch::nn::Module& from, torch::nn::Module& to) {
  const torch::NoGradGuard no_grad;
  const auto source = weights_of(from);
  for (auto& [name, weight] : weights_of(to)) Tensor(weight).copy_(source.at(name));
}

ModelCard save_model(const fs::path& file, Model& model, ModelCard card, const Batch& reference) {
  const auto type = type_of(model);
  card.dtype = type == torch::kFloat64 ? Precision::kFloat64 : Precision::kFloat32;
  card.signature = model.signature();
  card.parameters = parameter_count(model);
  card.reference_tolerance =
      type == torch::kFloat64 ? kReferenceTolerance64 : kReferenceTolerance32;
  const Batch input = to_type(reference, type);
  card.equivariance = measure_equivariance(
      [&](c10::ScalarType wanted) { return converted(model, card.architecture, wanted); }, input);
  SafeTensors content;
  content.tensors = weights_of(model);
  for (const auto& [name, part] : kInputParts) {
    if ((input.*part).defined()) content.tensors[name] = input.*part;
  }
  content.tensors[kOutput] = evaluate(model, input);
  content.metadata[kCard] = to_json(card);
  save_safetensors(file, content);
  return card;
}

ModelCard load_card(const fs::path& file) {
  return card_in(load_safetensors(file), file);
}

EquivarianceErrors measure_equivariance(const LoadedModel& loaded, const Batch& x, uint64_t seed) {
  return measure_equivariance(
      [&](c10::ScalarType type) {
        return converted(*loaded.model, loaded.card.architecture, type);
      },
      x, seed);
}

LoadedModel load_model(const fs::path& file) {
  runtime::use_fast_blas();
  LoadedModel loaded = read_model(file);
  const double error = reference_error(loaded);
  if (!(error <= loaded.card.reference_tolerance))
    throw UserError(c10::str("'", file.string(), "' does not give its own reference output: error ",
                             error, ", tolerance ", loaded.card.reference_tolerance,
                             "; see 'equiframe model verify'"));
  return loaded;
}

Verification verify_model(const fs::path& file, uint64_t seed) {
  const LoadedModel loaded = read_model(file);
  Verification result;
  result.reference_error = reference_error(loaded);
  result.reference_holds = result.reference_error <= loaded.card.reference_tolerance;
  result.equivariance = measure_equivariance(loaded, loaded.reference_input, seed);
  result.equivariance_holds = loaded.model->signature().group == loaded.card.signature.group &&
                              within(result.equivariance, loaded.card.equivariance_tolerance);
  return result;
}

}  // namespace equiframe::inline models
