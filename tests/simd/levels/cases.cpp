#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& room : {linalg_cases, geometry_cases, nn_cases, message_cases, steerable_cases,
                           normals_cases, nbody_cases})
    for (const Case& one : room()) all.push_back(one);
  return all;
}

double difference(const Output& expected, const Output& found) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (expected.values.size() != found.values.size()) return kNever;
  double largest = 0, most = 0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double x = expected.values[i], y = found.values[i];
    if (std::isnan(x) != std::isnan(y)) return kNever;
    if (std::isnan(x) || x == y) continue;
    most = std::max(most, std::abs(x - y));
  }
  for (const double x : expected.values)
    if (!std::isnan(x)) largest = std::max(largest, std::abs(x));
  return most == 0 ? 0 : most / (largest * expected.rounding);
}

}  // namespace equiframe::kernels::levels
