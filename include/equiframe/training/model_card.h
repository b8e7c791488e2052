#pragma once

#include <map>
#include <string>
#include <vector>

#include "equiframe/models/model.h"
#include "equiframe/training/config.h"
#include "equiframe/training/equivariance.h"
#include "equiframe/training/metrics.h"

namespace equiframe::inline training {

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
Provenance provenance(std::string commit);

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

  /// By what it was judged when it was trained.
  Measure measure() const {
    if (metrics.contains("valid_normal_error")) return Measure::kUnoriented;
    return metrics.contains("valid_accuracy") ? Measure::kCrossEntropy : Measure::kSquaredError;
  }
};

std::string to_json(const ModelCard& card);
/// Throws UserError; `where` names the file in messages.
ModelCard parse_card(const std::string& json, const std::string& where);

}  // namespace equiframe::inline training
