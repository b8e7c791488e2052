#include "equiframe/averaging/theorems.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <c10/util/Exception.h>

namespace equiframe::inline averaging {
namespace {

double log_type_count(int64_t classes, int64_t draws) {
  return -static_cast<double>(classes) * std::log1p(static_cast<double>(draws));
}

}  // namespace

double log_sampling_bound(int64_t classes, int64_t draws, double epsilon) {
  const double km = static_cast<double>(draws) * static_cast<double>(classes);
  return log_type_count(classes, draws) - km * epsilon * epsilon / 2;
}

double log_sampling_bound_as_stated(int64_t classes, int64_t draws, double epsilon) {
  const double km = static_cast<double>(draws) * static_cast<double>(classes);
  return log_type_count(classes, draws) - 2 * km * epsilon * epsilon;
}

double log_multinomial_probability(const std::vector<int64_t>& counts) {
  TORCH_CHECK(!counts.empty(), "a multinomial needs at least one class");
  const int64_t draws = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  double result = std::lgamma(static_cast<double>(draws) + 1) -
                  static_cast<double>(draws) * std::log(static_cast<double>(counts.size()));
  for (const int64_t count : counts) result -= std::lgamma(static_cast<double>(count) + 1);
  return result;
}

double sampling_sup_error(const std::vector<int64_t>& counts) {
  const auto draws = static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  double sum = 0;
  for (const int64_t count : counts)
    sum += std::abs(1.0 / static_cast<double>(counts.size()) - static_cast<double>(count) / draws);
  return sum;
}

double total_variation(const std::vector<double>& p, const std::vector<double>& q) {
  TORCH_CHECK(p.size() == q.size(), "distributions of ", p.size(), " and ", q.size(), " outcomes");
  double sum = 0;
  for (size_t j = 0; j < p.size(); ++j) sum += std::abs(p[j] - q[j]);
  return sum / 2;
}

double kl_divergence(const std::vector<double>& p, const std::vector<double>& q) {
  TORCH_CHECK(p.size() == q.size(), "distributions of ", p.size(), " and ", q.size(), " outcomes");
  double sum = 0;
  for (size_t j = 0; j < p.size(); ++j) {
    if (p[j] > 0) sum += p[j] * std::log(p[j] / q[j]);
  }
  return sum;
}

double pinsker_lower_bound(const std::vector<double>& p, const std::vector<double>& q) {
  return 2 * std::pow(total_variation(p, q), 2);
}

double pinsker_upper_bound(const std::vector<double>& p, const std::vector<double>& q) {
  return 2 / *std::min_element(q.begin(), q.end()) * std::pow(total_variation(p, q), 2);
}

}  // namespace equiframe::inline averaging
