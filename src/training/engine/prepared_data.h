#pragma once

#include "equiframe/datasets/dataset.h"
#include "equiframe/models/model.h"

namespace equiframe::inline training {

/// The same data with what `model.prepare` adds, computed once in `type`. Data that the model has
/// nothing to prepare for, or that would take more than a gigabyte, come back as they are.
Splits prepared(const Model& model, const Splits& splits, c10::ScalarType type);

}  // namespace equiframe::inline training
