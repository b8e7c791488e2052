#include <cmath>

#include <torch/types.h>

#include "equiframe/laws/zoo.h"

namespace equiframe::inline laws {
namespace {

/// Rows of variance one for inputs of variance one.
Tensor random_matrix(int64_t in, int64_t out, at::Generator& generator) {
  return torch::randn({in, out}, generator, torch::kFloat64) / std::sqrt(static_cast<double>(in));
}

int64_t product(const std::vector<int64_t>& shape) {
  int64_t result = 1;
  for (const int64_t size : shape) result *= size;
  return result;
}

}  // namespace

RandomMlp::RandomMlp(int64_t in_values, std::vector<int64_t> out_shape, at::Generator& generator,
                     int64_t hidden)
    : first_(random_matrix(in_values, hidden, generator)),
      first_bias_(torch::randn({hidden}, generator, torch::kFloat64)),
      last_(random_matrix(hidden, product(out_shape), generator)),
      last_bias_(torch::randn({product(out_shape)}, generator, torch::kFloat64)),
      out_shape_(std::move(out_shape)) {}

Tensor RandomMlp::operator()(const Batch& batch) const {
  Tensor values = batch.x.flatten(1);
  if (batch.pair.defined())
    values = torch::cat({values, batch.pair.flatten(1).to(values.dtype())}, 1);
  TORCH_CHECK(values.size(1) == first_.size(0), "RandomMlp takes ", first_.size(0),
              " values for each input, got ", values.size(1));
  const auto type = values.scalar_type();
  const Tensor hidden = torch::tanh(values.matmul(first_.to(type)) + first_bias_.to(type));
  auto shape = out_shape_;
  shape.insert(shape.begin(), values.size(0));
  return (hidden.matmul(last_.to(type)) + last_bias_.to(type)).view(shape);
}

RandomSetNetwork::RandomSetNetwork(int64_t in_channels, int64_t out_channels,
                                   at::Generator& generator, int64_t hidden)
    : node_(random_matrix(in_channels, hidden, generator)),
      context_(random_matrix(in_channels, hidden, generator)),
      last_(random_matrix(hidden, out_channels, generator)),
      bias_(torch::randn({hidden}, generator, torch::kFloat64)) {}

Tensor RandomSetNetwork::operator()(const Batch& batch) const {
  const auto type = batch.x.scalar_type();
  Tensor seen = torch::tanh(batch.x.matmul(context_.to(type)));  // [M, N, H]
  Tensor count = torch::full({}, static_cast<double>(batch.x.size(1)), batch.x.options());
  if (batch.mask.defined()) {
    const Tensor mask = batch.mask.to(type).unsqueeze(-1);
    seen = seen * mask;
    count = mask.sum(1, /*keepdim=*/true);
  }
  const Tensor context = seen.sum(1, /*keepdim=*/true) / count;
  return torch::tanh(batch.x.matmul(node_.to(type)) + context + bias_.to(type))
      .matmul(last_.to(type));
}

}  // namespace equiframe::inline laws
