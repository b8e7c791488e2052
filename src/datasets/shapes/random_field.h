#pragma once

#include <string>

#include "datasets/shapes/implicit_field.h"
#include "datasets/shapes/random_draws.h"

namespace equiframe::implicit {

struct RandomField {
  FieldPointer field;
  std::string recipe;
};

/// Its zero set lies in the cube of half side `kFieldReach` around the origin, and it is nowhere
/// thinner than a thirtieth of that.
RandomField random_field(RandomDraws& draws);

inline constexpr double kFieldReach = 1.3;

}  // namespace equiframe::implicit
