#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "equiframe/core/backbone.h"
#include "equiframe/data/dataset.h"

namespace equiframe {

/// One line of metrics.jsonl. No clock in it: an interrupted and resumed run writes the same bytes.
struct Evaluation {
  int64_t epoch = 0;      ///< epochs done
  int64_t step = 0;       ///< optimiser steps done
  double lr = 0;          ///< of the last step
  double train_loss = 0;  ///< mean over the steps of the epoch, as the weights went by
  double valid_mse = 0;
  double test_mse = 0;
};

using History = std::vector<Evaluation>;

std::string to_json_line(const Evaluation& evaluation);

/// Mean squared error over all items, nodes and coordinates of a data set, in the order of the set,
/// by batches of `batch`; in `eval()` and without gradients. Leaves the model's mode as it was.
double mean_squared_error(Backbone& model, const Dataset& data, int64_t batch);

/// The mean for each item, over its real nodes and coordinates, [size] float64.
Tensor item_errors(Backbone& model, const Dataset& data, int64_t batch);

/// The same with the floating-point parts in `type`.
Batch to_type(const Batch& batch, c10::ScalarType type);
Example to_type(const Example& example, c10::ScalarType type);

/// The type of the model's parameters; float32 for one without.
c10::ScalarType type_of(const torch::nn::Module& model);

}  // namespace equiframe
