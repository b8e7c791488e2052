#include "datasets/nbody/kernels/numpy_random.h"

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

namespace equiframe::kernels {
namespace {

TEST(NumpyRandom, WordsAreTheStandardLibrarys) {
  for (const std::uint32_t seed : {0u, 43u, 4294967295u}) {
    MersenneTwister ours(seed);
    std::mt19937 expected(seed);
    for (int k = 0; k < 2000; ++k) ASSERT_EQ(ours(), expected()) << seed << " " << k;
  }
}

TEST(NumpyRandom, GivesNumpysUniformsAndNormals) {
  NumpyRandom random(43);
  for (const double expected : {0.11505456638977896, 0.6090665392794814, 0.13339096418598828,
                                0.24058961996534878, 0.3271390558111398})
    EXPECT_EQ(random.uniform(), expected);
  for (const double expected : {0.406094210414111, 0.8780990348347582, -0.4713833167038588})
    EXPECT_EQ(random.normal(), expected);
}

TEST(NumpyRandom, SkippingIsDrawing) {
  for (const int before : {0, 1}) {
    for (const int skipped : {0, 1, 2, 7, 1470}) {
      NumpyRandom drawn(5), skipping(5);
      for (int k = 0; k < before; ++k) EXPECT_EQ(drawn.normal(), skipping.normal());
      for (int k = 0; k < skipped; ++k) drawn.normal();
      skipping.skip_normals(skipped);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(drawn.normal(), skipping.normal()) << skipped;
    }
  }
}

}  // namespace
}  // namespace equiframe::kernels
