#include "nn/steerable/angular_basis.h"

#include <cstdlib>

#include <torch/types.h>

#include "nn/kernels/steerable/steerable.h"
#include "nn/steerable/clebsch_gordan.h"
#include "nn/steerable/spherical_harmonics.h"

namespace equiframe::inline nn {

AngularBasis::AngularBasis(int64_t degrees) : max_j_(2 * (degrees - 1)) {
  TORCH_CHECK(degrees >= 1, "AngularBasis: needs at least one degree, got ", degrees);
  int64_t start = 0;
  for (int64_t in = 0; in < degrees; ++in) {
    for (int64_t out = 0; out < degrees; ++out) {
      std::vector<Tensor> blocks;
      for (int64_t j = std::abs(in - out); j <= in + out; ++j) {
        const Tensor q = real_clebsch_gordan(out, in, j).transpose(0, 1).flatten(0, 1);
        Tensor block = torch::zeros({(max_j_ + 1) * (max_j_ + 1), q.size(0)}, torch::kFloat64);
        block.narrow(0, j * j, 2 * j + 1).copy_(q.t());
        blocks.push_back(block);
        terms_.push_back({in, out, j, start});
      }
      couplings_.push_back(torch::cat(blocks, 1));
      start += couplings_.back().size(1);
    }
  }
}

Tensor AngularBasis::operator()(const Tensor& directions) const {
  const Tensor harmonics = spherical_harmonics(directions, max_j_);
  std::vector<Tensor> parts;
  for (const Tensor& coupling : couplings_)
    parts.push_back(harmonics.matmul(coupling.to(directions.dtype())).flatten());
  parts.push_back(harmonics.new_zeros({kernels::kSteerablePadding}));
  return torch::cat(parts);
}

}  // namespace equiframe::inline nn
