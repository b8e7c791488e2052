#include "report/format.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace equiframe::report {
namespace {

TEST(Escape, WritesOutWhatMarkupReserves) {
  EXPECT_EQ(escape("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
  EXPECT_EQ(escape("ρ(g)⁻¹"), "ρ(g)⁻¹");
}

TEST(Number, IsShortAndKeepsTheMeaning) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(-0.0), "0");
  EXPECT_EQ(number(48), "48");
  EXPECT_EQ(number(40320), "40320");
  EXPECT_EQ(number(0.4256), "0.426");
  EXPECT_EQ(number(1.234e-15), "1.2e-15");
  EXPECT_EQ(number(2e-5), "2e-5");
  EXPECT_EQ(number(3.04e9), "3e9");
  EXPECT_EQ(number(-1.5), "-1.5");
  EXPECT_EQ(number(NAN), "nan");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "inf");
}

TEST(PowerOfTen, IsRaised) {
  EXPECT_EQ(power_of_ten(-15), "10⁻¹⁵");
  EXPECT_EQ(power_of_ten(0), "1");
  EXPECT_EQ(power_of_ten(1), "10");
  EXPECT_EQ(power_of_ten(3), "10³");
}

TEST(Width, CountsCharactersNotBytes) {
  EXPECT_EQ(width("10⁻¹⁵"), 5U);
  EXPECT_EQ(width(""), 0U);
}

}  // namespace
}  // namespace equiframe::report
