#include "audit/measure/symmetry_errors.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "audit/subjects/typing.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"

namespace equiframe::audit {
namespace {

bool is_claimed(const Typing& typing, Part part) {
  if (!typing.is_euclidean()) return part == Part::kPermutation;
  switch (part) {
    case Part::kTranslation:
      return typing.group->has_shifts();
    case Part::kRotation:
      return typing.group->linear() != EuclideanGroup::Linear::kIdentity;
    case Part::kReflection:
      return typing.group->has_reflections();
    case Part::kPermutation:
      return false;
  }
  return false;
}

/// Rounding of the inputs to float32 and what it does, relative to the scales.
double rounding_of(const Subject& subject, const Inputs& inputs, const std::vector<Tensor>& answers,
                   const std::vector<double>& scales, const MeasureOptions& options) {
  constexpr double kUnit = 6e-8;  // half a unit in the last place of float32
  auto generator = make_generator(options.seed + 1);
  Inputs rounded = inputs;
  for (Tensor& x : rounded) {
    if (x.defined() && x.scalar_type() == torch::kFloat64)
      x = x * (1 + kUnit * (2 * torch::rand(x.sizes(), generator, torch::kFloat64) - 1));
  }
  const auto shaken = evaluate(subject, rounded, torch::kFloat64, options.batch);
  return std::max(kUnit, differences(shaken, answers, scales).max().item<double>());
}

std::vector<Tensor> moved_results(const Typing& typing, const Motion& g,
                                  const std::vector<Tensor>& results) {
  std::vector<Tensor> moved;
  moved.reserve(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    moved.push_back(move(typing, typing.out[i], g, results[i]));
  return moved;
}

/// f(x) on the inputs, in the two types.
struct Answers {
  std::vector<Tensor> in32, in64;
  bool has_float64 = true;
  bool vanish = false;
  int64_t not_finite32 = 0, not_finite64 = 0;  // items
  std::vector<double> scales;
};

int64_t not_finite_items(const std::vector<Tensor>& results) {
  Tensor found;  // [B]
  for (const Tensor& y : results) {
    const Tensor here = y.isfinite().logical_not().flatten(1).any(1);
    found = found.defined() ? found.logical_or(here) : here;
  }
  return found.defined() ? found.sum().item<int64_t>() : 0;
}

double largest(const std::vector<Tensor>& tensors) {
  double result = 0;
  for (const Tensor& x : tensors) {
    if (x.defined() && x.is_floating_point())
      result = std::max(result, x.abs().max().item<double>());
  }
  return result;
}

/// Whether nothing but rounding comes out: tiny against the inputs, and another number in float32.
/// Answers that are small because of their units are the same in both.
bool vanish(const Inputs& inputs, const Answers& answers) {
  constexpr double kTiny = 1e-13, kSame = 0.1;
  std::vector<Tensor> apart = answers.in32;
  for (size_t i = 0; i < apart.size(); ++i) apart[i] = apart[i] - answers.in64[i];
  const double size = largest(answers.in64);
  return size <= kTiny * largest(inputs) && largest(apart) >= kSame * size;
}

Answers answers_of(const Subject& subject, const Inputs& inputs, int64_t batch) {
  Answers answers;
  answers.in32 = evaluate(subject, inputs, torch::kFloat32, batch);
  try {
    answers.in64 = evaluate(subject, inputs, torch::kFloat64, batch);
  } catch (const UserError&) {  // constants of float32 inside; float32 is all there is
    answers.has_float64 = false;
  }
  answers.scales = scales_of(answers.has_float64 ? answers.in64 : answers.in32);
  answers.not_finite32 = not_finite_items(answers.in32);
  answers.not_finite64 = not_finite_items(answers.in64);
  const bool all_finite = answers.not_finite32 + answers.not_finite64 == 0;
  answers.vanish = answers.has_float64 && all_finite && vanish(inputs, answers);
  if (answers.vanish) std::fill(answers.scales.begin(), answers.scales.end(), 1.0);
  return answers;
}

struct Compared {
  Tensor errors;  // [M]
  std::vector<Tensor> moved_first, moved_after;
};

/// The probes, each as often as there are draws, after their motions.
struct Moved {
  Motion g;
  Inputs inputs;
};

Compared compare(const Subject& subject, const Moved& moved, const Answers& answers,
                 at::ScalarType type, const MeasureOptions& options) {
  const std::vector<Tensor>& at_rest = type == torch::kFloat32 ? answers.in32 : answers.in64;
  Compared result;
  result.moved_first = evaluate(subject, moved.inputs, type, options.batch);
  result.moved_after = moved_results(subject.typing(), moved.g, repeat(at_rest, options.draws));
  result.errors = differences(result.moved_first, result.moved_after, answers.scales);
  return result;
}

SymmetryErrors measure_with(const Subject& subject, Part part, const Inputs& inputs,
                            const Answers& answers, const MeasureOptions& options) {
  const Typing& typing = subject.typing();
  SymmetryErrors result;
  result.part = part;
  result.claimed = is_claimed(typing, part);
  result.has_float64 = answers.has_float64;
  result.not_finite32 = answers.not_finite32;
  result.not_finite64 = answers.not_finite64;
  result.reason = why_not_measured(typing, part, inputs);
  result.measured = result.reason.empty();
  if (!result.measured) return result;
  result.vanishes = answers.vanish;
  auto generator = make_generator(options.seed);
  const Inputs many = repeat(inputs, options.draws);
  const int64_t count = items_of(many);
  const Motion g = random_motion(typing, part, count, nodes_of(typing, inputs), generator);
  const Moved moved{g, move(typing, g, many)};
  Compared compared = compare(subject, moved, answers, torch::kFloat32, options);
  result.errors32 = compared.errors;
  result.float32 = summarise(compared.errors);
  if (answers.has_float64) {
    compared = compare(subject, moved, answers, torch::kFloat64, options);
    result.errors64 = compared.errors;
    result.float64 = summarise(compared.errors);
  }
  const Tensor worst = compared.errors.argmax().view({1});
  result.worst = {select(many, worst), select(g, worst), select(compared.moved_first, worst),
                  select(compared.moved_after, worst), compared.errors.max().item<double>()};
  return result;
}

}  // namespace

const char* to_string(Part part) {
  switch (part) {
    case Part::kTranslation:
      return "translation";
    case Part::kRotation:
      return "rotation";
    case Part::kReflection:
      return "reflection";
    case Part::kPermutation:
      return "permutation";
  }
  return "";
}

ErrorSummary summarise(const Tensor& errors) {
  constexpr double kTail = 0.99;
  const Tensor sorted = std::get<0>(errors.sort());
  const auto at = [&](double quantile) {
    const auto place = std::ceil(quantile * static_cast<double>(sorted.size(0)));
    return sorted[std::max<int64_t>(0, static_cast<int64_t>(place) - 1)].item<double>();
  };
  return {sorted[-1].item<double>(), at(0.5), at(kTail)};
}

SymmetryErrors measure_part(const Subject& subject, Part part, const Inputs& inputs,
                            const MeasureOptions& options) {
  return measure_with(subject, part, inputs, answers_of(subject, inputs, options.batch), options);
}

std::vector<SymmetryErrors> measure_symmetry(const Subject& subject, const Inputs& inputs,
                                             const MeasureOptions& options) {
  const Answers answers = answers_of(subject, inputs, options.batch);
  const double rounding =
      answers.has_float64 ? rounding_of(subject, inputs, answers.in64, answers.scales, options) : 0;
  std::vector<SymmetryErrors> results;
  results.reserve(kParts.size());
  for (const Part part : kParts) {
    results.push_back(measure_with(subject, part, inputs, answers, options));
    results.back().rounding32 = rounding;
  }
  return results;
}

}  // namespace equiframe::audit
