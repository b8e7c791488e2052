#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "equiframe/core/batch.h"
#include "equiframe/core/options.h"
#include "equiframe/core/registry.h"
#include "equiframe/core/rng.h"
#include "equiframe/export.h"

namespace equiframe::inline datasets {

/// A batch of samples: what the model is given and what the loss compares its answer with.
struct Example {
  Batch input;
  Tensor target;
};

/// Samples in memory, with random access.
class EQUIFRAME_API Dataset {
 public:
  virtual ~Dataset() = default;
  virtual int64_t size() const = 0;
  /// The samples of these numbers, int64 [B], in this order.
  virtual Example get(const Tensor& indices) const = 0;
  /// The same as a training step sees them: with the augmentation of this data set, if it has one,
  /// drawn from `rng` alone, so that a resumed run sees the same again.
  virtual Example draw(const Tensor& indices, const Rng& /*rng*/) const { return get(indices); }
  /// Whether `draw` is not `get`.
  virtual bool augments() const { return false; }
};

struct Splits {
  std::shared_ptr<const Dataset> train, valid, test;
  std::string checksum;     ///< SHA-256 of the training arrays, hexadecimal
  std::string description;  ///< one line for logs and reports
  /// The label that stands behind class 0, 1, ...; empty where nothing is classified.
  std::vector<int64_t> classes = {};
};

struct DataRequest {
  Options options;
  std::filesystem::path folder;  ///< where the data are; empty = in the cache, made if need be
  /// Told how far long work has come, if it is set.
  std::function<void(double fraction, const std::string& what)> progress;
};

/// A data set that can be chosen by name. One file in src/datasets/ each.
class EQUIFRAME_API SplitSource {
 public:
  static constexpr const char* kKind = "dataset";
  virtual ~SplitSource() = default;
  /// Throws UserError for options it does not know and data it cannot read.
  virtual Splits load(const DataRequest& request) const = 0;
};

using Datasets = Registry<SplitSource>;

}  // namespace equiframe::inline datasets
