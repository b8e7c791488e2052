#include "equiframe/report/chart.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace equiframe::report {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t count(const std::string& text, const std::string& part) {
  size_t result = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
  return result;
}

TEST(Ruler, PlacesLinearValuesInProportion) {
  const Ruler ruler(Scale::kLinear, {0, 10}, 100, 200);
  EXPECT_DOUBLE_EQ(ruler.at(0), 100);
  EXPECT_DOUBLE_EQ(ruler.at(10), 200);
  EXPECT_DOUBLE_EQ(ruler.at(2.5), 125);
}

TEST(Ruler, PlacesDecadesEquallyApart) {
  const Ruler ruler(Scale::kLog, {1e-4, 1}, 0, 400);
  EXPECT_NEAR(ruler.at(1e-4), 0, 1e-9);
  EXPECT_NEAR(ruler.at(1e-2), 200, 1e-9);
  EXPECT_NEAR(ruler.at(1), 400, 1e-9);
}

TEST(Ruler, RunsBackwardsToo) {
  const Ruler ruler(Scale::kLog, {1, 100}, 300, 100);
  EXPECT_NEAR(ruler.at(1), 300, 1e-9);
  EXPECT_NEAR(ruler.at(100), 100, 1e-9);
}

TEST(Ruler, KeepsAPlaceForExactZeros) {
  const Ruler ruler(Scale::kLog, {0, 1e-16, 1}, 50, 500);
  EXPECT_DOUBLE_EQ(ruler.at(0), 50);
  EXPECT_GT(ruler.at(1e-16), 60);
  EXPECT_EQ(ruler.ticks().front().label, "0");
  EXPECT_NE(Ruler(Scale::kLog, {1e-16, 1}, 50, 500).ticks().front().label, "0");
}

TEST(Ruler, HasRoundAscendingTicks) {
  for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
    const auto ticks = Ruler(scale, {0.013, 870}, 0, 100).ticks();
    EXPECT_GE(ticks.size(), 3U);
    EXPECT_LE(ticks.size(), 12U);
    for (size_t i = 1; i < ticks.size(); ++i) EXPECT_GT(ticks[i].position, ticks[i - 1].position);
  }
  const auto ticks = Ruler(Scale::kLinear, {0, 1}, 0, 100).ticks();
  EXPECT_EQ(ticks.front().label, "0");
  EXPECT_EQ(ticks[1].label, "0.2");
  EXPECT_EQ(ticks.back().label, "1");
}

TEST(Ruler, BearsOneValueNoValueAndNoNumber) {
  EXPECT_TRUE(std::isfinite(Ruler(Scale::kLinear, {3, 3}, 0, 10).at(3)));
  EXPECT_TRUE(std::isfinite(Ruler(Scale::kLog, {}, 0, 10).at(3)));
  EXPECT_TRUE(std::isfinite(Ruler(Scale::kLog, {0}, 0, 10).at(0)));
  EXPECT_DOUBLE_EQ(Ruler(Scale::kLinear, {0, NAN, 1, INFINITY}, 0, 10).at(1), 10);
}

TEST(Ruler, RefusesNegativeValuesOnALogarithmicAxis) {
  EXPECT_THROW(Ruler(Scale::kLog, {-1, 1}, 0, 10), std::invalid_argument);
}

DotChart sample_dots() {
  DotChart chart;
  chart.description = "errors";
  chart.axis = {"error", Scale::kLog};
  chart.looks = {{"before", Colour::kWarm, Mark::kDiamond}, {"after", Colour::kCool, Mark::kDot}};
  chart.rows = {{"E(3)", "pca", {1.5, 2e-16}}, {"S(8)", "canonical", {0.7, 0}}};
  chart.guides = {{1e-12, "tolerance"}};
  return chart;
}

TEST(DotChart, ShowsEveryValueOnceWithAHint) {
  const std::string svg = draw(sample_dots()).element();
  EXPECT_TRUE(contains(svg, "<title>E(3), pca; before: 1.5</title>"));
  EXPECT_TRUE(contains(svg, "<title>E(3), pca; after: 2e-16</title>"));
  EXPECT_TRUE(contains(svg, "<title>S(8), canonical; after: 0</title>"));
  EXPECT_EQ(count(svg, "<title>"), 4U);
  EXPECT_TRUE(contains(svg, ">tolerance</text>"));
  EXPECT_TRUE(contains(svg, ">error</text>"));
}

TEST(DotChart, LeavesOutWhatWasNotMeasured) {
  DotChart chart = sample_dots();
  chart.rows[0].values[1] = NAN;
  const std::string svg = draw(chart).element();
  EXPECT_EQ(count(svg, "<title>"), 3U);
  EXPECT_FALSE(contains(svg, "nan"));
}

TEST(LineChart, SkipsValuesThatAreNotNumbers) {
  LineChart chart;
  chart.description = "loss";
  chart.x = {"step", Scale::kLinear};
  chart.y = {"loss", Scale::kLog};
  chart.series = {{{"train", Colour::kCool, Mark::kDot}, {{0, 1}, {1, NAN}, {2, 0.1}}}};
  const std::string svg = draw(chart).element();
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_TRUE(contains(svg, "<title>train; 2: 0.1</title>"));
  EXPECT_EQ(count(svg, "<title>"), 2U);
}

TEST(LineChart, DrawsLongCurvesWithoutMarks) {
  LineChart chart;
  chart.series.push_back({{"train", Colour::kCool, Mark::kDot}, {}});
  for (int i = 0; i < 1000; ++i)
    chart.series[0].points.push_back({static_cast<double>(i), std::sin(i)});
  EXPECT_EQ(count(draw(chart).element(), "<title>"), 0U);
}

TEST(Svg, StandsAloneWithItsOwnColours) {
  Svg svg({10, 10}, "a \"quoted\" arrow");
  svg.arrow({0, 0}, {10, 0}, {});
  svg.arrow({1, 1}, {1, 1}, {});  // of no length: nothing to draw
  EXPECT_TRUE(contains(svg.file(), "aria-label=\"a &quot;quoted&quot; arrow\""));
  EXPECT_TRUE(contains(svg.file(), ".s-ink{stroke:"));
  EXPECT_FALSE(contains(svg.element(), "<style>"));
  EXPECT_EQ(count(svg.element(), "<polygon"), 1U);
}

}  // namespace
}  // namespace equiframe::report
