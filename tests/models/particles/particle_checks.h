// Errors of the laws that models of particles promise, as numbers to compare with a tolerance.
#pragma once

#include <string>

#include <torch/autograd.h>
#include <torch/types.h>

#include "equiframe/groups/euclidean.h"
#include "equiframe/laws/laws.h"
#include "equiframe/models/model.h"

namespace equiframe::particle_checks {

/// Random particles [b, n, 7]: positions, velocities and charges of +-1.
inline Tensor random_particles(int64_t b, int64_t n, uint64_t seed = 1) {
  auto generator = make_generator(seed);
  const Tensor x = torch::randn({b, n, 7}, generator, torch::kFloat64);
  return torch::cat({x.narrow(2, 0, 6), x.narrow(2, 6, 1).sign()}, 2);
}

/// `call` with reproducible parameters of the given type.
inline std::unique_ptr<Model> make(const std::string& call, at::ScalarType type = torch::kFloat64) {
  torch::manual_seed(7);
  auto model = make_model(call);
  model->to(type);
  model->eval();
  return model;
}

inline Tensor predict(Model& model, const Batch& batch) {
  const torch::NoGradGuard guard;
  return model.forward(batch);
}

/// How far f(g x) is from g f(x), relative to how far f moves the particles.
inline double equivariance_error(Model& model, const EuclideanGroup& group, const Tensor& x,
                                 uint64_t seed = 3) {
  auto generator = make_generator(seed);
  auto g = group.sample(x.size(0), generator);
  g.linear = g.linear.to(x.dtype());
  const Tensor moved = group.act(group.type("point + vector + scalar"), g, x);
  const Tensor y = predict(model, x);
  const Tensor expected = group.act(group.type("point"), g, y);
  const Tensor step = (y - x.narrow(2, 0, 3)).abs().max();
  return ((predict(model, moved) - expected).abs().max() / step).item<double>();
}

inline double permutation_error(Model& model, const Tensor& x) {
  const Tensor order = torch::randperm(x.size(1), make_generator(5), torch::kInt64);
  const Tensor expected = predict(model, x).index_select(1, order);
  return laws::relative_difference(predict(model, x.index_select(1, order)), expected);
}

/// Items of 1, 3 and 5 particles in one batch, padding of NaN, against each on its own.
inline double padding_error(Model& model) {
  const Tensor x = random_particles(3, 5, 11);
  Batch batch(x.clone());
  const Tensor sizes = torch::tensor({3, 5, 1});
  batch.mask = torch::arange(5).unsqueeze(0) < sizes.unsqueeze(1);
  batch.x.masked_fill_(batch.mask.logical_not().unsqueeze(-1), NAN);
  batch.x.select(0, 0).narrow(0, 3, 2).fill_(4.0);
  const Tensor y = predict(model, batch);
  double worst = (y[0].narrow(0, 3, 2) - 4.0).abs().max().item<double>();
  for (int64_t b = 0; b < 3; ++b) {
    const int64_t n = sizes[b].item<int64_t>();
    const Tensor alone = predict(model, x.narrow(0, b, 1).narrow(1, 0, n));
    worst = std::max(worst, laws::relative_difference(y[b].narrow(0, 0, n), alone[0]));
  }
  return worst;
}

/// Largest relative difference between the gradient of a random functional and central
/// differences, over `samples` random directions in the space of `variables`.
inline double gradient_error(Model& model, const Tensor& x, const std::vector<Tensor>& variables,
                             int64_t samples = 4) {
  auto generator = make_generator(13);
  const Tensor weights = torch::randn({x.size(0), x.size(1), 3}, generator, torch::kFloat64);
  const auto value = [&] { return (model.forward(x) * weights).sum(); };
  const auto gradients = torch::autograd::grad({value()}, variables);
  const torch::NoGradGuard guard;
  double worst = 0;
  for (int64_t s = 0; s < samples; ++s) {
    std::vector<Tensor> direction;
    double slope = 0;
    for (size_t k = 0; k < variables.size(); ++k) {
      direction.push_back(torch::randn(variables[k].sizes(), generator, torch::kFloat64));
      slope += (gradients[k] * direction[k]).sum().item<double>();
    }
    const auto at = [&](double step) {
      for (size_t k = 0; k < variables.size(); ++k) variables[k].add_(direction[k], step);
      const double result = value().item<double>();
      for (size_t k = 0; k < variables.size(); ++k) variables[k].sub_(direction[k], step);
      return result;
    };
    const double h = 1e-6;
    const double numeric = (at(h) - at(-h)) / (2 * h);
    worst = std::max(worst, std::abs(numeric - slope) / std::max(1.0, std::abs(slope)));
  }
  return worst;
}

}  // namespace equiframe::particle_checks
