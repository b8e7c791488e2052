// Clouds for the tests of models that estimate normals.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/models/model.h"

namespace equiframe::clouds {

/// Points of bent ellipsoids of different axes, turned at random, [b, n, 3] float64: clouds without
/// any symmetry, whose vectors of all points do not cancel.
inline Tensor random_clouds(int64_t b, int64_t n, uint64_t seed = 1) {
  auto generator = make_generator(seed);
  const Tensor ball = torch::randn({b, n, 3}, generator, torch::kFloat64);
  const Tensor sphere = ball / ball.norm(2, 2, true);
  const Tensor axes = torch::tensor({1.5, 1.0, 0.6}, torch::kFloat64);
  const Tensor turn = haar_orthogonal(3, EuclideanGroup::Linear::kRotations, b, generator);
  return (sphere * axes + 0.8 * sphere.square()).matmul(turn);
}

/// Directions to learn: away from the middle.
inline Tensor outward(const Tensor& clouds) {
  const Tensor out = clouds - clouds.mean(1, true);
  return out / out.norm(2, 2, true);
}

/// `call` with seeded parameters, as it is when training begins.
inline std::shared_ptr<Model> fresh(const std::string& call,
                                    at::ScalarType type = torch::kFloat64) {
  torch::manual_seed(7);
  std::shared_ptr<Model> model = make_model(call);
  model->to(type);
  return model;
}

/// The same in `eval()`, its batch norms having seen some clouds: the means and variances that a
/// new network starts with have nothing to do with its values. Made once; not to be changed.
inline std::shared_ptr<Model> made(const std::string& call, at::ScalarType type = torch::kFloat64) {
  static std::map<std::pair<std::string, at::ScalarType>, std::shared_ptr<Model>> known;
  std::shared_ptr<Model>& model = known[{call, type}];
  if (model) return model;
  model = fresh(call, type);
  const torch::NoGradGuard guard;
  for (uint64_t k = 0; k < 4; ++k) model->forward(random_clouds(2, 16, 100 + k).to(type));
  model->eval();
  return model;
}

inline Tensor predict(Model& model, const Batch& batch) {
  const torch::NoGradGuard guard;
  return model.forward(batch);
}

/// mean of 1 - (n . target)^2.
inline Tensor unoriented_loss(const Tensor& normals, const Tensor& target) {
  return (1 - (normals * target).sum(-1).square()).mean();
}

inline Tensor random_turn(EuclideanGroup::Linear linear, uint64_t seed) {
  auto generator = make_generator(seed);
  return haar_orthogonal(3, linear, 1, generator)[0];
}

/// |f(x R^T + t) - f(x) R^T| of each point, [B, N] float64; x float64, the network in its own type.
inline Tensor equivariance_errors(Model& model, const Tensor& x, const Tensor& turn,
                                  const Tensor& shift, at::ScalarType type = torch::kFloat64) {
  const Tensor moved = predict(model, (x.matmul(turn.t()) + shift).to(type)).to(torch::kFloat64);
  const Tensor expected = predict(model, x.to(type)).to(torch::kFloat64).matmul(turn.t());
  return (moved - expected).norm(2, -1);
}

inline double largest(const Tensor& x) {
  return x.abs().max().item<double>();
}

}  // namespace equiframe::clouds
