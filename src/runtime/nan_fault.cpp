#include "runtime/nan_fault.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "runtime/blas_library.h"
#include "runtime/one_thread.h"
#include "runtime/openblas_cores.h"

namespace equiframe::runtime {
namespace {

/// C[m, m] = A[m, k] B[k, m] with all entries of A and B equal to `value`.
void multiply(SgemmFunction* sgemm, int m, int k, float value) {
  const auto rows = static_cast<std::size_t>(m);
  const std::vector<float> a(rows * static_cast<std::size_t>(k), value);
  std::vector<float> c(rows * rows);
  const float one = 1;
  const float zero = 0;
  sgemm("N", "N", &m, &m, &k, &one, a.data(), &m, a.data(), &k, &zero, c.data(), &m);
}

/// Fills the calling thread's buffer: as large as it may be to stay on one thread.
void fill_own(SgemmFunction* sgemm, float value) {
  multiply(sgemm, 64, 64, value);
}

/// Those of the workers too: large enough to be shared out.
void fill_shared(SgemmFunction* sgemm, float value) {
  multiply(sgemm, 512, 64, value);
}

/// y = A x for the unit matrix and the vector of ones, by its lower triangle.
bool finds_ones(SsymvFunction* ssymv, int n) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<float> unit(size * size);
  for (std::size_t i = 0; i < size; ++i) unit[i * size + i] = 1;
  const std::vector<float> x(size, 1.0F);
  std::vector<float> y(size);
  const float one = 1;
  const float zero = 0;
  const int step = 1;
  ssymv("L", &n, &one, unit.data(), &n, x.data(), &step, &zero, y.data(), &step);
  return std::all_of(y.begin(), y.end(), [](float value) { return value == 1; });
}

}  // namespace

std::optional<bool> has_nan_fault() {
  const BlasLibrary& library = BlasLibrary::loaded();
  auto* sgemm = library.function<SgemmFunction>("sgemm_");
  auto* ssymv = library.function<SsymvFunction>("ssymv_");
  if (sgemm == nullptr || ssymv == nullptr) return std::nullopt;
  const OneThread one(blas_threads(library), [&](int n) { set_blas_threads(library, n); });
  bool found = false;
  for (const int n : {2, 3, 6, 7}) {
    fill_own(sgemm, std::numeric_limits<float>::quiet_NaN());
    found = !finds_ones(ssymv, n) || found;
  }
  fill_own(sgemm, 1);
  return found;
}

void clear_blas_buffers() {
  const BlasLibrary& library = BlasLibrary::loaded();
  auto* core = library.function<const char*()>("openblas_get_corename");
  auto* sgemm = library.function<SgemmFunction>("sgemm_");
  if (core == nullptr || sgemm == nullptr || kernel_width(core()) != KernelWidth::kSse) return;
  fill_own(sgemm, 1);
  if (blas_threads(library) > 1) fill_shared(sgemm, 1);
}

}  // namespace equiframe::runtime
