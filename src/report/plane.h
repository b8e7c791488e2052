#pragma once

#include <vector>

#include "report/chart.h"

/// What the charts share.
namespace equiframe::report {

constexpr double kLetter = 6.9;      // width of a letter of 13 units, generously
constexpr double kBoldLetter = 8.0;  // the same in bold
constexpr Stroke kGrid{Colour::kRule, 1, 1, Dash::kNone};
constexpr Stroke kGuideLine{Colour::kMuted, 1, 0.9, Dash::kDashed};

/// Small and muted.
TextStyle quiet(Anchor anchor = Anchor::kStart);

/// Returns where the next entry would begin.
Point draw_legend(Svg& svg, Point at, const std::vector<Look>& looks);

/// Two axes of a drawing, and what lies between them in data units.
struct Plane {
  Ruler across, up;
  double left, right;  // ends of the x axis

  Point at(Point p) const { return {across.at(p.x), up.at(p.y)}; }
};

/// Draws grid, ticks and names of axes that cover `points`, below a line for the legend. `margin`
/// is kept free around the points.
Plane draw_plane(Svg& svg, const Axis& x, const Axis& y, const std::vector<Point>& points,
                 double margin = 0);

/// All points of the curves, with the edges of their bands.
std::vector<Point> extent(const std::vector<LineChart::Series>& curves);

void draw_curve(Svg& svg, const Plane& plane, const LineChart::Series& curve);

}  // namespace equiframe::report
