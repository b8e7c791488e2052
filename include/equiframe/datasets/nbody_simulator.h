#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "equiframe/export.h"

/// The n-body simulator of the charged-particle benchmark (Kipf et al. 2018, Fuchs et al. 2020,
/// Satorras et al. 2021): N particles in three dimensions, float64, random initial states from
/// numpy's legacy generator.
///
/// Every operation is the one, and in the order, that the benchmark's Python asks numpy for. The
/// authors' program agrees to a median of 6e-14 over 200 systems, not to the bit. Ours gives the
/// same bits whatever the number of threads and the SIMD level.
namespace equiframe::kernels::inline datasets {

enum class Interaction {
  kCharged,  ///< q_i q_j r / |r|^3, like charges repel
  kSprings,  ///< -k_ij r
};

struct NBodySystem {
  Interaction interaction = Interaction::kCharged;
  std::int64_t particles = 5;
  std::int64_t steps = 5000;    ///< length of a trajectory; a multiple of `sampling`
  std::int64_t sampling = 100;  ///< steps from one saved frame to the next
  double dt = 0.001;            ///< force components are clipped to +-0.1 / dt
  double strength = 1;          ///< factor of all forces
  double spread = 1;            ///< standard deviation of the initial coordinates
  double speed = 0.5;           ///< initial speed of every particle
  double box = 5;               ///< initial coordinates beyond +-box are reflected; no walls later
  double noise = 0;             ///< standard deviation of noise on saved states; drawn even if zero
  /// Of the charges -1, 0, 1, or of the springs 0, 0.5, 1 between two particles.
  std::array<double, 3> probabilities{0.5, 0, 0.5};
};

/// The benchmark's settings for n particles; the cloud grows with n at equal density.
EQUIFRAME_API NBodySystem charged_particles(std::int64_t n);

/// The benchmark's settings for n balls, some joined by springs.
EQUIFRAME_API NBodySystem springs(std::int64_t n);

/// Throws std::invalid_argument for a system that makes no sense.
EQUIFRAME_API void check(const NBodySystem& system);

/// Saved frames of a trajectory, steps / sampling - 1. Frame k is the state after
/// sampling * (k + 1) steps: the initial state is not saved. A saved velocity is the one that
/// carried the particle into the saved position.
EQUIFRAME_API std::int64_t frames(const NBodySystem& system);

/// `count` trajectories, F = frames(system), N particles.
struct NBodyTrajectories {
  double* locations;   ///< [count, F, 3, N]
  double* velocities;  ///< [count, F, 3, N]
  double* edges;       ///< [count, N, N]: q_i q_j, or the spring constants k_ij
  double* charges;     ///< [count, N]; zero with springs
};

struct NBodyRun {
  int threads = 1;
  /// Called now and then, from the calling thread, with the trajectories finished so far.
  std::function<void(std::int64_t done)> progress = nullptr;
};

/// Trajectories 0 .. count - 1 of the random stream `seed`, of a system that passes `check`.
EQUIFRAME_API void simulate(const NBodySystem& system, std::uint32_t seed, std::int64_t count,
                            const NBodyTrajectories& trajectories, const NBodyRun& run = {});

}  // namespace equiframe::kernels::inline datasets
