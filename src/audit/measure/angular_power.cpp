#include "audit/measure/angular_power.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "audit/measure/symmetry_errors.h"
#include "audit/subjects/typing.h"
#include "equiframe/core/rng.h"

namespace equiframe::audit {
namespace {

/// rho_out(g)^-1 f(g x) of one item for all rotations, [K, D]. Points are taken relative to the
/// laboratory's origin, about which the rotations turn.
Tensor turned_back(const Subject& subject, const Inputs& item, const Tensor& rotations,
                   int64_t batch) {
  const Typing& typing = subject.typing();
  Motion g;
  g.linear = rotations;
  const Inputs moved = move(typing, g, repeat(item, rotations.size(0)));
  const auto results = evaluate(subject, moved, torch::kFloat64, batch);
  std::vector<Tensor> parts;
  parts.reserve(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    parts.push_back(move_back(typing, typing.out[i], g, results[i]).flatten(1));
  return torch::cat(parts, 1);
}

/// Shares of orders 0 .. order and of the rest, of F [K, D] on the rule. With the characters chi_l,
/// |P_l F|^2 = (2l + 1) sum_ij w_i w_j chi_l(g_i^-1 g_j) F_i F_j; in the plane chi is 2 cos(l phi).
std::vector<double> shares(const RotationRule& rule, const Tensor& f, int64_t order) {
  const int64_t dim = rule.rotations.size(-1);
  const Tensor flat = rule.rotations.flatten(1);
  const Tensor trace = flat.matmul(flat.t());  // of g_i^-1 g_j
  const Tensor cosine = dim == 3 ? (trace - 1) / 2 : trace / 2;
  const Tensor gram = f.matmul(f.t()) * rule.weights.unsqueeze(1) * rule.weights.unsqueeze(0);
  const double total = (f.square().sum(1) * rule.weights).sum().item<double>();
  std::vector<double> result;
  result.reserve(static_cast<size_t>(order) + 2);
  Tensor before = torch::ones_like(cosine), now = cosine;  // cos(l phi) by Chebyshev's recurrence
  Tensor character = torch::ones_like(cosine);
  double rest = 1;
  for (int64_t l = 0; l <= order; ++l) {
    if (l > 0) {
      character = dim == 3 ? character + 2 * now : 2 * now;
      const Tensor next = 2 * cosine * now - before;
      before = now;
      now = next;
    }
    const double factor = dim == 3 ? static_cast<double>(2 * l + 1) : 1.0;
    const double power = factor * (gram * character).sum().item<double>();
    result.push_back(total > 0 ? std::max(0.0, power / total) : (l == 0 ? 1.0 : 0.0));
    rest -= result.back();
  }
  result.push_back(std::max(0.0, rest));
  return result;
}

}  // namespace

AngularPower measure_angular_power(const Subject& subject, const Inputs& inputs, int64_t order,
                                   const MeasureOptions& options) {
  const Typing& typing = subject.typing();
  AngularPower result;
  if (typing.dim() != 2 && typing.dim() != 3) return result;
  if (!why_not_measured(typing, Part::kRotation, inputs).empty()) return result;
  const RotationRule rule = typing.dim() == 3 ? rotation_rule(order) : planar_rotation_rule(order);
  constexpr int64_t kItems = 2;
  const int64_t items = std::min(kItems, items_of(inputs));
  std::vector<double> sums(static_cast<size_t>(order) + 2, 0);
  for (int64_t b = 0; b < items; ++b) {
    const Inputs item = select(inputs, torch::tensor({b}));
    const Tensor f = turned_back(subject, item, rule.rotations, options.batch);
    if (!torch::isfinite(f).all().item<bool>()) return result;
    const std::vector<double> of_item = shares(rule, f, order);
    for (size_t l = 0; l < sums.size(); ++l) sums[l] += of_item[l] / static_cast<double>(items);
  }
  result.above = sums.back();
  sums.pop_back();
  result.share = sums;
  result.evaluations = rule.rotations.size(0);
  result.measured = true;
  return result;
}

AngleErrors measure_angle_errors(const Subject& subject, const Inputs& inputs,
                                 const MeasureOptions& options) {
  const Typing& typing = subject.typing();
  AngleErrors result;
  if (!typing.is_euclidean() || !why_not_measured(typing, Part::kRotation, inputs).empty())
    return result;
  const int64_t dim = typing.dim();
  auto generator = make_generator(options.seed + 2);
  const auto answers = evaluate(subject, inputs, torch::kFloat64, options.batch);
  const auto scales = scales_of(answers);
  constexpr int64_t kAxes = 4;
  const Inputs many = repeat(inputs, kAxes);
  const std::vector<Tensor> at_rest = repeat(answers, kAxes);
  for (const double degrees : {0.01, 0.1, 1.0, 5.0, 15.0, 30.0, 60.0, 90.0, 120.0, 150.0, 180.0}) {
    const double angle = degrees * M_PI / 180;
    Tensor plane = torch::eye(dim, torch::kFloat64);  // a turn in the first two axes of a basis
    plane[0][0] = plane[1][1] = std::cos(angle);
    plane[0][1] = -std::sin(angle);
    plane[1][0] = std::sin(angle);
    const Tensor basis =
        haar_orthogonal(dim, EuclideanGroup::Linear::kRotations, items_of(many), generator);
    Motion g;
    g.linear = basis.matmul(plane).matmul(basis.transpose(1, 2));
    const auto moved = evaluate(subject, move(typing, g, many), torch::kFloat64, options.batch);
    std::vector<Tensor> expected;
    expected.reserve(at_rest.size());
    for (size_t i = 0; i < at_rest.size(); ++i)
      expected.push_back(move(typing, typing.out[i], g, at_rest[i]));
    const ErrorSummary errors = summarise(differences(moved, expected, scales));
    result.degrees.push_back(degrees);
    result.median.push_back(errors.median);
    result.max.push_back(errors.max);
  }
  return result;
}

}  // namespace equiframe::audit
