// The steps of the n-body simulation.
#pragma once

#include <cstdint>

#include "equiframe/datasets/nbody_simulator.h"
#include "simd/table.h"

namespace equiframe::kernels::inline datasets {

/// States at time zero of all trajectories.
struct InitialStates {
  const double* locations;   ///< [count, 3, N]
  const double* velocities;  ///< [count, 3, N]
};

struct NBodyKernels {
  /// Follows trajectories [first, last) and adds the saved states to what `trajectories` holds.
  void (*integrate)(const NBodySystem& system, const InitialStates& start,
                    const NBodyTrajectories& trajectories, std::int64_t first, std::int64_t last);

  /// results[i] = std::pow(x[i], 1.5), to the bit.
  void (*power_three_halves)(std::int64_t count, const double* x, double* results);
};

}  // namespace equiframe::kernels::inline datasets
