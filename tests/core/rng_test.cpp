#include "equiframe/core/rng.h"

#include <set>

#include <gtest/gtest.h>
#include <torch/types.h>

namespace equiframe {
namespace {

TEST(Rng, DrawsDependOnSeedStreamKeyAndCounterOnly) {
  const Rng rng{3, 4};
  EXPECT_EQ(rng.bits(1, 2), (Rng{3, 4}.bits(1, 2)));
  EXPECT_NE(rng.bits(1, 2), (Rng{5, 4}.bits(1, 2)));
  EXPECT_NE(rng.bits(1, 2), (Rng{3, 5}.bits(1, 2)));
  EXPECT_NE(rng.bits(1, 2), rng.bits(2, 2));
  EXPECT_NE(rng.bits(1, 2), rng.bits(1, 3));
}

TEST(Rng, BelowIsUniform) {
  constexpr int kBins = 7, kDraws = 70000;
  std::vector<int> counts(kBins);
  for (uint64_t i = 0; i < kDraws; ++i) ++counts[Rng{1, 0}.below(kBins, 9, i)];
  double chi_square = 0;
  const double expected = double{kDraws} / kBins;
  for (const int count : counts) chi_square += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi_square, 22.5);  // 6 degrees of freedom, p = 0.001
}

TEST(ItemKeys, FollowTheItemWhateverTheBatch) {
  const Tensor x = torch::randn({5, 4, 3});
  const Tensor keys = item_keys(x, {});
  const Tensor alone = item_keys(x.narrow(0, 3, 1), {});
  EXPECT_EQ(keys[3].item<int64_t>(), alone[0].item<int64_t>());
  std::set<int64_t> distinct;
  for (int64_t b = 0; b < 5; ++b) distinct.insert(keys[b].item<int64_t>());
  EXPECT_EQ(distinct.size(), 5U);
}

TEST(ItemKeys, AreTheIdsWhereGiven) {
  const Tensor id = torch::tensor({7, 8}, torch::kInt64);
  EXPECT_TRUE(item_keys(torch::zeros({2, 3, 3}), id).equal(id));
  EXPECT_THROW(item_keys(torch::zeros({3, 3, 3}), id), c10::Error);
}

}  // namespace
}  // namespace equiframe
