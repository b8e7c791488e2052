// The n-body kernels compiled for each instruction set.
#pragma once

#include <cstdint>

#include "equiframe/datasets/nbody_simulator.h"
#include "simd/cpu.h"

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

extern const NBodyKernels kNBodyBaseline, kNBodyAvx2, kNBodyAvx512;

/// The kernels of a level, which must not be above `highest_simd_level()`.
const NBodyKernels& nbody_kernels_of(SimdLevel level);

}  // namespace equiframe::kernels::inline datasets
