#pragma once

#include <cmath>
#include <memory>

#include <ATen/ATen.h>

#include "equiframe/export.h"
#include "equiframe/groups/group.h"

namespace equiframe::inline frames {

/// What kind of input a frame met. Everything but kSimple deserves a look.
enum class Stratum : int64_t {
  kSimple = 0,      ///< the generic case
  kPlanar = 1,      ///< rank d - 1: a reflection fixes the input
  kLinear = 2,      ///< rank below d - 1, more than one place
  kRepeated = 3,    ///< some eigenvalues tie, not all
  kIsotropic = 4,   ///< all eigenvalues tie
  kCoincident = 5,  ///< one place only
};
EQUIFRAME_API const char* to_string(Stratum stratum);

/// The projection P = mean over s in Stab of rho(s), for frames that are a union of cosets g Stab
/// of the stabiliser of the framed input: averaging over the whole coset is rho(g) P Phi(g^-1 X),
/// which needs one evaluation however large the stabiliser is (Eq. 6, and its equivariant form).
template <Group G>
class EQUIFRAME_API StabilizerProjection {
 public:
  virtual ~StabilizerProjection() = default;
  /// y [M, ...] in the coordinates of the framed inputs; row m belongs to item items[m], int64 [M].
  virtual Tensor apply(const typename G::Representation& out, const Tensor& y,
                       const Tensor& items) const = 0;
};

/// F(X): a weighted finite subset of G for each of the B inputs of a batch.
/// Invariant: weights are non-negative and each row sums to one; zero marks padding.
template <Group G>
struct FrameSet {
  typename G::Element elements;  ///< batch shape [B, K]
  Tensor weights;                ///< [B, K] float64
  Tensor exact;    ///< [B] bool: false = draws from a larger F(X); undefined = all exact
  Tensor margin;   ///< [B] float64: relative distance to the nearest tie; undefined = none possible
  Tensor stratum;  ///< [B] int64, see Stratum; undefined = all simple
  Tensor log_size;  ///< [B] float64: log |F(X)|; undefined = log of the non-zero weights
  std::shared_ptr<const StabilizerProjection<G>> stabilizer;  ///< set: elements stand for cosets
  /// [K, d] of +-1: set if every item's g_k is its g_0 after diag(flips[k]), and all weigh the
  /// same; see averaging/frame_average.h.
  Tensor flips;

  int64_t size() const { return weights.size(1); }
  int64_t batch() const { return weights.size(0); }
  bool is_exact() const { return !exact.defined() || exact.all().template item<bool>(); }
  Tensor log_sizes() const {
    if (log_size.defined()) return log_size;
    return (weights > 0).sum(1).to(at::kDouble).log();
  }
};

/// Equal weights for B items of K elements.
inline Tensor uniform_weights(int64_t batch, int64_t size) {
  return at::full({}, 1.0 / static_cast<double>(size), at::kDouble).expand({batch, size});
}

/// `frame` with K raised to `size` by copies of the first element at weight zero.
template <Group G>
FrameSet<G> pad_to(FrameSet<G> frame, int64_t size) {
  const int64_t missing = size - frame.size();
  if (missing <= 0) return frame;
  frame.elements = map_parts(frame.elements, [&](const Tensor& part) {
    auto shape = part.sizes().vec();
    shape[1] = missing;
    return at::cat({part, part.narrow(1, 0, 1).expand(shape)}, 1);
  });
  frame.weights = at::constant_pad_nd(frame.weights, {0, missing});
  frame.flips = Tensor();
  return frame;
}

/// `into` with the frames of `items` (int64 [M]) replaced by those of `from` (batch M).
template <Group G>
FrameSet<G> replace_items(FrameSet<G> into, const Tensor& items, FrameSet<G> from) {
  const int64_t size = std::max(into.size(), from.size());
  const auto fill = [](const Tensor& part, const FrameSet<G>& frame, const at::Scalar& value,
                       at::ScalarType type) {
    return part.defined() ? part.to(type) : at::full({frame.batch()}, value, type);
  };
  const auto put = [&](const Tensor& a, const Tensor& b) { return a.index_copy(0, items, b); };
  into.flips = Tensor();
  into.log_size = put(into.log_sizes(), from.log_sizes());
  into.exact =
      put(fill(into.exact, into, true, at::kBool), fill(from.exact, from, true, at::kBool));
  into.margin = put(fill(into.margin, into, INFINITY, at::kDouble),
                    fill(from.margin, from, INFINITY, at::kDouble));
  into.stratum =
      put(fill(into.stratum, into, 0, at::kLong), fill(from.stratum, from, 0, at::kLong));
  into = pad_to(std::move(into), size);
  from = pad_to(std::move(from), size);
  into.elements = zip_parts(into.elements, from.elements, [&](const Tensor& a, const Tensor& b) {
    return put(a, b.to(a.dtype()));
  });
  into.weights = put(into.weights, from.weights);
  return into;
}

}  // namespace equiframe::inline frames
