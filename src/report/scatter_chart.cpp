#include <algorithm>
#include <cmath>

#include "report/format.h"
#include "report/plane.h"

namespace equiframe::report {
namespace {

constexpr double kLargest = 18;  // radius

/// Radius of a disc; `most` is the largest weight of the chart.
double radius(double weight, double most) {
  return kLargest * std::pow(weight / most, 0.25);
}

/// Discs of 1, 10, 100, ... with their weights.
void draw_sizes(Svg& svg, Point at, const std::string& unit, double most) {
  for (double weight = 1; weight <= most; weight *= 10) {
    const double r = radius(weight, most);
    const std::string label = weight * 10 > most ? number(weight) + " " + unit : number(weight);
    svg.disc({at.x + r, at.y - 4}, r, Colour::kMuted);
    svg.text({at.x + 2 * r + 6, at.y}, label, quiet());
    at.x += 2 * r + 20 + kLetter * static_cast<double>(width(label));
  }
}

/// The largest first, so that none hides another.
void draw_dots(Svg& svg, const Plane& plane, const ScatterChart& chart, double most) {
  struct Placed {
    const Look* look;
    ScatterChart::Dot dot;
  };
  std::vector<Placed> all;
  for (const auto& [look, dots] : chart.series)
    for (const ScatterChart::Dot& dot : dots) all.push_back({&look, dot});
  std::stable_sort(all.begin(), all.end(),
                   [](const Placed& a, const Placed& b) { return a.dot.weight > b.dot.weight; });
  for (const auto& [look, dot] : all) {
    if (!std::isfinite(dot.at.x) || !std::isfinite(dot.at.y)) continue;
    svg.disc(plane.at(dot.at), radius(dot.weight, most), look->colour,
             look->name + "; " + number(dot.at.x) + ": " + number(dot.at.y) + "; " +
                 number(dot.weight) + " " + chart.unit);
  }
}

}  // namespace

Svg draw(const ScatterChart& chart) {
  Svg svg(chart.size, chart.description);
  std::vector<Look> looks;
  std::vector<Point> covered = extent(chart.curves);
  double most = 1;
  for (const auto& [look, dots] : chart.series) {
    looks.push_back(look);
    for (const ScatterChart::Dot& dot : dots) {
      covered.push_back(dot.at);
      most = std::max(most, dot.weight);
    }
  }

  draw_sizes(svg, draw_legend(svg, {0, 24}, looks), chart.unit, most);
  const Plane plane = draw_plane(svg, chart.x, chart.y, covered, kLargest);
  for (const LineChart::Series& curve : chart.curves) {
    draw_curve(svg, plane, curve);
    if (curve.points.empty()) continue;
    const Point end = plane.at(curve.points.back());
    svg.text({end.x + 1.2 * kLargest, end.y + 4}, curve.look.name, quiet());
  }
  draw_dots(svg, plane, chart, most);
  return svg;
}

}  // namespace equiframe::report
