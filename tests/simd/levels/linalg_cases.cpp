#include "linalg/pca.h"
#include "linalg/symmetric_eigen.h"
#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {
namespace {

/// v v^T of each column v, which does not know its sign.
template <class T>
std::vector<T> projectors(std::size_t d, const std::vector<T>& vectors) {
  std::vector<T> all;
  for (std::size_t first = 0; first < vectors.size(); first += d * d)
    for (std::size_t column = 0; column < d; ++column)
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j)
          all.push_back(vectors[first + i * d + column] * vectors[first + j * d + column]);
  return all;
}

/// Of eigenvalues about 0, 4 and 8: axes are well conditioned.
template <class T>
std::vector<T> matrices(std::int64_t count, std::int64_t d) {
  Draws draws(1);
  std::vector<T> all = draws.numbers<T>(count * d * d);
  for (std::int64_t k = 0; k < count * d; ++k)
    all[static_cast<std::size_t>(k * d + k % d)] += static_cast<T>(4 * (k % d));
  return all;
}

template <class T>
std::vector<Output> eigen(SimdLevel level) {
  std::vector<Output> outputs;
  const EigenFunctions<T>& kernels = Table<EigenKernels>::at(level).of<T>();
  for (const std::int64_t d : {2, 3}) {
    const std::int64_t count = 131;
    const std::vector<T> from = matrices<T>(count, d);
    std::vector<T> values(static_cast<std::size_t>(count * d)), vectors(from.size());
    (d == 2 ? kernels.eigh2 : kernels.eigh3)(count, from.data(), values.data(), vectors.data());
    const std::string name = "eigh" + std::to_string(d);
    outputs.push_back(output(name + " values", values));
    outputs.push_back(output(name + " vectors", projectors(static_cast<std::size_t>(d), vectors)));
  }
  return outputs;
}

template <class T>
std::vector<Output> pca(SimdLevel level) {
  std::vector<Output> outputs;
  const PcaFunctions<T>& kernels = Table<PcaKernels>::at(level).of<T>();
  Draws draws(2);
  const std::int64_t count = 21, n = 17;
  for (const std::int64_t d : {2, 3}) {
    const std::vector<T> points = draws.numbers<T>(count * n * d, 3);
    std::vector<T> weights = draws.numbers<T>(count * n);
    for (T& w : weights) w = w < 0 ? T(0) : w;
    for (const T* w : {static_cast<const T*>(nullptr), static_cast<const T*>(weights.data())}) {
      std::vector<double> centre(static_cast<std::size_t>(count * d));
      std::vector<double> covariance(centre.size() * static_cast<std::size_t>(d));
      (d == 2 ? kernels.moments2 : kernels.moments3)(
          {points.data(), w, count, n, d, d}, Centre::kMean, centre.data(), covariance.data());
      outputs.push_back(output("centre", centre));
      outputs.push_back(output("covariance", covariance));
    }
    const std::vector<double> axes = draws.numbers<double>(count * d * d);
    for (const Handedness handedness : {Handedness::kBoth, Handedness::kRightOnly}) {
      std::vector<T> bases(static_cast<std::size_t>(count * sign_choices(d, handedness) * d * d));
      (d == 2 ? kernels.bases2 : kernels.bases3)(count, axes.data(), handedness, bases.data());
      outputs.push_back(output("bases", bases));
    }
  }
  return outputs;
}

}  // namespace

std::vector<Case> linalg_cases() {
  return {{"symmetric_eigen", 32, {eigen<float>, eigen<double>}},
          {"pca", 32, {pca<float>, pca<double>}}};
}

}  // namespace equiframe::kernels::levels
