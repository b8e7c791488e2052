#pragma once

#include <variant>

#include "equiframe/groups/any_group.h"

namespace equiframe::inline frames {

/// `f.template operator()<G>()` for every group type of AnyGroup: how a frame that serves any group
/// registers itself once for each.
template <class F, class... Groups>
bool for_each_group_type(F&& f, const std::variant<Groups...>*) {
  return (f.template operator()<Groups>() && ...);
}
template <class F>
bool for_each_builtin_group(F&& f) {
  return for_each_group_type(std::forward<F>(f), static_cast<const AnyGroup*>(nullptr));
}

}  // namespace equiframe::inline frames
