#pragma once

#include <filesystem>
#include <memory>

#include "equiframe/training/model_card.h"

namespace equiframe::inline training {

/// A model with what its file says about it; ready to evaluate.
struct LoadedModel {
  std::shared_ptr<Model> model;
  ModelCard card;
  Batch reference_input;
  Tensor reference_output;
};

/// Writes parameters, buffers, card and reference pair as .safetensors
/// (docs/formats/model_file.md). Fills in the card's architecture facts (signature, parameter
/// count, dtype), the equivariance errors measured on `reference`, and the reference output.
/// Returns the card as written.
ModelCard save_model(const std::filesystem::path& file, Model& model, ModelCard card,
                     const Batch& reference);

/// Builds the model the card names and fills it. Throws UserError if the file is damaged, is of a
/// later format, does not fit its architecture, or if the model does not give the stored reference
/// output again.
LoadedModel load_model(const std::filesystem::path& file);

/// The card alone; the model is not built.
ModelCard load_card(const std::filesystem::path& file);

/// The deviations of the loaded weights from the symmetry they claim, on `x`.
EquivarianceErrors measure_equivariance(const LoadedModel& loaded, const Batch& x,
                                        uint64_t seed = 1);

struct Verification {
  double reference_error = 0;  ///< relative
  EquivarianceErrors equivariance;
  bool reference_holds = false;
  bool equivariance_holds = false;
  bool pass() const { return reference_holds && equivariance_holds; }
};

/// Measures what the card claims. Unlike `load_model` it also reports a model that fails.
Verification verify_model(const std::filesystem::path& file, uint64_t seed = 1);

/// The registered model `choice` in `type`, in `eval()`; refuses settings it does not know.
std::shared_ptr<Model> build_model(const Choice& choice, c10::ScalarType type);

/// Copies parameters and buffers between modules of one architecture, converting the type.
void copy_weights(const torch::nn::Module& from, torch::nn::Module& to);

c10::ScalarType scalar_type(Precision precision);

}  // namespace equiframe::inline training
