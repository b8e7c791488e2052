#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "equiframe/core/batch.h"
#include "equiframe/models/model.h"

namespace equiframe::inline training {

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

bool within(const EquivarianceErrors& errors, const EquivarianceErrors& tolerance);

/// `model(type)` gives the model with its weights in that type. `draws` group elements for each
/// item of `x`; a model that claims no group has group errors of zero.
EquivarianceErrors measure_equivariance(
    const std::function<std::shared_ptr<Model>(c10::ScalarType)>& model, const Batch& x,
    uint64_t seed = 1, int64_t draws = 8);

}  // namespace equiframe::inline training
