#include "datasets/graphs/planar_map.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace equiframe {
namespace {

TEST(PlanarMap, IsPlaneBipartiteAndWithoutDeadEnds) {
  std::mt19937 generator(7);
  const Draw draw = [&](int64_t bound) {
    return static_cast<int64_t>(generator() % static_cast<uint64_t>(bound));
  };
  for (int64_t nodes = 4; nodes <= 24; ++nodes) {
    for (int round = 0; round < 20; ++round) {
      const PlanarMap map = PlanarMap::random(nodes, draw);
      ASSERT_EQ(map.nodes(), nodes);
      EXPECT_EQ(map.nodes() - map.edges() + map.faces(), 2);  // Euler
      int64_t ends = 0;
      for (int64_t u = 0; u < nodes; ++u) {
        auto near = map.around(u);
        ends += static_cast<int64_t>(near.size());
        EXPECT_GE(near.size(), 2U);
        for (const int64_t v : near) EXPECT_NE(map.colour(u), map.colour(v));
        std::sort(near.begin(), near.end());
        EXPECT_EQ(std::adjacent_find(near.begin(), near.end()), near.end()) << "repeated edge";
      }
      EXPECT_EQ(ends, 2 * map.edges());
    }
  }
}

}  // namespace
}  // namespace equiframe
