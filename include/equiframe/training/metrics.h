#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "equiframe/core/backbone.h"
#include "equiframe/datasets/dataset.h"
#include "equiframe/models/model_card.h"
#include "equiframe/training/train_options.h"

namespace equiframe::inline training {

/// What a model is judged by: predictions of numbers by their squared error, of classes by the
/// cross-entropy, of unoriented normals by the squared sine of the angle between them. The loss it
/// is trained with decides.
enum class Measure { kSquaredError, kCrossEntropy, kUnoriented };
Measure measure_of(LossKind loss);
/// By what the model of a file was judged when it was trained.
Measure measure_of(const ModelCard& card);
/// The error's name in files, behind the name of a split: "mse", "cross_entropy", "normal_error".
const char* error_name(Measure measure);
/// And in words: "MSE", "cross-entropy", "1 - (n.n')^2".
const char* error_title(Measure measure);

/// How a model does on a data set.
struct Score {
  double error = 0;       ///< the mean of what is measured
  double accuracy = NAN;  ///< share of the items put into their class; NaN without classes
  Measure measure = Measure::kSquaredError;
};

/// A score as files name it: {"test_mse": e}, {"test_normal_error": e}, or {"test_accuracy": a,
/// "test_cross_entropy": e}.
std::map<std::string, double> named(const std::string& split, const Score& score);
/// The inverse. Throws std::out_of_range if none is there.
Score find_score(const std::map<std::string, double>& metrics, const std::string& split);

/// One line of metrics.jsonl. No clock in it: an interrupted and resumed run writes the same bytes.
struct Evaluation {
  int64_t epoch = 0;      ///< epochs done
  int64_t step = 0;       ///< optimiser steps done
  double lr = 0;          ///< of the last step
  double train_loss = 0;  ///< mean over the steps of the epoch, as the weights went by
  Score valid = {}, test = {};
};

using History = std::vector<Evaluation>;

std::string to_json_line(const Evaluation& evaluation);
/// The inverse. Throws std::exception for any other text.
Evaluation parse_json_line(const std::string& line);

/// The mean error over all items, real nodes and coordinates of a data set, in the order of the
/// set, by batches of `batch`; in `eval()` and without gradients. Leaves the model's mode as it
/// was.
Score score(Backbone& model, const Dataset& data, int64_t batch,
            Measure measure = Measure::kSquaredError);

/// The same for each item.
struct ItemScores {
  Tensor error;  ///< [size] float64, the mean over its real nodes and coordinates
  Tensor right;  ///< [size] bool, whether it was put into its class; undefined without classes
};
ItemScores item_scores(Backbone& model, const Dataset& data, int64_t batch,
                       Measure measure = Measure::kSquaredError);

/// The same with the floating-point parts in `type`.
Example to_type(const Example& example, c10::ScalarType type);

}  // namespace equiframe::inline training
