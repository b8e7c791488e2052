#pragma once

#include <cmath>

#include <nlohmann/json.hpp>

namespace equiframe::inline experiments {

/// JSON has no NaN and no infinity: they become null.
inline nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace equiframe::inline experiments
