#pragma once

#include "equiframe/training/config.h"

namespace equiframe::inline training {

/// The rate at a point of training, `epoch` counted in (fractions of) epochs from 0.
double learning_rate(const TrainOptions& options, double epoch);

/// Throws UserError for a value outside its range, naming the key.
void validate(const TrainOptions& options);

}  // namespace equiframe::inline training
