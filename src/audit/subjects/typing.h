#pragma once

#include <vector>

#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"

namespace equiframe::audit {

/// Throws UserError for a group the audit does not know or a type that is not one of the group.
/// For S_n a count before the type is its number of channels: "3 node".
Typing typing_of(const TypedCall& call);

/// rho(g) x and rho(g)^-1 x. Tensors of Euclidean types say by their axes whether they have nodes
/// to relabel, whatever the slot expects.
Tensor move(const Typing& typing, const Slot& slot, const Motion& g, const Tensor& x);
Tensor move_back(const Typing& typing, const Slot& slot, const Motion& g, const Tensor& x);
std::vector<Tensor> move(const Typing& typing, const Motion& g, const std::vector<Tensor>& inputs);

/// Element b of the batch, or those of `items` [M].
Motion select(const Motion& g, const Tensor& items);

}  // namespace equiframe::audit
