// The example of section 2.1 of the paper: the group G = R shifts the entries of x in R^n, and the
// mean is a frame of one element. The averages have closed forms, which this program checks.
#include <cstdio>

#include <torch/torch.h>

#include "equiframe/equiframe.h"
#include "equiframe/laws/laws.h"

using namespace equiframe;

int main() {
  auto generator = make_generator(1);
  const Tensor x = torch::randn({4, 6, 1}, generator, torch::kFloat64);  // four vectors of R^6
  const Tensor mean = x.mean(1);                                         // [4, 1]

  // phi: R^6 -> R, with no symmetry at all.
  const Tensor w = torch::randn({6, 1}, generator, torch::kFloat64);
  const auto phi = [&](const Tensor& v) { return torch::sin(v.flatten(1).matmul(w)); };  // [M, 1]

  const EuclideanGroup shifts = EuclideanGroup::T(1);
  const auto frame = make_frame("mean", shifts, shifts.type("point"));
  const auto average = [&](const char* out, const Batch& batch) {
    const Symmetry<EuclideanGroup> symmetry{shifts, shifts.type("point"), shifts.type(out)};
    return equivariant_average(symmetry, (*frame)(batch), phi, batch);
  };

  const Tensor centred = phi(x - mean.unsqueeze(1));
  const double invariant = laws::relative_difference(average("scalar", x), centred);
  const double equivariant = laws::relative_difference(average("point", x), centred + mean);
  const double moved =
      laws::relative_difference(average("point", x + 10), average("point", x) + 10);
  std::printf("invariant:    phi(x - m 1)         error %.1e\n", invariant);
  std::printf("equivariant:  phi(x - m 1) + m     error %.1e\n", equivariant);
  std::printf("shifted by 10:                     error %.1e\n", moved);
  return invariant < 1e-14 && equivariant < 1e-14 && moved < 1e-14 ? 0 : 1;
}
