#include "equiframe/core/batch.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace equiframe {
namespace {

Batch graph(int64_t nodes, double value) {
  Batch batch(torch::full({1, nodes, 2}, value));
  batch.pair = torch::full({1, nodes, nodes, 1}, value);
  return batch;
}

TEST(Concat, PadsToTheMostNodesAndMasksThePadding) {
  const Batch all = concat({graph(2, 1), graph(3, 2)});
  EXPECT_EQ(all.x.sizes(), (std::vector<int64_t>{2, 3, 2}));
  EXPECT_TRUE(all.mask.equal(torch::tensor({{true, true, false}, {true, true, true}})));
  EXPECT_TRUE(all.pair[0].narrow(0, 0, 2).narrow(1, 0, 2).eq(1).all().item<bool>());
  EXPECT_EQ(all.pair[0].sum().item<double>(), 4);
  EXPECT_EQ(all.x[0].sum().item<double>(), 4);
  EXPECT_TRUE(all.pair[1].equal(torch::full({3, 3, 1}, 2.0)));
}

TEST(Concat, KeepsMasksAndNeedsNoneForEqualSizes) {
  EXPECT_FALSE(concat({graph(2, 1), graph(2, 2)}).mask.defined());
  Batch masked = graph(3, 1);
  masked.mask = torch::tensor({{true, false, true}});
  const Batch all = concat({masked, graph(3, 2)});
  EXPECT_TRUE(all.mask.equal(torch::tensor({{true, false, true}, {true, true, true}})));
}

TEST(Concat, RefusesAPartThatOnlySomeHave) {
  EXPECT_THROW(concat({graph(2, 1), Batch(torch::zeros({1, 2, 2}))}), c10::Error);
  EXPECT_THROW(concat({}), c10::Error);
}

}  // namespace
}  // namespace equiframe
