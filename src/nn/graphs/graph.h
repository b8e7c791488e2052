#pragma once

#include "equiframe/core/tensor.h"

namespace equiframe::inline nn {

/// Every node hears every other node of its item, in ascending order: [B, N, N - 1] int64. With a
/// mask [B, N], padding neither sends nor receives (-1).
Tensor complete_graph(int64_t batch, int64_t nodes, const Tensor& mask = {});

/// The nodes nearer than `radius`, in ascending order, [B, N, D] int64 with -1 behind the last one;
/// D is the largest number of neighbours, at least one. Found in cells of the size of the radius:
/// linear in the number of points. points: [B, N, d].
Tensor radius_graph(const Tensor& points, double radius, const Tensor& mask = {});

/// Values of the sending nodes: x [B, N, C] -> [B, N, D, C]; zero where there is none.
Tensor gather_senders(const Tensor& x, const Tensor& neighbors);

}  // namespace equiframe::inline nn
