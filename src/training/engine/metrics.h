#pragma once

#include <map>
#include <string>

#include "equiframe/training/run.h"

namespace equiframe::inline training {

/// Of a model that is trained with this loss.
Measure measure_of(LossKind loss);
/// By what the model of a file was judged when it was trained.
Measure measure_of(const ModelCard& card);
/// The error's name in files, behind the name of a split: "mse", "cross_entropy", "normal_error".
const char* error_name(Measure measure);
/// And in words: "MSE", "cross-entropy", "1 - (n.n')^2".
const char* error_title(Measure measure);

/// A score as files name it: {"test_mse": e}, {"test_normal_error": e}, or {"test_accuracy": a,
/// "test_cross_entropy": e}.
std::map<std::string, double> named(const std::string& split, const Score& score);
/// The inverse. Throws std::out_of_range if none is there.
Score find_score(const std::map<std::string, double>& metrics, const std::string& split);

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
