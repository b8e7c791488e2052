#pragma once

#include <cstdint>
#include <optional>

namespace equiframe::runtime {

/// C[m, n] = A[m, k] B[k, n], row-major float32.
struct GemmShape {
  std::int64_t m = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
};

/// A layer of a small network on many nodes, the shape that matters here.
inline constexpr GemmShape kLayerShape{16000, 122, 60};
/// A large square product, where a library shows its best.
inline constexpr GemmShape kSquareShape{1024, 1024, 1024};

enum class GemmProvider { kBlas, kOneDnn };

/// GFLOP/s of the best of several single-precision products on one thread, measured for about
/// 50 ms. Nothing if the library is not loaded or does not show its symbol. Not to be called while
/// other threads use the library: its thread count is one for the time of the measurement.
std::optional<double> sgemm_gflops(const GemmShape& shape,
                                   GemmProvider provider = GemmProvider::kBlas);

}  // namespace equiframe::runtime
