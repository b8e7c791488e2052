#include "report/chart.h"

#include <algorithm>
#include <cmath>

#include "report/format.h"
#include "report/plane.h"

namespace equiframe::report {
namespace {

double column_width(const std::vector<DotChart::Row>& rows, std::string DotChart::Row::*column,
                    double letter) {
  size_t longest = 0;
  for (const DotChart::Row& row : rows) longest = std::max(longest, width(row.*column));
  return longest == 0 ? 0 : 16 + letter * static_cast<double>(longest);
}

std::vector<double> all_values(const DotChart& chart) {
  std::vector<double> values;
  for (const Guide& guide : chart.guides) values.push_back(guide.at);
  for (const DotChart::Row& row : chart.rows)
    values.insert(values.end(), row.values.begin(), row.values.end());
  return values;
}

void draw_row(Svg& svg, const DotChart& chart, const DotChart::Row& row, const Ruler& ruler,
              double y) {
  std::vector<double> places;
  for (const double value : row.values) {
    if (!std::isnan(value)) places.push_back(ruler.at(value));
  }
  if (places.empty()) return;
  const auto [least, most] = std::minmax_element(places.begin(), places.end());
  svg.line({*least, y}, {*most, y}, {Colour::kRule, 3, 1, Dash::kNone});
  for (size_t i = 0; i < row.values.size(); ++i) {
    if (std::isnan(row.values[i])) continue;
    const Look& look = chart.looks[i];
    const std::string who = row.note.empty() ? row.label : row.label + ", " + row.note;
    svg.mark(look.mark, {ruler.at(row.values[i]), y}, look.colour,
             who + "; " + look.name + ": " + number(row.values[i]));
  }
}

}  // namespace

Svg draw(const DotChart& chart) {
  constexpr double kRow = 25, kTop = 66, kBottom = 48, kRight = 22;
  const double labels = column_width(chart.rows, &DotChart::Row::label, kBoldLetter);
  const double left = labels + column_width(chart.rows, &DotChart::Row::note, kLetter) + 8;
  const double bottom = kTop + kRow * static_cast<double>(chart.rows.size());
  Svg svg({chart.width, bottom + kBottom}, chart.description);
  const Ruler ruler(chart.axis.scale, all_values(chart), left, chart.width - kRight);

  draw_legend(svg, {0, 18}, chart.looks);
  for (const Tick& tick : ruler.ticks()) {
    svg.line({tick.position, kTop - 6}, {tick.position, bottom}, kGrid);
    svg.text({tick.position, bottom + 18}, tick.label, quiet(Anchor::kMiddle));
  }
  svg.text({(left + chart.width - kRight) / 2, bottom + 40}, chart.axis.label,
           quiet(Anchor::kMiddle));
  for (const Guide& guide : chart.guides) {
    const double x = ruler.at(guide.at);
    svg.line({x, kTop - 10}, {x, bottom}, kGuideLine);
    svg.text({x, kTop - 16}, guide.label, quiet(Anchor::kMiddle));
  }
  double y = kTop + kRow / 2;
  for (const DotChart::Row& row : chart.rows) {
    svg.text({0, y + 4.5}, row.label, {Colour::kInk, 13, Anchor::kStart, Weight::kBold});
    svg.text({labels, y + 4.5}, row.note, quiet());
    draw_row(svg, chart, row, ruler, y);
    y += kRow;
  }
  return svg;
}

Svg draw(const LineChart& chart) {
  Svg svg(chart.size, chart.description);
  std::vector<Look> looks;
  for (const LineChart::Series& series : chart.series) looks.push_back(series.look);
  std::vector<Point> covered = extent(chart.series);
  for (const Guide& guide : chart.guides) covered.push_back({NAN, guide.at});

  draw_legend(svg, {0, 18}, looks);
  const Plane plane = draw_plane(svg, chart.x, chart.y, covered);
  for (const Guide& guide : chart.guides) {
    const double y = plane.up.at(guide.at);
    svg.line({plane.left, y}, {plane.right, y}, kGuideLine);
    const double x = guide.anchor == Anchor::kStart ? plane.left + 8 : plane.right;
    svg.text({x, y - 6}, guide.label, quiet(guide.anchor));
  }
  for (const LineChart::Series& series : chart.series) draw_curve(svg, plane, series);
  return svg;
}

}  // namespace equiframe::report
