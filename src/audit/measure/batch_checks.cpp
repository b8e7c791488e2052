#include "audit/measure/batch_checks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <torch/types.h>

#include "audit/measure/places.h"
#include "equiframe/core/error.h"

namespace equiframe::audit {
namespace {

constexpr double kDeterministic = 1e-9;
constexpr double kExact = 1e-9, kBroken = 1e-7;

double largest(const std::vector<Tensor>& a, const std::vector<Tensor>& b,
               const std::vector<double>& scales) {
  return differences(a, b, scales).max().item<double>();
}

/// Copies of one item in several calls: one draw for the call, or one for each item?
void measure_draws(BatchChecks& result, const Subject& subject, const Inputs& inputs,
                   const std::vector<double>& scales) {
  constexpr int64_t kCopies = 8, kCalls = 12;
  const Inputs copies = repeat(select(inputs, torch::tensor({0})), kCopies);
  std::vector<Tensor> reference;
  for (int64_t call = 0; call < kCalls; ++call) {
    const auto answers = evaluate(subject, copies, torch::kFloat64, kCopies);
    const auto first = select(answers, torch::tensor({0}));
    result.within_call =
        std::max(result.within_call, largest(answers, repeat(first, kCopies), scales));
    if (call == 0) reference = first;
    result.across_calls = std::max(result.across_calls, largest(first, reference, scales));
  }
}

void measure_beside_nan(BatchChecks& result, const Subject& subject, const Inputs& pair,
                        const std::vector<double>& scales) {
  Inputs poisoned = pair;
  for (Tensor& x : poisoned) {
    if (!x.defined() || !x.is_floating_point()) continue;
    x = x.clone();
    x[1].fill_(NAN);
  }
  const Tensor first = torch::tensor({0});
  try {
    const auto beside = evaluate(subject, poisoned, torch::kFloat64, 2);
    const auto usual = evaluate(subject, pair, torch::kFloat64, 2);
    result.beside_nan = largest(select(beside, first), select(usual, first), scales);
    result.nan_measured = true;
  } catch (const UserError&) {
    result.nan_measured = false;  // refusing the batch is an answer too
  }
}

}  // namespace

BatchChecks measure_batch(const Subject& subject, const Inputs& inputs,
                          const MeasureOptions& options) {
  BatchChecks result;
  const auto answers = evaluate(subject, inputs, torch::kFloat64, options.batch);
  const auto scales = scales_of(answers);
  constexpr int kRepeats = 4;
  for (int i = 0; i < kRepeats; ++i)
    result.repeat = std::max(
        result.repeat,
        largest(evaluate(subject, inputs, torch::kFloat64, options.batch), answers, scales));
  if (result.repeat > kDeterministic) {
    measure_draws(result, subject, inputs, scales);
    return result;
  }
  result.alone = largest(evaluate(subject, inputs, torch::kFloat64, 1), answers, scales);
  if (items_of(inputs) > 1)
    measure_beside_nan(result, subject, select(inputs, torch::tensor({0, 1})), scales);
  return result;
}

OrderChecks measure_order(const Subject& subject, int64_t usual, const MeasureOptions& options) {
  constexpr std::array<int64_t, 13> kSizes{2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 128};
  constexpr std::array<double, 2> kSpreads{1.0, 0.05};
  constexpr int64_t kMaxTimes = 4;
  constexpr double kLong = 3;  // seconds
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  OrderChecks result;
  const Typing& typing = subject.typing();
  if (!typing.is_euclidean() || !find_places(typing)) return result;
  MeasureOptions few = options;
  few.items = 2;
  few.draws = 3;
  for (const int64_t points : kSizes) {
    if (points > kMaxTimes * usual || seconds() > kLong) break;
    double worst = 0;
    for (const double spread : kSpreads) {
      Inputs inputs = random_inputs(subject, few.items, points, few.seed);
      inputs = with_places(typing, inputs, spread * places_of(typing, inputs));
      if (!why_not_measured(typing, Part::kPermutation, inputs).empty()) return result;
      try {
        const SymmetryErrors errors = measure_part(subject, Part::kPermutation, inputs, few);
        result.sizes.push_back({points, errors.float64.max, spread});
        worst = std::max(worst, errors.float64.max);
        result.measured = true;
      } catch (const UserError&) {
        worst = NAN;  // the model does not take so many points
      }
    }
    if (std::isnan(worst)) continue;
    if (worst > kBroken && result.first_broken == 0) result.first_broken = points;
    if (worst <= kExact && result.first_broken == 0) result.last_exact = points;
  }
  return result;
}

}  // namespace equiframe::audit
