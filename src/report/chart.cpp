#include "equiframe/report/chart.h"

#include <algorithm>
#include <cmath>

#include "equiframe/report/format.h"

namespace equiframe::report {
namespace {

constexpr double kLetter = 6.9;  // width of a letter of 13 units, generously
constexpr TextStyle kQuiet{Colour::kMuted, 12, Anchor::kStart, Weight::kNormal};
constexpr Stroke kGrid{Colour::kRule, 1, 1, Dash::kNone};
constexpr Stroke kGuideLine{Colour::kMuted, 1, 0.9, Dash::kDashed};

TextStyle quiet(Anchor anchor) {
  TextStyle style = kQuiet;
  style.anchor = anchor;
  return style;
}

void draw_legend(Svg& svg, Point at, const std::vector<Look>& looks) {
  for (const Look& look : looks) {
    svg.mark(look.mark, {at.x + 6, at.y - 4}, look.colour);
    svg.text({at.x + 18, at.y}, look.name);
    at.x += 40 + kLetter * static_cast<double>(width(look.name));
  }
}

double column_width(const std::vector<DotChart::Row>& rows, std::string DotChart::Row::*column) {
  size_t longest = 0;
  for (const DotChart::Row& row : rows) longest = std::max(longest, width(row.*column));
  return longest == 0 ? 0 : 16 + kLetter * static_cast<double>(longest);
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

/// Few points are marked, so that they can be asked for their value; many are a curve.
void draw_curve(Svg& svg, const Look& look, const std::vector<Point>& points, const Ruler& across,
                const Ruler& up) {
  constexpr size_t kFew = 40;
  std::vector<Point> path;
  for (const Point& p : points) {
    if (std::isfinite(p.x) && std::isfinite(p.y)) path.push_back({across.at(p.x), up.at(p.y)});
  }
  svg.path(path, {look.colour, 2, 1, Dash::kNone});
  if (points.size() > kFew) return;
  for (const Point& p : points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
    svg.mark(look.mark, {across.at(p.x), up.at(p.y)}, look.colour,
             look.name + "; " + number(p.x) + ": " + number(p.y));
  }
}

}  // namespace

Svg draw(const DotChart& chart) {
  constexpr double kRow = 25, kTop = 66, kBottom = 48, kRight = 22;
  const double labels = column_width(chart.rows, &DotChart::Row::label);
  const double left = labels + column_width(chart.rows, &DotChart::Row::note) + 8;
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
    svg.text({labels, y + 4.5}, row.note, kQuiet);
    draw_row(svg, chart, row, ruler, y);
    y += kRow;
  }
  return svg;
}

Svg draw(const LineChart& chart) {
  constexpr double kLeft = 62, kTop = 44, kBottom = 52, kRight = 22;
  Svg svg(chart.size, chart.description);
  std::vector<double> xs, ys;
  std::vector<Look> looks;
  for (const Guide& guide : chart.guides) ys.push_back(guide.at);
  for (const LineChart::Series& series : chart.series) {
    looks.push_back(series.look);
    for (const Point& p : series.points) {
      xs.push_back(p.x);
      ys.push_back(p.y);
    }
  }
  const double right = chart.size.width - kRight, bottom = chart.size.height - kBottom;
  const Ruler across(chart.x.scale, xs, kLeft, right), up(chart.y.scale, ys, bottom, kTop + 14);

  draw_legend(svg, {0, 18}, looks);
  for (const Tick& tick : up.ticks()) {
    svg.line({kLeft, tick.position}, {right, tick.position}, kGrid);
    svg.text({kLeft - 8, tick.position + 4}, tick.label, quiet(Anchor::kEnd));
  }
  for (const Tick& tick : across.ticks())
    svg.text({tick.position, bottom + 18}, tick.label, quiet(Anchor::kMiddle));
  svg.text({(kLeft + right) / 2, bottom + 42}, chart.x.label, quiet(Anchor::kMiddle));
  svg.text({0, kTop}, chart.y.label, kQuiet);
  for (const Guide& guide : chart.guides) {
    const double y = up.at(guide.at);
    svg.line({kLeft, y}, {right, y}, kGuideLine);
    svg.text({right, y - 6}, guide.label, quiet(Anchor::kEnd));
  }
  for (const auto& [look, points] : chart.series) draw_curve(svg, look, points, across, up);
  return svg;
}

}  // namespace equiframe::report
