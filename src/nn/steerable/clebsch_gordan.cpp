#include "nn/steerable/clebsch_gordan.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

namespace equiframe::inline nn {
namespace {

double factorial(int64_t n) {
  return std::tgamma(static_cast<double>(n + 1));
}

double sign_of(int64_t power) {
  return power % 2 == 0 ? 1.0 : -1.0;
}

/// <a ma, b mb | j m> with m = ma + mb, by Racah's sum.
double coefficient(int64_t a, int64_t ma, int64_t b, int64_t mb, int64_t j) {
  const int64_t m = ma + mb;
  if (std::abs(m) > j) return 0;
  const double front =
      std::sqrt(static_cast<double>(2 * j + 1) * factorial(a + b - j) * factorial(a - b + j) *
                factorial(b - a + j) / factorial(a + b + j + 1)) *
      std::sqrt(factorial(j + m) * factorial(j - m) * factorial(a - ma) * factorial(a + ma) *
                factorial(b - mb) * factorial(b + mb));
  const int64_t low = std::max({int64_t{0}, b - j - ma, a - j + mb});
  const int64_t high = std::min({a + b - j, a - ma, b + mb});
  double sum = 0;
  for (int64_t k = low; k <= high; ++k) {
    sum += sign_of(k) /
           (factorial(k) * factorial(a + b - j - k) * factorial(a - ma - k) *
            factorial(b + mb - k) * factorial(j - b + ma + k) * factorial(j - a - mb + k));
  }
  return front * sum;
}

/// Real harmonics of degree l from the complex ones with Condon-Shortley phase,
/// [2l + 1, 2l + 1] complex128.
Tensor real_from_complex(int64_t l) {
  Tensor u = torch::zeros({2 * l + 1, 2 * l + 1}, torch::kComplexDouble);
  const auto entry = [&](int64_t row, int64_t column, c10::complex<double> value) {
    u.index_put_({row + l, column + l}, torch::tensor(value, torch::kComplexDouble));
  };
  entry(0, 0, 1);
  const double half = std::sqrt(0.5);
  for (int64_t m = 1; m <= l; ++m) {
    entry(m, m, sign_of(m) * half);
    entry(m, -m, half);
    entry(-m, m, {0, -sign_of(m) * half});
    entry(-m, -m, {0, half});
  }
  return u;
}

}  // namespace

Tensor real_clebsch_gordan(int64_t out, int64_t in, int64_t j) {
  TORCH_CHECK(out >= 0 && in >= 0 && std::abs(out - in) <= j && j <= out + in,
              "real_clebsch_gordan: degrees ", out, " and ", in, " do not couple to ", j);
  Tensor c = torch::zeros({2 * out + 1, 2 * in + 1, 2 * j + 1}, torch::kFloat64);
  auto entries = c.accessor<double, 3>();
  for (int64_t mo = -out; mo <= out; ++mo) {
    for (int64_t mi = -in; mi <= in; ++mi) {
      if (std::abs(mo + mi) <= j)
        entries[mo + out][mi + in][mo + mi + j] = coefficient(out, mo, in, mi, j);
    }
  }
  const Tensor real = torch::einsum("xa,yb,abc,zc->xyz",
                                    {real_from_complex(out), real_from_complex(in),
                                     c.to(torch::kComplexDouble), real_from_complex(j).conj()});
  // Purely real if out + in + j is even, purely imaginary otherwise.
  const Tensor q = torch::view_as_real(real.contiguous()).select(-1, (out + in + j) % 2);
  return (q / q.norm()).contiguous();
}

}  // namespace equiframe::inline nn
