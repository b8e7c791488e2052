#include "nn/steerable/spherical_harmonics.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <torch/types.h>

namespace equiframe::inline nn {
namespace {

/// sqrt((2l + 1) / 4 pi (l - m)! / (l + m)!), times sqrt(2) for m > 0
double norm_of(int64_t l, int64_t m) {
  const double ratio = std::exp(std::lgamma(static_cast<double>(l - m + 1)) -
                                std::lgamma(static_cast<double>(l + m + 1)));
  return std::sqrt((m > 0 ? 2.0 : 1.0) * static_cast<double>(2 * l + 1) / (4 * std::numbers::pi) *
                   ratio);
}

}  // namespace

Tensor spherical_harmonics(const Tensor& directions, int64_t max_degree) {
  TORCH_CHECK(directions.dim() == 2 && directions.size(1) == 3 && max_degree >= 0,
              "spherical_harmonics: directions must be [P, 3], got ", directions.sizes());
  const Tensor x = directions.select(1, 2), y = directions.select(1, 0);
  const Tensor z = directions.select(1, 1);
  const Tensor square = directions.square().sum(1);
  std::vector<Tensor> columns(static_cast<size_t>((max_degree + 1) * (max_degree + 1)));
  Tensor cosine = torch::ones_like(z), sine = torch::zeros_like(z);  // of (x + iy)^m
  Tensor diagonal = torch::ones_like(z);                             // P_mm = (2m - 1)!!
  for (int64_t m = 0; m <= max_degree; ++m) {
    // (l - m) P_lm = (2l - 1) z P_{l-1,m} - (l + m - 1) |.|^2 P_{l-2,m}
    Tensor before, legendre = diagonal;
    for (int64_t l = m; l <= max_degree; ++l) {
      const auto column = [&](int64_t order) -> Tensor& {
        return columns[static_cast<size_t>(l * l + l + order)];
      };
      column(m) = norm_of(l, m) * legendre * cosine;
      if (m > 0) column(-m) = norm_of(l, m) * legendre * sine;
      Tensor next = (2 * l + 1) * z * legendre;
      if (before.defined()) next = next - (l + m) * square * before;
      before = legendre;
      legendre = next / (l + 1 - m);
    }
    const Tensor turned = cosine * x - sine * y;
    sine = cosine * y + sine * x;
    cosine = turned;
    diagonal = diagonal * (2 * m + 1);
  }
  return torch::stack(columns, 1);
}

}  // namespace equiframe::inline nn
