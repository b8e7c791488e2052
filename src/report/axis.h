#pragma once

#include <string>
#include <vector>

namespace equiframe::report {

/// kLog shows decades, kBinary doublings.
enum class Scale { kLinear, kLog, kBinary };

struct Axis {
  std::string label;
  Scale scale = Scale::kLinear;
};

struct Tick {
  double position = 0;  // in drawing units
  std::string label;
};

/// Where values lie along an axis of a drawing. A logarithmic axis keeps a place of its own for
/// exact zeros, before its first decade, when there are any.
class Ruler {
 public:
  /// Covers all finite `values`, from drawing coordinate `from` to `to` (which may be the smaller).
  /// Throws std::invalid_argument for a negative value on a logarithmic axis.
  Ruler(Scale scale, const std::vector<double>& values, double from, double to);

  double at(double value) const;
  /// Round values, about six of them, in ascending order.
  std::vector<Tick> ticks() const;

 private:
  double to_scale(double value) const;
  double position(double scaled) const;
  std::string label(double scaled) const;

  Scale scale_;
  double low_ = 0, high_ = 1;  // of the values, or of their logarithms
  double step_ = 1;            // between ticks
  double zero_ = 0;            // place of exact zeros
  double from_, to_;           // places of low_ and high_
  bool has_zero_ = false;
};

}  // namespace equiframe::report
