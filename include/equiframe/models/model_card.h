#pragma once

#include <map>
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

}  // namespace equiframe::inline models
