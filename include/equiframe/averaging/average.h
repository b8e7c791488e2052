#pragma once

#include <algorithm>
#include <concepts>
#include <utility>

#include <ATen/ATen.h>

#include "equiframe/averaging/frame_rows.h"
#include "equiframe/frames/frame_set.h"

namespace equiframe::inline averaging {

/// A backbone as a plain function: of the batch, or of its node features alone.
template <class Phi>
concept Evaluable = std::invocable<Phi&, const Batch&> || std::invocable<Phi&, const Tensor&>;

struct AverageOptions {
  /// Cap on the bytes of framed input in one call of the backbone; 0 = all frames in one call.
  /// Under autograd the graph of all chunks is kept, so the cap is for evaluation.
  int64_t max_bytes = 0;
};

/// Phi of the framed inputs, one row for each element of `rows`: [M, ...].
template <Group G, Evaluable Phi>
Tensor evaluate_rows(const Symmetry<G>& symmetry, const FrameRows<G>& rows, Phi&& phi,
                     const Batch& x, FrameSide side = FrameSide::kLeft) {
  const Batch copies = rows.copies(x);
  const Batch framed = side == FrameSide::kLeft
                           ? symmetry.group.act_inverse(symmetry.in, rows.elements, copies)
                           : symmetry.group.act(symmetry.in, rows.elements, copies);
  const Tensor y = [&] {
    if constexpr (std::invocable<Phi&, const Batch&>)
      return phi(framed);
    else
      return phi(framed.x);
  }();
  TORCH_CHECK(y.dim() > 0 && y.size(0) == rows.size(), "the backbone was given ", rows.size(),
              " inputs and returned a tensor of shape ", y.sizes());
  return y;
}

/// <Phi>_F(X) = sum_k w_k rho_out(g_k) Phi(rho_in(g_k)^-1 X)   (Eq. 3; Eq. 2 when out is invariant)
/// X: [B, N, C] -> framed [B*K, N, C], without the elements of weight zero -> Phi -> [B, ...].
template <Group G, Evaluable Phi>
Tensor equivariant_average(const Symmetry<G>& symmetry, const FrameSet<G>& frame, Phi&& phi,
                           const Batch& x, const AverageOptions& options = {},
                           FrameSide side = FrameSide::kLeft) {
  const FrameRows<G> rows(frame);
  const int64_t step = rows_per_call(x, options.max_bytes, rows.size());
  if (step >= rows.size())
    return rows.combine(symmetry, evaluate_rows(symmetry, rows, phi, x, side), side);
  Tensor total;
  for (int64_t start = 0; start < rows.size(); start += step) {
    const FrameRows<G> chunk = rows.slice(start, std::min(step, rows.size() - start));
    const Tensor part = chunk.combine(symmetry, evaluate_rows(symmetry, chunk, phi, x, side), side);
    total = total.defined() ? total + part : part;
  }
  return total;
}

/// Eq. 5: sum_k w_k rho_out(g_k)^-1 Phi(rho_in(g_k) X), for a frame of the right rule.
template <Group G, Evaluable Phi>
Tensor right_average(const Symmetry<G>& symmetry, const FrameSet<G>& right_frame, Phi&& phi,
                     const Batch& x, const AverageOptions& options = {}) {
  return equivariant_average(symmetry, right_frame, phi, x, options, FrameSide::kRight);
}

/// The left frame {g^-1 : g in F(X)} that stands for a frame of the right rule, and back.
template <Group G>
FrameSet<G> flip_side(const G& group, FrameSet<G> frame) {
  frame.elements = group.inverse(frame.elements);
  frame.flips = Tensor();
  return frame;
}

}  // namespace equiframe::inline averaging
