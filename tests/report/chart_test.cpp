#include "report/chart.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/contains.h"

namespace equiframe::report {
namespace {

using test_support::contains;

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

TEST(Ruler, PlacesDoublingsEquallyApart) {
  const Ruler ruler(Scale::kBinary, {1, 32}, 0, 500);
  EXPECT_NEAR(ruler.at(1), 0, 1e-9);
  EXPECT_NEAR(ruler.at(8), 300, 1e-9);
  EXPECT_NEAR(ruler.at(32), 500, 1e-9);
  const auto ticks = ruler.ticks();
  ASSERT_EQ(ticks.size(), 6U);
  EXPECT_EQ(ticks[0].label, "1");
  EXPECT_EQ(ticks[4].label, "16");
  EXPECT_THROW(Ruler(Scale::kBinary, {-1, 1}, 0, 10), std::invalid_argument);
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

/// The first number after `key`, at or after `from`.
double number_after(const std::string& text, const std::string& key, size_t from = 0) {
  return std::stod(text.substr(text.find(key, from) + key.size()));
}

TEST(DotChart, KeepsLabelsApartFromTheFirstMark) {
  constexpr double kWidestBold = 7.6;  // mean width of a letter of 13 units, DejaVu Sans
  DotChart chart;
  chart.looks = {{"share", Colour::kCool, Mark::kDot}};
  chart.rows = {{"GIN+ID, FA, canonical", "", {0}}, {"GCN", "", {100}}};
  const std::string svg = draw(chart).element();
  const double first = number_after(svg, "cx=\"", svg.find(">GIN+ID"));
  EXPECT_GT(first - 5, 10 + kWidestBold * static_cast<double>(chart.rows[0].label.size()));
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

TEST(LineChart, DrawsABandAroundACurve) {
  LineChart chart;
  chart.series = {{{"mean", Colour::kCool, Mark::kDot, Dash::kDashed},
                   {{1, 2}, {2, 1}, {3, NAN}},
                   {1, 0.5, NAN},
                   {4, 1.5, NAN}}};
  const std::string svg = draw(chart).element();
  EXPECT_EQ(count(svg, "<polygon"), 1U);
  EXPECT_TRUE(contains(svg, "stroke-dasharray"));
  EXPECT_TRUE(contains(svg, ">4</text>"));  // the axis reaches to the edge of the band
  EXPECT_FALSE(contains(svg, "nan"));
  chart.series[0].low.pop_back();
  EXPECT_THROW(draw(chart), std::invalid_argument);
}

TEST(LineChart, LabelsAGuideAtEitherEnd) {
  LineChart chart;
  chart.series = {{{"loss", Colour::kCool, Mark::kNone}, {{0, 0}, {1, 1}}}};
  chart.guides = {{0.5, "right"}, {0.25, "left", Anchor::kStart}};
  const std::string svg = draw(chart).element();
  EXPECT_EQ(count(svg, "<circle"), 0U);  // a look without marks has none in the legend either
  const auto place = [&](const std::string& label) {
    return number_after(svg, " x=\"", svg.rfind("<text", svg.find(">" + label + "<")));
  };
  EXPECT_LT(place("left"), 100);
  EXPECT_GT(place("right"), 800);
}

ScatterChart sample_scatter() {
  ScatterChart chart;
  chart.description = "cosets";
  chart.x = {"m_G", Scale::kLog};
  chart.y = {"m_F", Scale::kLog};
  chart.unit = "graphs";
  chart.series = {{{"pairs", Colour::kCool, Mark::kDot}, {{{10, 1}, 1}, {{100, 1}, 10000}}}};
  return chart;
}

TEST(ScatterChart, SizesDiscsByTheFourthRootOfTheirWeight) {
  const std::string svg = draw(sample_scatter()).element();
  const size_t large = svg.find("<title>pairs; 100: 1; 10000 graphs</title>");
  const size_t small = svg.find("<title>pairs; 10: 1; 1 graphs</title>");
  ASSERT_NE(large, std::string::npos);
  ASSERT_NE(small, std::string::npos);
  EXPECT_LT(large, small);  // drawn on top
  const auto radius = [&](size_t title) {
    return number_after(svg, " r=\"", svg.rfind("<circle", title));
  };
  EXPECT_NEAR(radius(large), 10 * radius(small), 0.05);
  EXPECT_EQ(count(svg, "<title>"), 2U);
  EXPECT_TRUE(contains(svg, ">10000 graphs</text>"));  // the largest of the legend
}

TEST(ScatterChart, NamesCurvesAtTheirEnds) {
  ScatterChart chart = sample_scatter();
  chart.series[0].dots.push_back({{NAN, 1}, 5});
  chart.curves = {{{"k = 8", Colour::kMuted, Mark::kNone, Dash::kDashed}, {{1, 2}, {50, 3}}}, {}};
  const std::string svg = draw(chart).element();
  EXPECT_EQ(count(svg, ">k = 8</text>"), 1U);
  EXPECT_EQ(count(svg, "<title>"), 2U);
  EXPECT_FALSE(contains(svg, "nan"));
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
