#include "frames/permutation/labelling/large_stack.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace equiframe {
namespace {

/// Uses a kilobyte of the stack for each level.
int deep(int levels) {
  volatile char used[1000];
  used[levels % 1000] = 1;
  return levels == 0 ? 0 : deep(levels - 1) + used[levels % 1000];
}

TEST(LargeStack, HoldsWhatOtherStacksDoNot) {
  int levels = 0;
  run_on_large_stack([&] { levels = deep(100000); });  // 100 MB
  EXPECT_EQ(levels, 100000);
}

TEST(LargeStack, PassesErrorsOn) {
  EXPECT_THROW(run_on_large_stack([] { throw std::out_of_range("far"); }), std::out_of_range);
}

}  // namespace
}  // namespace equiframe
