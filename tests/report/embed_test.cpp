#include <gtest/gtest.h>

#include "tests/report/odd_bytes.txt.h"

namespace equiframe {
namespace {

TEST(Embed, AFileComesByteByByte) {
  EXPECT_EQ(embedded::kOddBytesTxt,
            "quote \" backslash \\ delimiter )\" tab\t\n"
            "semicolon ; words @name@ ${name} \xe2\x88\x92 \xc3\xa9\n"
            "# the last line has no end");
}

}  // namespace
}  // namespace equiframe
