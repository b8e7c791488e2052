/// Figure 2 in a web page.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <torch/types.h>

#include "experiments/separation/graph_figures_rows.h"
#include "report/chart.h"

namespace equiframe::inline experiments {
namespace {

using report::Colour;
using report::Dash;
using report::LineChart;
using report::Mark;
using report::Scale;
using report::ScatterChart;
using report::Svg;

/// Mean with a band of one standard deviation, and the 90th percentile.
std::array<LineChart::Series, 2> error_curves(const report::Look& look, const Tensor& errors,
                                              const InvarianceErrors& all) {
  LineChart::Series mean{look, {}};
  mean.look.name += ", mean";
  LineChart::Series percentile{
      {look.name + ", 90th percentile", look.colour, Mark::kNone, Dash::kDashed}, {}};
  for (size_t k = 0; k < all.draws.size(); ++k) {
    const ErrorSummary summary = summarise(errors[static_cast<int64_t>(k)], all.plain);
    const auto draws = static_cast<double>(all.draws[k]);
    mean.points.push_back({draws, summary.mean});
    mean.low.push_back(std::max(0.0, summary.mean - summary.deviation));
    mean.high.push_back(summary.mean + summary.deviation);
    percentile.points.push_back({draws, summary.percentile_90});
  }
  return {mean, percentile};
}

Svg error_chart(const InvarianceErrors& errors) {
  LineChart chart;
  chart.description = "Invariance error over the number of draws, for frame and group averaging";
  chart.x = {"draws k", Scale::kBinary};
  chart.y = {"invariance error; plain MLP = 1", Scale::kLinear};
  const auto group = error_curves({"GA", Colour::kWarm, Mark::kDiamond}, errors.group, errors);
  const auto frame = error_curves({"FA", Colour::kCool, Mark::kDot}, errors.frame, errors);
  chart.series = {group[0], group[1], frame[0], frame[1]};
  chart.guides = {{(errors.exact.mean() / errors.plain.mean()).item<double>(),
                   "average over the whole canonical frame", report::Anchor::kStart}};
  chart.size = {880, 400};
  return draw(chart);
}

Svg coset_chart(const std::vector<CosetCount>& cosets) {
  ScatterChart chart;
  chart.description = "Cosets of the frame over cosets of the group, one disc for each pair";
  chart.x = {"m_G, classes of the group", Scale::kLog};
  chart.y = {"m_F, classes of the frame", Scale::kLog};
  chart.unit = "graphs";
  ScatterChart::Series series{{"(m_G, m_F)", Colour::kCool, Mark::kDot}, {}};
  series.dots.reserve(cosets.size());
  for (const CosetCount& pair : cosets)
    series.dots.push_back({{static_cast<double>(pair.group), static_cast<double>(pair.frame)},
                           static_cast<double>(pair.graphs)});
  chart.series = {series};
  return draw(chart);
}

/// One disc for each number of classes that occurs, at the mean error of its graphs; for the first
/// k and for the middle one.
ScatterChart::Series by_classes(const report::Look& look, const Tensor& classes,
                                const Tensor& errors, const InvarianceErrors& all) {
  struct Sum {
    double error = 0, graphs = 0;
  };
  const Tensor relative = errors / all.plain.mean();
  ScatterChart::Series series{look, {}};
  for (const size_t k : {size_t{0}, shown_draws(all).middle}) {
    std::map<double, Sum> sums;
    for (int64_t g = 0; g < classes.size(0); ++g) {
      Sum& sum = sums[classes[g].item<double>()];
      sum.error += relative[static_cast<int64_t>(k)][g].item<double>();
      sum.graphs += 1;
    }
    for (const auto& [m, sum] : sums)
      series.dots.push_back({{m, sum.error / sum.graphs}, sum.graphs});
  }
  return series;
}

/// sqrt((1 - 1/m) / k): k draws from m values that are independent, of variance one.
LineChart::Series expected(int64_t k, double most) {
  constexpr double kStep = 1.1;
  LineChart::Series curve{{c10::str("k = ", k), Colour::kMuted, Mark::kNone, Dash::kDashed}, {}};
  for (double m = 1; m <= most * kStep; m *= kStep)
    curve.points.push_back({m, std::sqrt((1 - 1 / m) / static_cast<double>(k))});
  return curve;
}

Svg theorem_chart(const InvarianceErrors& errors) {
  ScatterChart chart;
  chart.description = "Error of frame and group averages over the number of classes drawn from";
  chart.x = {"classes drawn from: m_F for FA, m_G for GA", Scale::kLog};
  chart.y = {"invariance error; plain MLP = 1", Scale::kLinear};
  chart.unit = "graphs";
  const double most = errors.group_cosets.max().item<double>();
  for (const size_t k : {size_t{0}, shown_draws(errors).middle})
    chart.curves.push_back(expected(errors.draws[k], most));
  chart.series = {by_classes({"GA, by m_G", Colour::kWarm, Mark::kDot}, errors.group_cosets,
                             errors.group, errors),
                  by_classes({"FA, by m_F", Colour::kCool, Mark::kDot}, errors.frame_cosets,
                             errors.frame, errors)};
  return draw(chart);
}

}  // namespace

void add_graph_figures(report::Page& page, const GraphFigures& figures) {
  if (figures.errors) {
    page.section("Figure 2, left: how invariant k draws are");
    page.figure({error_chart(*figures.errors)},
                error_remark(*figures.errors) +
                    " The bands are one standard deviation over the graphs, on either side.");
    page.table(error_table(*figures.errors).table());
  }
  if (!figures.cosets.empty()) {
    page.section("Figure 2, right: what there is to draw from");
    page.figure({coset_chart(figures.cosets)}, coset_remark(figures.cosets));
  }
  if (figures.errors) {
    page.section("Theorem 5: fewer classes, better averages");
    page.figure({theorem_chart(*figures.errors)},
                "Each disc is the mean over the graphs with that many classes. The dashed lines "
                "are √((1 − 1/m) / k), which k draws from m unrelated outputs would give: framed "
                "orders of a graph are more alike than that.");
    page.paragraph(theorem_remark(*figures.errors));
    page.paragraph("FA, by the classes of the frame:");
    page.table(frame_class_table(*figures.errors).table());
    page.paragraph("GA, by the classes of the group:");
    page.table(group_class_table(*figures.errors).table());
  }
}

}  // namespace equiframe::inline experiments
