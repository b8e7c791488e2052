#include "audit/measure/gradient_error.h"

#include <algorithm>
#include <cmath>

#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include "audit/measure/symmetry_errors.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"

namespace equiframe::audit {
namespace {

constexpr int64_t kDirections = 6;
constexpr double kStep = 1e-5, kSmallerStep = 2e-6;
constexpr double kSmooth = 1e-3;  // two step sizes that differ by more met a kink

bool is_moved(const Typing& typing, const Inputs& inputs, size_t i) {
  return inputs[i].defined() && inputs[i].is_floating_point() &&
         typing.in[i].layout != Layout::kUntouched;
}

/// sum_j <c_j, f_j(x)> of each item, [B], with fixed random c.
class Functional {
 public:
  Functional(const Subject& subject, int64_t batch, uint64_t seed)
      : subject_(subject), batch_(batch), seed_(seed) {}

  Tensor of(const std::vector<Tensor>& results) const {
    auto generator = make_generator(seed_);
    Tensor total;
    for (const Tensor& y : results) {
      const Tensor c = torch::randn(y.sizes().slice(1), generator, torch::kFloat64);
      const Tensor term = (y * c).flatten(1).sum(1);
      total = total.defined() ? total + term : term;
    }
    return total;
  }
  Tensor at(const Inputs& inputs) const {
    return of(evaluate(subject_, inputs, torch::kFloat64, batch_));
  }

 private:
  const Subject& subject_;
  int64_t batch_;
  uint64_t seed_;
};

Inputs shifted(const Inputs& inputs, const Inputs& direction, double step) {
  Inputs result = inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (direction[i].defined()) result[i] = inputs[i] + step * direction[i];
  }
  return result;
}

Inputs random_direction(const Typing& typing, const Inputs& inputs, at::Generator& generator) {
  Inputs direction(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_moved(typing, inputs, i)) continue;
    direction[i] = torch::randn(inputs[i].sizes(), generator, torch::kFloat64);
    if (typing.in[i].layout == Layout::kPair)  // graphs stay symmetric
      direction[i] = direction[i] + direction[i].transpose(1, 2);
  }
  return direction;
}

/// Gradients of the functional's sum over the items; zeros where nothing is connected.
Inputs autograd(const Subject& subject, const Functional& functional, const Inputs& inputs) {
  Inputs leaves = inputs;
  std::vector<Tensor> wanted;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_moved(subject.typing(), inputs, i)) continue;
    leaves[i] = inputs[i].detach().clone().requires_grad_();
    wanted.push_back(leaves[i]);
  }
  const Tensor total = functional.of(subject.run_with_gradient(leaves)).sum();
  std::vector<Tensor> found(wanted.size());
  if (total.requires_grad())
    found = torch::autograd::grad({total}, wanted, {}, /*retain_graph=*/false,
                                  /*create_graph=*/false, /*allow_unused=*/true);
  Inputs gradients(inputs.size());
  for (size_t i = 0, k = 0; i < inputs.size(); ++i) {
    if (!is_moved(subject.typing(), inputs, i)) continue;
    gradients[i] = found[k].defined() ? found[k] : torch::zeros_like(inputs[i]);
    ++k;
  }
  return gradients;
}

Tensor along(const Inputs& gradients, const Inputs& direction) {
  Tensor total;
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!direction[i].defined()) continue;
    const Tensor term = (gradients[i] * direction[i]).flatten(1).sum(1);
    total = total.defined() ? total + term : term;
  }
  return total;
}

GradientError compare(const Subject& subject, const Inputs& inputs, const MeasureOptions& options) {
  const Functional functional(subject, options.batch, options.seed);
  const Inputs gradients = autograd(subject, functional, inputs);
  auto generator = make_generator(options.seed + 7);
  std::vector<Tensor> exact, differences, smaller;
  for (int64_t k = 0; k < kDirections; ++k) {
    const Inputs direction = random_direction(subject.typing(), inputs, generator);
    const auto central = [&](double h) {
      return (functional.at(shifted(inputs, direction, h)) -
              functional.at(shifted(inputs, direction, -h))) /
             (2 * h);
    };
    exact.push_back(along(gradients, direction));
    differences.push_back(central(kStep));
    smaller.push_back(central(kSmallerStep));
  }
  const Tensor a = torch::cat(exact), d = torch::cat(differences), s = torch::cat(smaller);
  GradientError result;
  const double typical = d.abs().median().item<double>();
  if (!(typical > 1e-9)) {
    result.reason = "the answer hardly depends on the input";
    return result;
  }
  const Tensor smooth = (d - s).abs() <= kSmooth * typical;
  result.directions = smooth.sum().item<int64_t>();
  result.left_out = d.size(0) - result.directions;
  if (result.directions == 0) {
    result.reason = "the answer is not smooth in any direction tried";
    return result;
  }
  const Tensor errors = torch::nan_to_num((a - d).abs().index({smooth}) / typical, INFINITY);
  result.median = errors.median().item<double>();
  result.max = errors.max().item<double>();
  result.measured = true;
  return result;
}

}  // namespace

GradientError measure_gradient(const Subject& subject, const Inputs& inputs,
                               const MeasureOptions& options) {
  GradientError result;
  if (!subject.has_gradient()) {
    result.reason = "a " + subject.kind() + " has no gradient";
    return result;
  }
  try {
    return compare(subject, inputs, options);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    result.reason = "the backward pass fails: " + text.substr(0, text.find('\n'));
    return result;
  }
}

}  // namespace equiframe::audit
