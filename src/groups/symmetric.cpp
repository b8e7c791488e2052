#include "equiframe/groups/symmetric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <torch/types.h>

#include "core/plain_text.h"
#include "core/text.h"
#include "equiframe/core/error.h"

namespace equiframe::inline groups {

PermutationType PermutationType::parse(const std::string& text) {
  const std::vector<std::string> known{"set", "node", "pair"};
  const auto found = std::find(known.begin(), known.end(), text::trim(text));
  if (found == known.end())
    throw UserError(text::unknown_name("type of S(n)", text, known) +
                    "; 'set' is invariant, 'node' [n, C] and 'pair' [n, n, C] are relabelled");
  return PermutationType(static_cast<Kind>(found - known.begin()));
}

std::string PermutationType::str() const {
  constexpr std::array<const char*, 3> kNames{"set", "node", "pair"};
  return kNames.at(static_cast<size_t>(kind_));
}

SymmetricGroup::SymmetricGroup(int64_t size) : size_(size) {
  if (size < 1) throw UserError(c10::str("S(n) needs n of 1 or more, got ", size));
}

std::string SymmetricGroup::name() const {
  return text::plain("S(", size_, ")");
}

Tensor SymmetricGroup::identity() const {
  return torch::arange(size_);
}

Tensor SymmetricGroup::compose(const Tensor& g, const Tensor& h) const {
  const auto both = torch::broadcast_tensors({g, h});
  return both[0].gather(-1, both[1]);
}

Tensor SymmetricGroup::inverse(const Tensor& g) const {
  return torch::empty_like(g).scatter_(-1, g, identity().expand_as(g));
}

Tensor SymmetricGroup::sample(int64_t count, at::Generator& generator) const {
  return torch::rand({count, size_}, generator, torch::kFloat64)
      .argsort(/*dim=*/int64_t{-1}, /*descending=*/false);
}

Tensor SymmetricGroup::distance(const Tensor& g, const Tensor& h) const {
  return (g != h).sum(-1).to(torch::kFloat64);
}

namespace {

/// y_j = x_{source(j)} along `axes` node axes of x [*batch, ..., C], counted back from the channel.
Tensor relabel(const Tensor& source, int64_t axes, int64_t channel_axes, const Tensor& x) {
  Tensor y = x;
  const int64_t batch_dims = source.dim() - 1;
  for (int64_t i = 0; i < axes; ++i) {
    const int64_t axis = y.dim() - channel_axes - 1 - i;
    TORCH_CHECK(axis >= batch_dims && y.size(axis) == source.size(-1), "S(", source.size(-1),
                ") cannot relabel axis ", axis, " of a tensor of shape ", x.sizes());
    std::vector<int64_t> shape(static_cast<size_t>(y.dim()), 1);
    for (int64_t b = 0; b < batch_dims; ++b) shape[static_cast<size_t>(b)] = source.size(b);
    shape[static_cast<size_t>(axis)] = source.size(-1);
    auto full = y.sizes().vec();
    for (int64_t b = 0; b < batch_dims; ++b)
      full[static_cast<size_t>(b)] = std::max(full[static_cast<size_t>(b)], source.size(b));
    y = y.expand(full).gather(axis, source.view(shape).expand(full));
  }
  return y;
}

/// Node numbers [*batch, N, D] in the new order, in which node source(j) is called j; -1 stays.
Tensor rename(const Tensor& source, const Tensor& nodes) {
  const Tensor names = source.argsort(int64_t{-1}, false);  // [*batch, N]
  const Tensor flat = nodes.flatten(-2);
  auto shape = flat.sizes().vec();
  shape.back() = names.size(-1);
  const Tensor renamed = names.expand(shape).gather(-1, flat.clamp_min(0));
  return torch::where(flat < 0, flat, renamed).view_as(nodes);
}

Batch relabel(const Tensor& source, const PermutationType& rho, const Batch& x) {
  Batch y = x;
  y.x = relabel(source, rho.node_axes(), 1, x.x);
  if (x.pair.defined()) y.pair = relabel(source, 2, 1, x.pair);
  if (x.mask.defined()) y.mask = relabel(source, 1, 0, x.mask);
  if (x.weights.defined()) y.weights = relabel(source, 1, 0, x.weights);
  if (x.neighbors.defined()) y.neighbors = rename(source, relabel(source, 1, 1, x.neighbors));
  if (x.edge.defined()) y.edge = relabel(source, 1, 2, x.edge);
  return y;
}

}  // namespace

Tensor SymmetricGroup::act(const PermutationType& rho, const Tensor& g, const Tensor& x) const {
  return relabel(inverse(g), rho.node_axes(), 1, x);  // (sigma x)_j = x_{sigma^-1(j)}
}
Tensor SymmetricGroup::act_inverse(const PermutationType& rho, const Tensor& g,
                                   const Tensor& x) const {
  return relabel(g, rho.node_axes(), 1, x);
}
Batch SymmetricGroup::act(const PermutationType& rho, const Tensor& g, const Batch& x) const {
  return relabel(inverse(g), rho, x);
}
Batch SymmetricGroup::act_inverse(const PermutationType& rho, const Tensor& g,
                                  const Batch& x) const {
  return relabel(g, rho, x);
}

PermutationType SymmetricGroup::type(const std::string& text) const {
  return PermutationType::parse(text);
}

double SymmetricGroup::order() const {
  return std::tgamma(static_cast<double>(size_) + 1.0);
}

Tensor SymmetricGroup::elements() const {
  constexpr int64_t kLargest = 9;
  if (size_ > kLargest)
    throw UserError(c10::str(name(), " has ", size_, "! elements; only n <= ", kLargest,
                             " is listed: use a frame, or 'whole(samples=k)'"));
  const auto count = static_cast<int64_t>(std::llround(order()));
  const Tensor all = torch::empty({count, size_}, torch::kInt64);
  std::vector<int64_t> sigma(static_cast<size_t>(size_));
  std::iota(sigma.begin(), sigma.end(), int64_t{0});
  auto* out = all.data_ptr<int64_t>();
  do {
    out = std::copy(sigma.begin(), sigma.end(), out);
  } while (std::next_permutation(sigma.begin(), sigma.end()));
  return all;
}

}  // namespace equiframe::inline groups
