/// Drawings are the same in programs that honour a locale with a decimal comma.
#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "report/chart.h"
#include "report/cloud_view.h"
#include "report/format.h"
#include "tests/support/german_numbers.h"

namespace equiframe::report {
namespace {

std::string drawn() {
  LineChart chart;
  chart.description = "a line";
  chart.x = {"x", Scale::kLinear};
  chart.y = {"y", Scale::kLog};
  chart.series = {{{"f", Colour::kCool, Mark::kDot}, {{0.25, 1e-3}, {1.5, 0.125}, {1234.5, 10.5}}}};
  Svg svg({1200.5, 20}, "a picture");
  svg.picture({3.25, 4}, 1.5, {2, 1, {0x102030, Picture::kClear}}, "hint");
  return draw(chart).file() + svg.element() + number(0.42) + number(1.2e-15) +
         whole_number(1234567);
}

TEST(Locale, DrawingsAreAsEver) {
  const std::string before = drawn();
  const test_support::GermanStreams streams;
  EXPECT_EQ(drawn(), before);
  const test_support::GermanPrintf print;
  if (!print.works()) GTEST_SKIP() << print.reason();
  EXPECT_EQ(drawn(), before);
}

}  // namespace
}  // namespace equiframe::report
