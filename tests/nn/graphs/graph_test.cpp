#include "nn/graphs/graph.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe {
namespace {

TEST(CompleteGraph, ListsAllOthersInOrder) {
  const Tensor expected = torch::tensor({{{1, 2}, {0, 2}, {0, 1}}}, torch::kLong);
  EXPECT_TRUE(torch::equal(complete_graph(1, 3), expected));
}

TEST(CompleteGraph, PaddingNeitherSendsNorReceives) {
  const Tensor mask = torch::tensor({{true, true, false}});
  const Tensor expected = torch::tensor({{{1, -1}, {0, -1}, {-1, -1}}}, torch::kLong);
  EXPECT_TRUE(torch::equal(complete_graph(1, 3, mask), expected));
}

TEST(RadiusGraph, FindsExactlyTheNearPoints) {
  torch::manual_seed(1);
  const Tensor points = torch::randn({3, 60, 3}, torch::kFloat64) * 2;
  const Tensor mask = torch::rand({3, 60}) < 0.9;
  const double radius = 1.1;
  const Tensor found = radius_graph(points, radius, mask);
  const Tensor near = (torch::cdist(points, points) < radius) & mask.unsqueeze(1) &
                      mask.unsqueeze(2) & torch::eye(60, torch::kLong).eq(0);
  Tensor listed = torch::zeros({3, 60, 61}, torch::kLong);
  listed.scatter_(2, torch::where(found < 0, torch::full_like(found, 60), found),
                  torch::ones_like(found));
  EXPECT_TRUE(torch::equal(listed.narrow(2, 0, 60).to(torch::kBool), near));
}

TEST(RadiusGraph, RefusesARadiusThatIsNone) {
  EXPECT_THROW(radius_graph(torch::zeros({1, 2, 3}), 0), UserError);
}

TEST(GatherSenders, IsZeroWhereThereIsNone) {
  const Tensor x = torch::tensor({{{1.0}, {2.0}}});
  const Tensor neighbors = torch::tensor({{{1, -1}, {0, -1}}}, torch::kLong);
  EXPECT_TRUE(torch::equal(gather_senders(x, neighbors).squeeze(-1),
                           torch::tensor({{{2.0, 0.0}, {1.0, 0.0}}})));
}

}  // namespace
}  // namespace equiframe
