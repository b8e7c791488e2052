#include "runtime/gemm_speed.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include <dlfcn.h>
#include <time.h>

#include "runtime/blas_library.h"
#include "runtime/one_thread.h"

namespace equiframe::runtime {
namespace {

constexpr double kBudgetSeconds = 0.05;

/// One row-major product C = A B.
using Product = std::function<void(const float* a, const float* b, float* c)>;

/// dnnl_sgemm: row-major, 0 on success.
using OneDnnSgemm = int(char transa, char transb, std::int64_t m, std::int64_t n, std::int64_t k,
                        float alpha, const float* a, std::int64_t lda, const float* b,
                        std::int64_t ldb, float beta, float* c, std::int64_t ldc);

/// Processor time of the calling thread: what neighbours on a busy machine take is not counted.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds of the fastest run. At least two, so that one does not pay for fresh pages, unless the
/// first alone has used the budget several times over.
double best_seconds(const std::function<void()>& run) {
  double best = std::numeric_limits<double>::infinity();
  double total = 0;
  for (int runs = 0; total < kBudgetSeconds || (runs < 2 && total < 5 * kBudgetSeconds); ++runs) {
    const double start = thread_seconds();
    run();
    const double seconds = thread_seconds() - start;
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

double gflops(const GemmShape& shape, const Product& product) {
  const std::vector<float> a(static_cast<std::size_t>(shape.m * shape.k), 0.5F);
  const std::vector<float> b(static_cast<std::size_t>(shape.k * shape.n), 0.25F);
  std::vector<float> c(static_cast<std::size_t>(shape.m * shape.n));
  const double seconds = best_seconds([&] { product(a.data(), b.data(), c.data()); });
  const double operations = 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.k) *
                            static_cast<double>(shape.n);
  return operations / seconds * 1e-9;
}

std::optional<double> blas_gflops(const GemmShape& shape) {
  const BlasLibrary& library = BlasLibrary::loaded();
  auto* sgemm = library.function<SgemmFunction>("sgemm_");
  if (sgemm == nullptr) return std::nullopt;
  const OneThread one(blas_threads(library), [&](int n) { set_blas_threads(library, n); });
  const auto m = static_cast<int>(shape.m);
  const auto k = static_cast<int>(shape.k);
  const auto n = static_cast<int>(shape.n);
  return gflops(shape, [=](const float* a, const float* b, float* c) {
    const float unit = 1;
    const float zero = 0;
    // Row-major C = A B is column-major C' = B' A'.
    sgemm("N", "N", &n, &m, &k, &unit, b, &n, a, &k, &zero, c, &n);
  });
}

std::optional<double> onednn_gflops(const GemmShape& shape) {
  auto* sgemm = reinterpret_cast<OneDnnSgemm*>(dlsym(RTLD_DEFAULT, "dnnl_sgemm"));
  if (sgemm == nullptr) return std::nullopt;
  auto* get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
  auto* set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  const OneThread one(get != nullptr && set != nullptr ? get() : 1, set);
  return gflops(shape, [=](const float* a, const float* b, float* c) {
    sgemm('N', 'N', shape.m, shape.n, shape.k, 1, a, shape.k, b, shape.n, 0, c, shape.n);
  });
}

}  // namespace

std::optional<double> sgemm_gflops(const GemmShape& shape, GemmProvider provider) {
  if (shape.m <= 0 || shape.k <= 0 || shape.n <= 0) {
    throw std::invalid_argument("sgemm_gflops: every extent of the shape must be positive");
  }
  return provider == GemmProvider::kBlas ? blas_gflops(shape) : onednn_gflops(shape);
}

}  // namespace equiframe::runtime
