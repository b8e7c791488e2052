#pragma once

#include <ATen/ATen.h>

#include "equiframe/core/rng.h"
#include "equiframe/datasets/cad_set.h"
#include "equiframe/models/model.h"
#include "normals/learned/normal_estimator.h"

/// What data sets with normals of a network are made from in tests.
namespace equiframe::datasets_test {

/// Spheres, each of other points.
inline CadSet sphere_set(int64_t shapes, int64_t points) {
  auto generator = make_generator(3);
  const Tensor x = at::randn({shapes, points, 3}, generator, at::kDouble);
  CadSet set;
  set.points = (x / x.square().sum(-1, true).sqrt()).to(at::kFloat);
  set.normals = set.points;
  set.description = "spheres";
  return set;
}

/// `fa-patch` as it is before training.
inline NormalEstimator untrained_network() {
  torch::manual_seed(1);
  return NormalEstimator(*make_model("fa-patch"));
}

}  // namespace equiframe::datasets_test
