#include "io/clouds/rows/colour_columns.h"

#include <string>

#include <ATen/ATen.h>

namespace equiframe::inline io {
namespace {

constexpr double kMaxByte = 255;

bool is_colour(const std::string& name) {
  return name == "red" || name == "green" || name == "blue" || name == "alpha";
}

}  // namespace

void colours_to_bytes(PointCloud& cloud, ColourScale scale) {
  bool whole = true, fractions = scale == ColourScale::kFractions;
  for (const auto& [name, values] : cloud.columns) {
    if (!is_colour(name) || values.numel() == 0) continue;
    const double least = values.min().item<double>(), most = values.max().item<double>();
    whole = whole && least >= 0 && most <= kMaxByte && at::equal(values, values.trunc());
    fractions = fractions && least >= 0 && most <= 1;
  }
  if (!whole && !fractions) return;
  for (auto& [name, values] : cloud.columns)
    if (is_colour(name)) values = (whole ? values : values.mul(kMaxByte).round()).to(at::kByte);
}

}  // namespace equiframe::inline io
