#pragma once

#include <string>
#include <vector>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

namespace equiframe::inline torchscript {

/// How one argument, or the result, of a forward transforms, as the user writes it:
///   x=point + 2 scalar   the argument named x; without a name, the next one in order
///   mask                 (of --mask) bool [B, N], true = a real node
///   untouched            passed through as it is
/// For S_n the types are set, node and pair.
struct TypedArgument {
  std::string name;  ///< empty = by position
  std::string type;  ///< "untouched" = passed through
  bool is_untouched() const { return type == "untouched"; }
};

/// "x=point + vector" or "point + vector". Throws UserError if nothing stands behind '='.
EQUIFRAME_API TypedArgument parse_typed_argument(const std::string& text);

/// What a forward takes and returns, the axes of its tensors, and the group they are typed for.
struct TypedCall {
  std::string group;               ///< "E(3)", "SE3", "S(7)" or "S_n"
  std::vector<TypedArgument> in;   ///< one for each argument that is not a mask
  std::vector<TypedArgument> out;  ///< one, or one for each part of a tuple
  std::string mask;                ///< the argument that is the mask; empty = none
  int64_t batch_axis = 0;          ///< of all typed tensors; -1 = inputs have none
  int64_t point_axis = 1;          ///< counted with the batch axis; -1 = one node, no such axis
};

}  // namespace equiframe::inline torchscript
