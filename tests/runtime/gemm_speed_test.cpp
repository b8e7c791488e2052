#include "runtime/gemm_speed.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "runtime/blas_info.h"

namespace equiframe::runtime {
namespace {

TEST(GemmSpeed, IsMeasuredWhereThereIsABlas) {
  const int threads = blas_info().threads;
  const auto speed = sgemm_gflops({200, 100, 60});
  ASSERT_EQ(speed.has_value(), blas_info().kind != BlasKind::kNone);
  if (!speed) GTEST_SKIP() << "no BLAS shows itself";
  EXPECT_GT(*speed, 0.05);
  EXPECT_LT(*speed, 2000);
  EXPECT_EQ(blas_info().threads, threads) << "the thread count must be put back";
}

TEST(GemmSpeed, TellsKernelsApart) {
  const BlasInfo blas = blas_info();
  if (blas.kind != BlasKind::kOpenBlas || is_misdetected(blas) || expected_core().empty()) {
    GTEST_SKIP() << "no fast and slow kernel to compare";
  }
  const double fast = sgemm_gflops(kLayerShape).value();
  ASSERT_EQ(switch_kernel("Prescott"), "Prescott");
  const double slow = sgemm_gflops(kLayerShape).value();
  ASSERT_EQ(switch_kernel(blas.kernel), blas.kernel);
  EXPECT_GT(fast, 1.3 * slow);
}

TEST(GemmSpeed, RefusesAnEmptyShape) {
  EXPECT_THROW(sgemm_gflops({0, 10, 10}), std::invalid_argument);
  EXPECT_THROW(sgemm_gflops({10, 10, -1}, GemmProvider::kOneDnn), std::invalid_argument);
}

}  // namespace
}  // namespace equiframe::runtime
