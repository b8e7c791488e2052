#pragma once

#include <string>
#include <variant>
#include <vector>

#include "equiframe/export.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/groups/point_groups.h"
#include "equiframe/groups/symmetric.h"

namespace equiframe::inline groups {

/// The built-in groups a user can name; `std::visit` takes the name to the static type.
using AnyGroup = std::variant<EuclideanGroup, SymmetricGroup, PlanarGroup, SignFlips>;

/// "E(3)", "SE(2)", "O(4)", "SO(3)", "T(1)", "S(8)", "C(4)", "D(6)", "flips(3)"; also "E3".
EQUIFRAME_API AnyGroup parse_group(const std::string& text);

struct GroupFamily {
  std::string notation;     // "SE(d)"
  std::string description;  // one line
  std::string example;      // a member that laws are checked on
};
/// What `equiframe list` shows, in the order of the documentation.
EQUIFRAME_API const std::vector<GroupFamily>& group_families();

}  // namespace equiframe::inline groups
