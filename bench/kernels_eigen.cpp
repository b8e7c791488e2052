/// Batched eigen-decomposition against torch::linalg_eigh, 100,000 random symmetric matrices.
#include <string>

#include <ATen/ATen.h>

#include "bench.h"
#include "linalg/symmetric_eigen.h"

namespace {

using namespace equiframe;

constexpr int64_t kCount = 100'000;

template <class T>
bench::Row eigen_row(int64_t dim, double target) {
  const auto type = c10::CppTypeToScalarType<T>::value;
  const at::Tensor half = at::randn({kCount, dim, dim}, type);
  const at::Tensor matrices = half + half.transpose(1, 2);  // [count, d, d]
  const at::Tensor values = at::empty({kCount, dim}, type);
  const at::Tensor vectors = at::empty({kCount, dim, dim}, type);
  const auto kernel = [&] {
    const auto eigh = dim == 2 ? static_cast<void (*)(int64_t, const T*, T*, T*)>(kernels::eigh2)
                               : static_cast<void (*)(int64_t, const T*, T*, T*)>(kernels::eigh3);
    eigh(kCount, matrices.data_ptr<T>(), values.data_ptr<T>(), vectors.data_ptr<T>());
  };
  const std::string name =
      "eigh" + std::to_string(dim) + (sizeof(T) == 8 ? " float64" : " float32");
  return bench::speedup(name + ", 100000 matrices", target, kernel,
                        [&] { at::linalg_eigh(matrices); });
}

const bool kKernelsEigenRegistered[] = {
    bench::add("kernels", [] { return eigen_row<double>(3, 16); }),
    bench::add("kernels", [] { return eigen_row<float>(3, 30); }),
    bench::add("kernels", [] { return eigen_row<double>(2, 16); }),
    bench::add("kernels", [] { return eigen_row<float>(2, 30); }),
};

}  // namespace
