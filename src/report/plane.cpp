#include "report/plane.h"

#include <cmath>
#include <stdexcept>

#include "report/format.h"

namespace equiframe::report {
namespace {

bool finite(Point p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}

void draw_band(Svg& svg, const Plane& plane, const LineChart::Series& curve) {
  constexpr double kOpacity = 0.16;
  std::vector<Point> outline, back;
  for (size_t i = 0; i < curve.low.size(); ++i) {
    const double x = curve.points[i].x;
    if (!finite({x, curve.low[i]}) || !finite({x, curve.high[i]})) continue;
    outline.push_back(plane.at({x, curve.low[i]}));
    back.push_back(plane.at({x, curve.high[i]}));
  }
  outline.insert(outline.end(), back.rbegin(), back.rend());
  if (!outline.empty()) svg.area(outline, curve.look.colour, kOpacity);
}

}  // namespace

TextStyle quiet(Anchor anchor) {
  return {Colour::kMuted, 12, anchor, Weight::kNormal};
}

Point draw_legend(Svg& svg, Point at, const std::vector<Look>& looks) {
  for (const Look& look : looks) {
    const double sample = look.dash == Dash::kDashed || look.mark == Mark::kNone ? 24 : 12;
    if (sample > 12)
      svg.line({at.x, at.y - 4}, {at.x + sample, at.y - 4}, {look.colour, 2, 1, look.dash});
    svg.mark(look.mark, {at.x + sample / 2, at.y - 4}, look.colour);
    svg.text({at.x + sample + 6, at.y}, look.name);
    at.x += sample + 28 + kLetter * static_cast<double>(width(look.name));
  }
  return at;
}

Plane draw_plane(Svg& svg, const Axis& x, const Axis& y, const std::vector<Point>& points,
                 double margin) {
  constexpr double kLeft = 62, kTop = 44, kBottom = 52, kRight = 22;
  const double right = svg.size().width - kRight, bottom = svg.size().height - kBottom;
  std::vector<double> xs, ys;
  for (const Point& p : points) {
    xs.push_back(p.x);
    ys.push_back(p.y);
  }
  const Plane plane{{x.scale, xs, kLeft + margin, right - margin},
                    {y.scale, ys, bottom - margin, kTop + 14 + margin},
                    kLeft,
                    right};
  for (const Tick& tick : plane.up.ticks()) {
    svg.line({kLeft, tick.position}, {right, tick.position}, kGrid);
    svg.text({kLeft - 8, tick.position + 4}, tick.label, quiet(Anchor::kEnd));
  }
  for (const Tick& tick : plane.across.ticks())
    svg.text({tick.position, bottom + 18}, tick.label, quiet(Anchor::kMiddle));
  svg.text({(kLeft + right) / 2, bottom + 42}, x.label, quiet(Anchor::kMiddle));
  svg.text({0, kTop}, y.label, quiet());
  return plane;
}

std::vector<Point> extent(const std::vector<LineChart::Series>& curves) {
  std::vector<Point> result;
  for (const LineChart::Series& curve : curves) {
    if (curve.low.size() != curve.high.size() ||
        (!curve.low.empty() && curve.low.size() != curve.points.size()))
      throw std::invalid_argument("a band needs a lower and an upper edge for each point");
    result.insert(result.end(), curve.points.begin(), curve.points.end());
    for (size_t i = 0; i < curve.low.size(); ++i) {
      result.push_back({curve.points[i].x, curve.low[i]});
      result.push_back({curve.points[i].x, curve.high[i]});
    }
  }
  return result;
}

/// Few points are marked, so that they can be asked for their value; many are a curve.
void draw_curve(Svg& svg, const Plane& plane, const LineChart::Series& curve) {
  constexpr size_t kFew = 40;
  const Look& look = curve.look;
  draw_band(svg, plane, curve);
  std::vector<Point> path;
  for (const Point& p : curve.points)
    if (finite(p)) path.push_back(plane.at(p));
  svg.path(path, {look.colour, 2, 1, look.dash});
  if (curve.points.size() > kFew) return;
  for (const Point& p : curve.points) {
    if (!finite(p)) continue;
    svg.mark(look.mark, plane.at(p), look.colour,
             look.name + "; " + number(p.x) + ": " + number(p.y));
  }
}

}  // namespace equiframe::report
