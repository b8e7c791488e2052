#pragma once

#include <string>
#include <vector>

#include "report/axis.h"
#include "report/svg.h"

namespace equiframe::report {

/// How one kind of value looks in a chart and its legend.
struct Look {
  std::string name;
  Colour colour = Colour::kCool;
  Mark mark = Mark::kDot;
  Dash dash = Dash::kNone;  // of a curve
};

/// A line across the chart at a value of interest, such as a tolerance.
struct Guide {
  double at = 0;
  std::string label;
  Anchor anchor = Anchor::kEnd;  // end of the line that has the label, in a line chart
};

/// Rows of dots along one axis: what was, what is, how far apart.
struct DotChart {
  struct Row {
    std::string label;
    std::string note;            // in a second column, quieter
    std::vector<double> values;  // one for each look; NaN = none
  };

  std::string description;
  Axis axis;
  std::vector<Look> looks;
  std::vector<Row> rows;
  std::vector<Guide> guides;
  double width = 880;
};
Svg draw(const DotChart& chart);

/// Curves over two axes.
struct LineChart {
  struct Series {
    Look look;
    std::vector<Point> points;          // in data units, in drawing order
    std::vector<double> low{}, high{};  // edges of a band around the points, or none
  };

  std::string description;
  Axis x, y;
  std::vector<Series> series;
  std::vector<Guide> guides;  // on the y axis
  Size size{880, 320};
};
Svg draw(const LineChart& chart);

/// Discs over two axes, the larger the more of something is there: the radius grows with the fourth
/// root of the weight, so that one and thousands can be told in one chart.
struct ScatterChart {
  struct Dot {
    Point at;
    double weight = 1;
  };
  struct Series {
    Look look;
    std::vector<Dot> dots;
  };

  std::string description;
  Axis x, y;
  std::vector<Series> series;
  std::vector<LineChart::Series> curves;  // beneath the discs, named at their ends
  std::string unit;                       // of the weights: "graphs"
  Size size{880, 420};
};
Svg draw(const ScatterChart& chart);

}  // namespace equiframe::report
