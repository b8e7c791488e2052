#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "equiframe/export.h"
#include "equiframe/models/model.h"

namespace equiframe::inline models {

/// Where numbers come from, without a date: the same run on the same machine says the same.
struct Provenance {
  std::string commit;  ///< of the program's sources; "" if unknown
  std::string equiframe;
  std::string libtorch;
  std::string cpu;
  std::string simd;
  int64_t threads = 0;
};

/// This process and machine.
EQUIFRAME_API Provenance provenance(std::string commit);

/// Largest relative deviation from the symmetry a model claims, over random group elements:
/// max |f(gx) - g f(x)| / max(1, |f|), the network run in either type and the group in float64.
struct EquivarianceErrors {
  double float32 = 0;
  double float64 = 0;
  double permutation32 = 0;  ///< the same for relabelling the nodes
  double permutation64 = 0;
};

/// What a model file may claim and `equiframe model verify` accepts.
inline constexpr EquivarianceErrors kEquivarianceTolerance{1e-3, 1e-9, 1e-3, 1e-9};

EQUIFRAME_API bool within(const EquivarianceErrors& errors, const EquivarianceErrors& tolerance);

/// What a model file says about itself, stored as JSON.
struct ModelCard {
  static constexpr int kFormat = 1;

  Choice architecture;  ///< name in the registry of models, and its settings
  Precision dtype = Precision::kFloat32;
  Signature signature;
  int64_t parameters = 0;
  std::string data_description;
  std::string data_checksum;
  Choice data;                            ///< name in the registry of data sets, and its settings
  std::vector<int64_t> classes;           ///< label behind class 0, 1, ... of a classifier
  std::map<std::string, double> metrics;  ///< "test_mse", "best_epoch", ...
  EquivarianceErrors equivariance;        ///< measured when the file was written
  EquivarianceErrors equivariance_tolerance = kEquivarianceTolerance;
  double reference_tolerance = 0;  ///< relative, for the stored reference output
  std::string licence = "MIT";
  Provenance provenance;
  std::string config;  ///< the whole run, as TOML; "" if it was not trained by one
};

EQUIFRAME_API std::string to_json(const ModelCard& card);
/// Throws UserError; `where` names the file in messages.
EQUIFRAME_API ModelCard parse_card(const std::string& json, const std::string& where);

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
