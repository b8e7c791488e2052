#include "frames/permutation/labelling/weisfeiler_leman.h"

#include <gtest/gtest.h>

namespace equiframe {
namespace {

const SimpleGraph kHexagon{6, {{0, 1}, {0, 5}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, {}, 0};
const SimpleGraph kTriangles{6, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}}, {}, 0};

TEST(WeisfeilerLeman, TheFirstDimensionSeesDegreesOnlyInRegularGraphs) {
  EXPECT_TRUE(equal_for_1wl(kHexagon, kTriangles));
  EXPECT_FALSE(equal_for_2fwl(kHexagon, kTriangles));
  SimpleGraph path = kHexagon;
  path.edges.pop_back();
  path.edges.push_back({3, 5});
  tidy(path);
  EXPECT_FALSE(equal_for_1wl(kHexagon, path));
}

TEST(WeisfeilerLeman, LabellingsAreEqualAndTypesCount) {
  const SimpleGraph moved = relabel(kHexagon, {3, 1, 4, 0, 5, 2});
  EXPECT_TRUE(equal_for_1wl(kHexagon, moved));
  EXPECT_TRUE(equal_for_2fwl(kHexagon, moved));
  SimpleGraph near = kHexagon, far = kHexagon;
  near.types = {1, 1, 0, 0, 0, 0};
  far.types = {1, 0, 0, 1, 0, 0};
  EXPECT_FALSE(equal_for_1wl(near, far));
  EXPECT_FALSE(equal_for_2fwl(near, far));
  EXPECT_FALSE(equal_for_1wl(near, kHexagon));
}

/// The 4x4 rook's graph and the Shrikhande graph: strongly regular (16, 6, 2, 2), so that 2-FWL
/// leaves them equal.
TEST(WeisfeilerLeman, TheSecondDimensionHasItsLimit) {
  SimpleGraph rook{16, {}, {}, 0}, shrikhande{16, {}, {}, 0};
  for (int32_t u = 0; u < 16; ++u) {
    for (int32_t v = u + 1; v < 16; ++v) {
      const int32_t dx = (v / 4 - u / 4 + 4) % 4, dy = (v % 4 - u % 4 + 4) % 4;
      if (dx == 0 || dy == 0) rook.edges.push_back({u, v});
      const bool side = (dx == 0 && dy % 2 == 1) || (dy == 0 && dx % 2 == 1);
      if (side || (dx == dy && dx % 2 == 1)) shrikhande.edges.push_back({u, v});
    }
  }
  EXPECT_EQ(rook.edges.size(), 48U);
  EXPECT_EQ(shrikhande.edges.size(), 48U);
  EXPECT_TRUE(equal_for_2fwl(rook, shrikhande));
}

}  // namespace
}  // namespace equiframe
