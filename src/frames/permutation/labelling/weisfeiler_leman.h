#pragma once

#include "core/simple_graph.h"

namespace equiframe::inline frames {

/// Whether colour refinement (1-WL), begun with the node types, gives both graphs the same colours
/// as often. What it leaves equal, no message-passing network tells apart.
bool equal_for_1wl(const SimpleGraph& a, const SimpleGraph& b);

/// The same for the folklore 2-dimensional refinement, which colours pairs of nodes by
/// c(i, j) <- (c(i, j), {(c(i, k), c(k, j)) : k}): as strong as 3-WL. O(n^3) a round.
bool equal_for_2fwl(const SimpleGraph& a, const SimpleGraph& b);

}  // namespace equiframe::inline frames
