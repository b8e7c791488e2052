#include <cmath>

#include <torch/types.h>

#include "equiframe/averaging/frame_rows.h"
#include "equiframe/core/error.h"
#include "torchscript/operators/elements.h"
#include "torchscript/operators/named.h"
#include "torchscript/operators/operators.h"

namespace equiframe::operators {
namespace {

template <Group G>
FrameSet<G> frame_of(const NamedFrame<G>& named, const Tensor& x, const MaybeTensor& mask,
                     const Rng& rng) {
  Batch batch(x);
  if (mask.has_value() && mask->defined()) batch.mask = *mask;
  FrameSet<G> set = (*named.frame)(batch, rng);
  if (set.stabilizer)
    throw UserError(
        "a frame whose elements stand for whole cosets cannot be given as tensors; "
        "write canonical(stabilizer=list), which lists them");
  return set;
}

Rng rng_of(int64_t seed, int64_t stream) {
  return {static_cast<uint64_t>(seed), static_cast<uint64_t>(stream)};
}

Tensor or_filled(const Tensor& part, int64_t size, const at::Scalar& value, at::ScalarType type) {
  return part.defined() ? part : torch::full({size}, value, type);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> frame(const Tensor& x, const MaybeTensor& mask,
                                                         const std::string& group,
                                                         const std::string& type,
                                                         const std::string& frame, int64_t seed,
                                                         int64_t stream) {
  return std::visit(
      [&](const auto& named) {
        const auto set = frame_of(named, x, mask, rng_of(seed, stream));
        return std::make_tuple(linear_of(set.elements), shift_of(set.elements), set.weights,
                               or_filled(set.margin, set.batch(), INFINITY, torch::kFloat64),
                               or_filled(set.stratum, set.batch(), 0, torch::kInt64));
      },
      *named_frame(group, type, frame));
}

std::tuple<Tensor, Tensor, Tensor, Tensor> frame_rows(const Tensor& x, const MaybeTensor& mask,
                                                      const std::string& group,
                                                      const std::string& type,
                                                      const std::string& frame, int64_t seed,
                                                      int64_t stream) {
  return std::visit(
      [&]<Group G>(const NamedFrame<G>& named) {
        const FrameRows<G> rows(frame_of(named, x, mask, rng_of(seed, stream)));
        return std::make_tuple(linear_of(rows.elements), shift_of(rows.elements), rows.weights,
                               rows.items);
      },
      *named_frame(group, type, frame));
}

namespace {

template <Group G>
int64_t size_of(const G& group) {
  if constexpr (std::is_same_v<G, EuclideanGroup>)
    return group.dim();
  else
    return group.size();
}

template <Group G>
int64_t channels_of(const G& group, const typename G::Representation& type) {
  if constexpr (std::is_same_v<G, EuclideanGroup>)
    return type.channels(group.dim());
  else
    return 0;
}

}  // namespace

std::vector<int64_t> describe(const std::string& group, const std::string& in,
                              const std::string& out, const std::string& frame) {
  return std::visit(
      [&](const auto& named) -> std::vector<int64_t> {
        return {size_of(named.group), channels_of(named.group, named.type),
                channels_of(named.group, named.group.type(out))};
      },
      *named_frame(group, in, frame));
}

}  // namespace equiframe::operators
