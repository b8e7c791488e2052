#include "core/memory_size.h"

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/support/message_of.h"

namespace equiframe {
namespace {

TEST(MemorySize, IsReadWithAndWithoutAUnit) {
  EXPECT_EQ(text::parse_memory_size("500MB", "--m"), 500'000'000);
  EXPECT_EQ(text::parse_memory_size("2 GB", "--m"), 2'000'000'000);
  EXPECT_EQ(text::parse_memory_size("1.5k", "--m"), 1500);
  EXPECT_EQ(text::parse_memory_size("1500000000", "--m"), 1'500'000'000);
  for (const std::string wrong : {"much", "0", "-5MB", "5 apples", "", "1e30", "nan"})
    EXPECT_NE(test_support::message_of<UserError>([&] {
                text::parse_memory_size(wrong, "--m");
              }).find("--m '" + wrong + "' is no amount of memory"),
              std::string::npos);
}

TEST(MemorySize, IsWrittenForPeople) {
  EXPECT_EQ(text::memory_text(1.5e9), "1.5 GB");
  EXPECT_EQ(text::memory_text(123456789), "123 MB");
}

}  // namespace
}  // namespace equiframe
