#include "frames/permutation/graph_eigen.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include <torch/types.h>

#include "linalg/symmetric_eigen.h"

// The inner loops are compiled for AVX2 as well and chosen when the library is loaded. Both
// versions do the same operations in the same order.
#if defined(__x86_64__) && defined(__GNUC__)
#define EQUIFRAME_CLONES [[gnu::target_clones("avx2", "default")]]
#else
#define EQUIFRAME_CLONES
#endif

namespace equiframe::inline frames {
namespace {

/// Beyond this size LAPACK's divide and conquer is faster than rotations one by one.
constexpr int64_t kLargestByRotations = 100;

EQUIFRAME_CLONES
double row_dot(const double* a, const double* b, int64_t n) {
  double part[4] = {0, 0, 0, 0};  // independent sums, so that the loop can be vectorised
  int64_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int64_t j = 0; j < 4; ++j) part[j] += a[i + j] * b[i + j];
  for (; i < n; ++i) part[0] += a[i] * b[i];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

EQUIFRAME_CLONES
void add_scaled(double* __restrict y, double factor, const double* __restrict x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

/// a -= v_i w + w_i v on each row i of an m x m block.
EQUIFRAME_CLONES
void subtract_rank_two(double* a, int64_t stride, const double* v, const double* w, int64_t m) {
  for (int64_t i = 0; i < m; ++i) {
    double* __restrict row = a + i * stride;
    const double vi = v[i], wi = w[i];
    for (int64_t j = 0; j < m; ++j) row[j] -= vi * w[j] + wi * v[j];
  }
}

struct Rotation {
  double c, s;
};

/// Rotations k = 0, 1, ... in turn: rows (k, k+1) <- (c row_k + s row_{k+1}, c row_{k+1} - s
/// row_k). Two at a time, so that the row between them is loaded and stored once.
EQUIFRAME_CLONES
void rotate_rows(double* rows, int64_t n, const Rotation* rotations, int64_t count) {
  int64_t k = 0;
  for (; k + 2 <= count; k += 2) {
    const Rotation g = rotations[k], h = rotations[k + 1];
    double* __restrict first = rows + k * n;
    double* __restrict second = first + n;
    double* __restrict third = second + n;
    for (int64_t i = 0; i < n; ++i) {
      const double a = first[i], b = second[i], c = third[i], turned = g.c * b - g.s * a;
      first[i] = g.c * a + g.s * b;
      second[i] = h.c * turned + h.s * c;
      third[i] = h.c * c - h.s * turned;
    }
  }
  if (k == count) return;
  double* __restrict first = rows + k * n;
  double* __restrict second = first + n;
  for (int64_t i = 0; i < n; ++i) {
    const double a = first[i], b = second[i];
    first[i] = rotations[k].c * a + rotations[k].s * b;
    second[i] = rotations[k].c * b - rotations[k].s * a;
  }
}

/// T = Q^T A Q, symmetric and tridiagonal.
struct Tridiagonal {
  std::vector<double> diagonal;  // [n]
  std::vector<double> off;       // [n], the last is unused
  std::vector<double> basis;     // [n, n]: Q^T
};

/// A <- H A H for the reflection H = 1 - beta v v^T that takes row k of A, right of the diagonal,
/// to a multiple of its first entry. Leaves v in that row; returns beta and the multiple.
std::pair<double, double> reflect(int64_t n, int64_t k, double* a, double* work) {
  const int64_t m = n - k - 1;
  double* v = a + k * n + k + 1;
  double* block = a + (k + 1) * n + k + 1;
  const double first = v[0];
  const double tail = row_dot(v + 1, v + 1, m - 1);
  if (tail == 0) return {0, first};
  const double norm = std::sqrt(first * first + tail);
  v[0] += first < 0 ? -norm : norm;
  const double beta = 2 / (v[0] * v[0] + tail);
  std::fill_n(work, m, 0.0);
  for (int64_t i = 0; i < m; ++i) add_scaled(work, beta * v[i], block + i * n, m);
  add_scaled(work, -beta / 2 * row_dot(work, v, m), v, m);
  subtract_rank_two(block, n, v, work, m);
  return {beta, first < 0 ? norm : -norm};
}

/// Householder's reduction.
Tridiagonal tridiagonalise(int64_t n, std::vector<double> matrix) {
  double* a = matrix.data();
  std::vector<double> beta(static_cast<size_t>(n)), work(static_cast<size_t>(n));
  Tridiagonal t{std::vector<double>(static_cast<size_t>(n)),
                std::vector<double>(static_cast<size_t>(n)),
                std::vector<double>(static_cast<size_t>(n * n))};
  for (int64_t k = 0; k + 1 < n; ++k) std::tie(beta[k], t.off[k]) = reflect(n, k, a, work.data());
  double* basis = t.basis.data();
  for (int64_t k = 0; k < n; ++k) {
    t.diagonal[k] = a[k * n + k];
    basis[k * n + k] = 1;
  }
  // Q^T = H_{n-2} ... H_0, last factor first: each fills only the block it has reached.
  for (int64_t k = n - 2; k >= 0; --k) {
    const double b = beta[k];
    if (b == 0) continue;
    const int64_t m = n - k - 1;
    const double* v = a + k * n + k + 1;
    for (int64_t i = k + 1; i < n; ++i) {
      double* row = basis + i * n + k + 1;
      add_scaled(row, -b * row_dot(row, v, m), v, m);
    }
  }
  return t;
}

/// One implicit step of the symmetric QR method with Wilkinson's shift on rows [low, high].
void qr_step(int64_t n, int64_t low, int64_t high, Tridiagonal& t, Rotation* rotations) {
  double* d = t.diagonal.data();
  double* e = t.off.data();
  const double half = (d[high - 1] - d[high]) / 2, last = e[high - 1];
  const double root = std::sqrt(half * half + last * last);
  const double shift = d[high] - last * last / (half + (half < 0 ? -root : root));
  double x = d[low] - shift, z = e[low];
  for (int64_t k = low; k < high; ++k) {
    const double r = std::sqrt(x * x + z * z);
    const double c = r == 0 ? 1 : x / r, s = r == 0 ? 0 : z / r;
    rotations[k - low] = {c, s};
    if (k > low) e[k - 1] = r;
    const double a = d[k], b = e[k], f = d[k + 1];
    d[k] = c * c * a + 2 * c * s * b + s * s * f;
    d[k + 1] = s * s * a - 2 * c * s * b + c * c * f;
    e[k] = c * s * (f - a) + (c * c - s * s) * b;
    if (k + 1 == high) break;
    x = e[k];
    z = s * e[k + 1];
    e[k + 1] *= c;
  }
  rotate_rows(t.basis.data() + low * n, n, rotations, high - low);
}

/// Rotates `t` to diagonal form; false if that does not happen in a generous number of steps.
bool diagonalise(int64_t n, Tridiagonal& t) {
  constexpr double kNegligible = 0x1p-54;  // of a matrix of order one
  const double* e = t.off.data();
  std::vector<Rotation> rotations(static_cast<size_t>(n));
  int64_t steps = 40 * n;
  for (int64_t high = n - 1; high > 0;) {
    if (std::abs(e[high - 1]) <= kNegligible) {
      --high;
      continue;
    }
    int64_t low = high - 1;
    while (low > 0 && std::abs(e[low - 1]) > kNegligible) --low;
    if (steps-- == 0) return false;
    qr_step(n, low, high, t, rotations.data());
  }
  return true;
}

Eigen sorted(int64_t n, const Tridiagonal& t) {
  std::vector<size_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t i, size_t j) { return t.diagonal[i] < t.diagonal[j]; });
  Eigen result{{}, std::vector<double>(t.basis.size())};
  auto out = result.vectors.begin();
  for (const size_t k : order) {
    result.values.push_back(t.diagonal[k]);
    const auto row = t.basis.begin() + static_cast<int64_t>(k) * n;
    out = std::copy(row, row + n, out);
  }
  return result;
}

Eigen by_lapack(int64_t n, const std::vector<double>& matrix) {
  const Tensor a = torch::tensor(matrix, torch::kFloat64).view({n, n});
  const auto [values, vectors] = torch::linalg_eigh(a);
  const Tensor rows = vectors.t().contiguous();
  return {std::vector<double>(values.data_ptr<double>(), values.data_ptr<double>() + n),
          std::vector<double>(rows.data_ptr<double>(), rows.data_ptr<double>() + n * n)};
}

/// One matrix of any scale, divided by a power of two that takes it to order one.
void solve_one(int64_t n, const double* matrix, double* values, double* vectors) {
  std::vector<double> scaled(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      scaled[static_cast<size_t>(i * n + j)] = matrix[std::max(i, j) * n + std::min(i, j)];
  double largest = 0;
  for (const double entry : scaled) largest = std::max(largest, std::abs(entry));
  if (!std::all_of(scaled.begin(), scaled.end(), [](double x) { return std::isfinite(x); })) {
    std::fill_n(values, n, NAN);
    std::fill_n(vectors, n * n, NAN);
    return;
  }
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  for (double& entry : scaled) entry = std::ldexp(entry, -exponent);
  const Eigen eigen = symmetric_eigen(n, scaled);
  for (int64_t j = 0; j < n; ++j) {
    values[j] = std::ldexp(eigen.values[static_cast<size_t>(j)], exponent);
    for (int64_t i = 0; i < n; ++i)
      vectors[i * n + j] = eigen.vectors[static_cast<size_t>(j * n + i)];
  }
}

}  // namespace

Eigen symmetric_eigen(int64_t n, const std::vector<double>& matrix) {
  if (n > kLargestByRotations) return by_lapack(n, matrix);
  Tridiagonal t = tridiagonalise(n, matrix);
  return diagonalise(n, t) ? sorted(n, t) : by_lapack(n, matrix);
}

std::pair<Tensor, Tensor> symmetric_eigen(const Tensor& matrices) {
  TORCH_CHECK(matrices.dim() >= 2 && matrices.size(-1) == matrices.size(-2),
              "symmetric_eigen: matrices must be [*batch, n, n], got ", matrices.sizes());
  const Tensor all = matrices.detach().to(torch::kFloat64).contiguous();
  const int64_t n = all.size(-1);
  Tensor values = torch::empty(all.sizes().slice(0, all.dim() - 1), torch::kFloat64);
  Tensor vectors = torch::empty_like(all);
  const double* a = all.data_ptr<double>();
  double* l = values.data_ptr<double>();
  double* v = vectors.data_ptr<double>();
  const int64_t count = n == 0 ? 0 : all.numel() / (n * n);
  if (n == 2) {
    kernels::eigh2(count, a, l, v);
  } else if (n == 3) {
    kernels::eigh3(count, a, l, v);
  } else {
    for (int64_t k = 0; k < count; ++k) solve_one(n, a + k * n * n, l + k * n, v + k * n * n);
  }
  return {values, vectors};
}

}  // namespace equiframe::inline frames
