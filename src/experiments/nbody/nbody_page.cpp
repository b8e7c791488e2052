/// The report as a web page.
#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/runner/report_table.h"
#include "report/chart.h"
#include "report/format.h"
#include "report/page.h"

namespace equiframe::inline experiments {
namespace {

using report::Anchor;
using report::Colour;
using report::Mark;
using report::number;
using report::Point;
using report::Ruler;
using report::Scale;
using report::Svg;

constexpr std::array<std::pair<Colour, Mark>, 4> kLooks{{{Colour::kWarm, Mark::kDiamond},
                                                         {Colour::kCool, Mark::kDot},
                                                         {Colour::kFresh, Mark::kRing},
                                                         {Colour::kInk, Mark::kDot}}};

Svg error_chart(const NBodyReport& report) {
  report::DotChart chart;
  chart.description = "Test error of each row, the paper's and ours, on a logarithmic axis";
  chart.axis = {"test MSE", Scale::kLog};
  chart.looks = {{"paper", Colour::kWarm, Mark::kDiamond}, {"ours", Colour::kCool, Mark::kDot}};
  for (const ReportRow& row : report.rows)
    chart.rows.push_back(
        {row.title(), "", {row.in_paper() ? row.protocol.paper.value : NAN, row.mean_test_mse()}});
  return draw(chart);
}

/// The first run of each row.
Svg curve_chart(const std::vector<const ReportRow*>& rows) {
  report::LineChart chart;
  chart.description = "Validation error over epochs, both axes logarithmic";
  chart.x = {"epochs", Scale::kLog};
  chart.y = {"validation MSE", Scale::kLog};
  for (const ReportRow* row : rows) {
    const auto& [colour, mark] = kLooks.at(chart.series.size());
    std::vector<Point> points;
    for (const Evaluation& e : row->runs[0].outcome.history)
      points.push_back({static_cast<double>(e.epoch), e.valid.error});
    chart.series.push_back({{row->title(), colour, mark}, points});
  }
  return draw(chart);
}

/// As many charts as the colours ask for.
std::vector<Svg> curve_charts(const NBodyReport& report) {
  std::vector<const ReportRow*> finished;
  for (const ReportRow& row : report.rows) {
    if (!row.runs.empty()) finished.push_back(&row);
  }
  std::vector<Svg> charts;
  for (size_t i = 0; i < finished.size(); i += kLooks.size())
    charts.push_back(curve_chart(
        {finished.begin() + static_cast<int64_t>(i),
         finished.begin() + static_cast<int64_t>(std::min(i + kLooks.size(), finished.size()))}));
  return charts;
}

Svg spacing_chart(const SpacingFigure& figure) {
  constexpr double kLeft = 62, kRight = 858, kTop = 40, kBottom = 248;
  const Histogram& bars = figure.histogram;
  const double most =
      static_cast<double>(*std::max_element(bars.counts.begin(), bars.counts.end()));
  const double width = (bars.high - bars.low) / static_cast<double>(bars.counts.size());
  Svg svg({880, 300}, "Histogram of the minimal spacing at frame " + std::to_string(figure.frame));
  const Ruler across(Scale::kLinear, {bars.low, bars.high}, kLeft, kRight);
  const Ruler up(Scale::kLinear, {0, most}, kBottom, kTop);
  for (const report::Tick& tick : up.ticks()) {
    svg.line({kLeft, tick.position}, {kRight, tick.position}, {Colour::kRule, 1});
    svg.text({kLeft - 8, tick.position + 4}, tick.label, {Colour::kMuted, 12, Anchor::kEnd});
  }
  for (size_t i = 0; i < bars.counts.size(); ++i) {
    const double from = across.at(bars.low + width * static_cast<double>(i));
    const double to = across.at(bars.low + width * static_cast<double>(i + 1));
    const double top = up.at(static_cast<double>(bars.counts[i]));
    svg.rect({from + 1, top}, {to - from - 2, kBottom - top}, Colour::kCool);
  }
  for (const report::Tick& tick : across.ticks())
    svg.text({tick.position, kBottom + 18}, tick.label, {Colour::kMuted, 12, Anchor::kMiddle});
  svg.text({(kLeft + kRight) / 2, kBottom + 42}, "minimal spacing s_min",
           {Colour::kMuted, 12, Anchor::kMiddle});
  svg.text({0, 18}, "inputs, of frame " + std::to_string(figure.frame), {Colour::kMuted, 12});
  return svg;
}

Svg stability_chart(const std::vector<StabilityPoint>& curve) {
  report::LineChart chart;
  chart.description = "Distance of frames over the noise, falling to zero with it";
  chart.x = {"noise σ; the largest particle distance from the centre is 1", Scale::kLog};
  chart.y = {"distance E of the frames with and without noise", Scale::kLog};
  std::vector<Point> mean, deviation;
  for (const StabilityPoint& point : curve) {
    mean.push_back({point.sigma, point.mean});
    deviation.push_back({point.sigma, point.deviation});
  }
  chart.series = {{{"mean", Colour::kCool, Mark::kDot}, mean},
                  {{"standard deviation", Colour::kWarm, Mark::kDiamond}, deviation}};
  return draw(chart);
}

void add_results(report::Page& page, const NBodyReport& report) {
  page.section("Test error beside the paper's");
  page.figure(
      {error_chart(report)},
      "Mean squared error on the test set, lower is better. How much of the paper's training "
      "each row was given is said in the table. Rest the pointer on a mark for its value.");
  page.table(result_table(report).table());
  for (const std::string& remark : remarks(report)) page.paragraph(remark);
  const std::vector<Svg> curves = curve_charts(report);
  if (curves.empty()) return;
  page.section("Training curves");
  for (size_t i = 0; i < curves.size(); ++i)
    page.figure({curves[i]},
                i + 1 < curves.size()
                    ? "Validation error while training, first seed of each row."
                    : "The other rows. An epoch is one pass over the training set; how "
                      "many there was time for differs from row to row.");
}

void add_figures(report::Page& page, const NBodyFigures& figures) {
  if (figures.spacing.empty()) return;
  const SpacingFigure& input = figures.spacing.front();
  page.section("Figure 3: how close two eigenvalues come");
  page.figure({spacing_chart(input)},
              "The frame of principal axes needs three different eigenvalues of the covariance. "
              "s_min is the smaller of the two gaps over their mean: 1 for even spacing, 0 for a "
              "repeated eigenvalue. Smallest of " +
                  whole_number(figures.samples) +
                  " training inputs: " + number(input.summary.smallest) + ", with " +
                  std::to_string(input.summary.below_hundredth) +
                  " below 0.01. The paper says "
                  "\"of order 10⁻²\" without naming the frame of the trajectory; below are the "
                  "input frame of the task, the first frame and the target frame.");
  page.table(spacing_table(figures).table());
  page.section("Figure 4: how steady the frame is");
  page.figure({stability_chart(figures.stability)},
              "E is the mean sine of the angle between the principal axes of an input and of the "
              "same input with normal noise of standard deviation σ. It falls with σ: the frame is "
              "continuous where its eigenvalues differ. Inputs with close eigenvalues are the "
              "reason for the large deviation.");
}

}  // namespace

std::string to_html(const NBodyReport& report) {
  report::Page page("n-body dynamics: Table 3 of the paper, trained again", summary(report));
  add_results(page, report);
  add_figures(page, report.figures);
  page.section("Where this comes from");
  page.facts(report.provenance());
  return page.html();
}

}  // namespace equiframe::inline experiments
