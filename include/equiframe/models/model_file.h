#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "equiframe/export.h"
#include "equiframe/models/model_card.h"

namespace equiframe::inline models {

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
EQUIFRAME_API ModelCard save_model(const std::filesystem::path& file, Model& model, ModelCard card,
                                   const Batch& reference);

/// Builds the model the card names and fills it. Throws UserError if the file is damaged, is of a
/// later format, does not fit its architecture, or if the model does not give the stored reference
/// output again.
EQUIFRAME_API LoadedModel load_model(const std::filesystem::path& file);

/// The card alone; the model is not built.
EQUIFRAME_API ModelCard load_card(const std::filesystem::path& file);

/// `model(type)` gives the model with its weights in that type. `draws` group elements for each
/// item of `x`; a model that claims no group has group errors of zero.
EQUIFRAME_API EquivarianceErrors
measure_equivariance(const std::function<std::shared_ptr<Model>(c10::ScalarType)>& model,
                     const Batch& x, uint64_t seed = 1, int64_t draws = 8);

/// The deviations of the loaded weights from the symmetry they claim, on `x`.
EQUIFRAME_API EquivarianceErrors measure_equivariance(const LoadedModel& loaded, const Batch& x,
                                                      uint64_t seed = 1);

struct Verification {
  double reference_error = 0;  ///< relative
  EquivarianceErrors equivariance;
  bool reference_holds = false;
  bool equivariance_holds = false;
  bool pass() const { return reference_holds && equivariance_holds; }
};

/// Measures what the card claims. Unlike `load_model` it also reports a model that fails.
EQUIFRAME_API Verification verify_model(const std::filesystem::path& file, uint64_t seed = 1);

/// The registered model `choice` in `type`, in `eval()`; refuses settings it does not know.
EQUIFRAME_API std::shared_ptr<Model> build_model(const Choice& choice, c10::ScalarType type);

/// Copies parameters and buffers between modules of one architecture, converting the type.
EQUIFRAME_API void copy_weights(const torch::nn::Module& from, torch::nn::Module& to);

}  // namespace equiframe::inline models
