#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "equiframe/datasets/nbody_simulator.h"

/// The simulation written out one number at a time, as the independent word on every bit.
namespace equiframe::kernels::reference {

using Numbers = std::vector<double>;

/// numpy's order of summation for at most 128 terms.
inline double sum(const Numbers& terms) {
  const size_t blocks = terms.size() < 8 ? 0 : terms.size() / 8 * 8;
  double result = 0;
  if (blocks > 0) {
    Numbers part(8, 0.0);
    for (size_t j = 0; j < blocks; ++j) part[j % 8] += terms[j];
    result =
        ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
  }
  for (size_t j = blocks; j < terms.size(); ++j) result += terms[j];
  return result;
}

/// F [3, n] at positions x [3, n].
inline Numbers forces(const NBodySystem& system, const Numbers& x, const double* edges) {
  const auto n = static_cast<size_t>(system.particles);
  const auto dot = [&](size_t i, size_t j) {
    return (x[i] * x[j] + x[n + i] * x[n + j]) + x[2 * n + i] * x[2 * n + j];
  };
  Numbers result(3 * n);
  for (size_t i = 0; i < n; ++i) {
    Numbers weights(n, 0.0), terms(n);
    for (size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      weights[j] = system.interaction == Interaction::kSprings
                       ? -system.strength * edges[i * n + j]
                       : system.strength * edges[i * n + j] /
                             std::pow((dot(i, i) + dot(j, j)) - 2 * dot(i, j), 1.5);
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      for (size_t j = 0; j < n; ++j) terms[j] = weights[j] * (x[axis * n + i] - x[axis * n + j]);
      result[axis * n + i] = std::fmin(std::fmax(sum(terms), -0.1 / system.dt), 0.1 / system.dt);
    }
  }
  return result;
}

struct Trajectory {
  Numbers locations, velocities;  // [F, 3, n]
};

/// v += dt F; then, step by step, x += dt v, a frame is saved if it is time, v += dt F.
inline Trajectory follow(const NBodySystem& system, Numbers x, Numbers v, const double* edges) {
  Trajectory saved;
  const auto kick = [&] {
    const Numbers f = forces(system, x, edges);
    for (size_t k = 0; k < v.size(); ++k) v[k] += system.dt * f[k];
  };
  kick();
  for (std::int64_t step = 1; step < system.steps; ++step) {
    for (size_t k = 0; k < x.size(); ++k) x[k] += system.dt * v[k];
    if (step % system.sampling == 0) {
      saved.locations.insert(saved.locations.end(), x.begin(), x.end());
      saved.velocities.insert(saved.velocities.end(), v.begin(), v.end());
    }
    kick();
  }
  return saved;
}

}  // namespace equiframe::kernels::reference
