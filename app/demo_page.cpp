#include "demo_page.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <torch/types.h>

#include "equiframe/laws/laws.h"
#include "report/chart.h"
#include "report/format.h"
#include "report/page.h"

namespace equiframe::app {
namespace {

using report::Anchor;
using report::Colour;
using report::number;
using report::Point;
using report::Svg;

constexpr report::Size kPanel{420, 370};

/// From the units of a cloud to the units of a panel.
struct View {
  Point centre;
  double scale;        // of places
  double arrow_scale;  // of predicted vectors

  Point place(const double* p) const { return {centre.x + scale * p[0], centre.y - scale * p[1]}; }
  Point tip(Point from, const double* v) const {
    return {from.x + arrow_scale * v[0], from.y - arrow_scale * v[1]};
  }
};

/// One scale for both panels, so that lengths can be compared.
View view_of(const DemoPicture& picture) {
  constexpr double kReach = 142, kLongest = 66;
  const auto largest = [](const Tensor& vectors) {
    return vectors.norm(2, -1).max().item<double>();
  };
  const double longest =
      std::max(largest(picture.ordinary.answers), largest(picture.averaged.answers));
  return {{kPanel.width / 2, 208}, kReach / largest(picture.ordinary.points), kLongest / longest};
}

void draw_panel(Svg& svg, Point corner, const Fan& fan, View view, Colour colour,
                const char* title) {
  view.centre = {view.centre.x + corner.x, view.centre.y + corner.y};
  svg.text({corner.x + kPanel.width / 2, corner.y + 24}, title,
           {Colour::kInk, 15, Anchor::kMiddle, report::Weight::kBold});
  svg.text({corner.x + kPanel.width / 2, corner.y + 46},
           "answers to 12 rotations differ by up to " + number(fan.spread()),
           {Colour::kMuted, 13, Anchor::kMiddle, report::Weight::kNormal});
  const Tensor points = fan.points.contiguous(), answers = fan.answers.contiguous();
  const int64_t n = points.size(0), turns = answers.size(0);
  const auto* place = points.data_ptr<double>();
  const auto* answer = answers.data_ptr<double>();
  for (int64_t r = 0; r < turns; ++r) {
    for (int64_t i = 0; i < n; ++i) {
      const Point from = view.place(place + 2 * i);
      svg.arrow(from, view.tip(from, answer + 2 * (r * n + i)), {colour, 1.6, 0.7});
    }
  }
  for (int64_t i = 0; i < n; ++i)
    svg.mark(report::Mark::kDot, view.place(place + 2 * i), Colour::kInk);
}

constexpr const char* kOrdinary = "The network as it is";
constexpr const char* kAveraged = "The same network, averaged";

Svg panel(const Fan& fan, const View& view, Colour colour, const char* title) {
  Svg svg(kPanel, std::string(title) + ": 12 predicted vectors at each of " +
                      std::to_string(fan.points.size(0)) + " points, apart by at most " +
                      number(fan.spread()));
  draw_panel(svg, {0, 0}, fan, view, colour, title);
  return svg;
}

Svg error_chart(const std::vector<DemoRow>& rows) {
  report::DotChart chart;
  chart.description =
      "Equivariance error of each group before and after averaging, on a logarithmic axis";
  chart.axis = {"relative equivariance error, the largest over 16 random group elements",
                report::Scale::kLog};
  chart.looks = {{"ordinary network", Colour::kWarm, report::Mark::kDiamond},
                 {"averaged, float32", Colour::kFresh, report::Mark::kRing},
                 {"averaged, float64", Colour::kCool, report::Mark::kDot}};
  const auto& tolerance = laws::kAverageTolerance;
  chart.guides = {{tolerance.float64, "float64 tolerance"},
                  {tolerance.float32, "float32 tolerance"}};
  for (const DemoRow& row : rows)
    chart.rows.push_back({row.group,
                          row.input + ", " + row.frame,
                          {row.before, row.after_float32, row.after_float64}});
  return draw(chart);
}

Svg sampling_chart(const SamplingCurve& curve) {
  report::LineChart chart;
  chart.description =
      "Error left by averaging over random rotations, falling slowly with their "
      "number, and by a frame of four elements, at rounding";
  chart.x = {"evaluations of the network for one input", report::Scale::kLog};
  chart.y = {"relative equivariance error under SO(3), float64", report::Scale::kLog};
  std::vector<Point> random;
  for (const auto& [evaluations, error] : curve.random) random.push_back({evaluations, error});
  chart.series = {{{"random rotations", Colour::kWarm, report::Mark::kDiamond}, random},
                  {{"frame 'pca'", Colour::kCool, report::Mark::kDot},
                   {{curve.frame.evaluations, curve.frame.error}}}};
  chart.guides = {{laws::kAverageTolerance.float64, "tolerance"}};
  return draw(chart);
}

std::string summary(const DemoResults& results) {
  std::set<std::string> groups;
  double least = INFINITY, most = 0, worst64 = 0, worst32 = 0;
  for (const DemoRow& row : results.rows) {
    groups.insert(row.group);
    least = std::min(least, row.before);
    most = std::max(most, row.before);
    worst64 = std::max(worst64, row.after_float64);
    worst32 = std::max(worst32, row.after_float32);
  }
  return "A random network that respects no symmetry misses equivariance by " + number(least) +
         " to " + number(most) + " under " + std::to_string(groups.size()) +
         " groups. Averaged over a frame, with the same weights, it misses by at most " +
         number(worst64) + " in float64 and " + number(worst32) + " in float32" +
         (results.pass() ? ", which is rounding." : "; some errors exceed their tolerance.");
}

}  // namespace

bool DemoResults::pass() const {
  return std::all_of(rows.begin(), rows.end(), [](const DemoRow& row) { return row.pass(); });
}

report::Table demo_table(const std::vector<DemoRow>& rows) {
  using report::Align;
  report::Table table({{"group"},
                       {"input"},
                       {"map"},
                       {"frame"},
                       {"|F(X)|", Align::kRight},
                       {"before", Align::kRight},
                       {"float64", Align::kRight},
                       {"float32", Align::kRight},
                       {""}});
  for (const DemoRow& row : rows)
    table.add_row({row.group, row.input, row.map, row.frame, number(row.elements),
                   number(row.before), number(row.after_float64), number(row.after_float32),
                   row.pass() ? "ok" : "FAIL"});
  return table;
}

Svg demo_picture(const DemoPicture& picture) {
  const View view = view_of(picture);
  Svg svg({2 * kPanel.width, kPanel.height},
          "A planar cloud turned 12 ways: the ordinary network gives 12 different vectors at each "
          "point, the averaged network one");
  draw_panel(svg, {0, 0}, picture.ordinary, view, Colour::kWarm, kOrdinary);
  draw_panel(svg, {kPanel.width, 0}, picture.averaged, view, Colour::kCool, kAveraged);
  return svg;
}

std::string demo_page(const DemoResults& results,
                      const std::vector<std::pair<std::string, std::string>>& provenance) {
  report::Page page("Any network, made equivariant", summary(results));
  const View view = view_of(results.picture);
  page.figure(
      {panel(results.picture.ordinary, view, Colour::kWarm, kOrdinary),
       panel(results.picture.averaged, view, Colour::kCool, kAveraged)},
      "A network predicts a vector at each of 7 points X of the plane. The points are turned by "
      "12 rotations g and each prediction is turned back: g⁻¹ f(gX). An equivariant network "
      "gives the same vector every time. Group E(2), frame 'minimal' with one element; arrows "
      "of both panels are drawn to one scale.");
  page.section("Error before and after, group by group");
  page.figure({error_chart(results.rows)},
              "On the cube and the square the principal axes tie and the frame 'pca' refuses; "
              "'minimal' is exact there too. Relabelling nodes only moves numbers, so S(8) is "
              "exactly 0. Rest the pointer on a mark for its value.");
  page.section("Why a frame");
  page.figure({sampling_chart(results.sampling)},
              "Averaging over random rotations is exact only in the limit: a hundred times the "
              "work for one more digit. A frame is exact with a handful of evaluations.");
  page.section("The numbers");
  page.table(demo_table(results.rows));
  page.paragraph(
      "An error is the largest |f(gX) − g f(X)| over max(1, |f|) among 16 random g. |F(X)| is the "
      "number of group elements in the frame, and of evaluations of the network; 'canonical' needs "
      "one evaluation whatever it is.");
  page.section("Where this comes from");
  page.facts(provenance);
  return page.html();
}

}  // namespace equiframe::app
