#pragma once

#include <functional>
#include <optional>

#include "solids_helper/bodies.h"

namespace equiframe::cad {

/// Told of each try of an operation and whether its result was kept.
using Watch = std::function<void(const char* operation, bool kept)>;

/// A body and one to five operations on it, each checked: the solid is valid, closed and in one
/// piece, of a size about one. Nothing where too little of that succeeds.
std::optional<Body> random_model(RandomDraws& draws, const Watch& watch);

}  // namespace equiframe::cad
