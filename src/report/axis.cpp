#include "report/axis.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "report/format.h"

namespace equiframe::report {
namespace {

constexpr double kTicksWanted = 6;
constexpr double kZeroGap = 34;  // drawing units between exact zeros and the first decade

/// 1, 2 or 5 times a power of ten, near `span` / kTicksWanted.
double round_step(double span) {
  const double raw = span / kTicksWanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double lead = raw / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

}  // namespace

Ruler::Ruler(Scale scale, const std::vector<double>& values, double from, double to)
    : scale_(scale), from_(from), to_(to) {
  std::vector<double> scaled;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const bool logarithmic = scale != Scale::kLinear;
    if (logarithmic && value < 0)
      throw std::invalid_argument("a logarithmic axis cannot show " + number(value));
    if (logarithmic && value == 0)
      has_zero_ = true;
    else
      scaled.push_back(to_scale(value));
  }
  zero_ = from;
  if (has_zero_) from_ += to > from ? kZeroGap : -kZeroGap;
  if (!scaled.empty()) {
    low_ = *std::min_element(scaled.begin(), scaled.end());
    high_ = *std::max_element(scaled.begin(), scaled.end());
  }
  if (high_ - low_ < 1e-12 * std::max(1.0, std::abs(low_))) {
    low_ -= 0.5;
    high_ += 0.5;
  }
  step_ = round_step(high_ - low_);
  if (scale != Scale::kLinear) step_ = std::max(1.0, std::round(step_));
  const double unit = scale == Scale::kLinear ? step_ : 1.0;  // whole steps, or whole powers
  low_ = unit * std::floor(low_ / unit + 1e-9);
  high_ = unit * std::ceil(high_ / unit - 1e-9);
}

double Ruler::to_scale(double value) const {
  if (scale_ == Scale::kLinear) return value;
  return scale_ == Scale::kLog ? std::log10(value) : std::log2(value);
}

double Ruler::position(double scaled) const {
  return from_ + (to_ - from_) * (scaled - low_) / (high_ - low_);
}

double Ruler::at(double value) const {
  return scale_ == Scale::kLinear || value > 0 ? position(to_scale(value)) : zero_;
}

std::string Ruler::label(double scaled) const {
  if (scale_ == Scale::kLinear) return number(scaled);
  return scale_ == Scale::kLog ? power_of_ten(static_cast<int>(std::lround(scaled)))
                               : number(std::exp2(scaled));
}

std::vector<Tick> Ruler::ticks() const {
  std::vector<Tick> result;
  if (has_zero_) result.push_back({zero_, "0"});
  const auto first = std::lround(std::ceil(low_ / step_ - 1e-9));
  const auto last = std::lround(std::floor(high_ / step_ + 1e-9));
  for (long i = first; i <= last; ++i) {
    const double value = static_cast<double>(i) * step_;
    result.push_back({position(value), label(value)});
  }
  return result;
}

}  // namespace equiframe::report
