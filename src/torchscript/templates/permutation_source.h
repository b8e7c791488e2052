// TorchScript of relabelling: S_n on node and pair tensors.
#pragma once

#include <string>
#include <vector>

#include "equiframe/groups/symmetric.h"

namespace equiframe::inline torchscript {

/// "S_n", "Sn", "S(8)", "S8".
bool is_permutation_group(const std::string& text);

/// "node", "3 node": how a tensor is relabelled, and its channels (1 unless said).
struct RelabelledType {
  PermutationType type;
  int64_t channels = 1;
};
RelabelledType parse_relabelled_type(const std::string& text);

struct RelabelledArgument {
  std::string name;
  PermutationType type;
};

/// Methods `into_NAME(x, items, order)` and `back_NAME(y, order)`, order [M, n].
std::string relabel_source(const std::string& name, const PermutationType& type);

/// Method `frame(inputs..., mask, draws) -> (items, order, weights)`: all orders of the nodes that
/// colour refinement with individualisation ends in and whose relabelled input is the largest, so
/// as many as the graph has symmetries.
std::string sorting_frame_source(const std::vector<RelabelledArgument>& inputs);

/// "sorted" is 0, all; "sampled(k=2)" is 2.
int64_t parse_sorting_draws(const std::string& call);

}  // namespace equiframe::inline torchscript
