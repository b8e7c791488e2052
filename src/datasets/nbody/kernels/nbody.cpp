#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "datasets/nbody/kernels/nbody_steps.h"
#include "datasets/nbody/kernels/numpy_random.h"
#include "equiframe/datasets/nbody_simulator.h"

namespace equiframe::kernels::inline datasets {
namespace {

constexpr std::int64_t kChunk = 64;  // trajectories a thread takes at once; a multiple of the lanes

void require(bool condition, const std::string& what) {
  if (!condition) throw std::invalid_argument("n-body: " + what);
}

/// Draws in the order of the benchmark's generator.
class InitialDraws {
 public:
  InitialDraws(const NBodySystem& system, std::uint32_t seed) : system_(system), random_(seed) {
    const auto& p = system.probabilities;
    const double total = (p[0] + p[1]) + p[2];
    upper_ = {p[0] / total, (p[0] + p[1]) / total};
  }

  void charges(double* charges, double* edges) {
    const std::int64_t n = system_.particles;
    for (std::int64_t i = 0; i < n; ++i) charges[i] = static_cast<double>(type() - 1);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) edges[i * n + j] = charges[i] * charges[j];
    }
  }

  /// The lower triangle of n x n draws, mirrored.
  void springs(double* charges, double* edges) {
    const std::int64_t n = system_.particles;
    std::fill_n(charges, n, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const double constant = 0.5 * type();
        if (j < i) edges[i * n + j] = edges[j * n + i] = constant;
      }
      edges[i * n + i] = 0;
    }
  }

  /// x and v [3, N]: a normal cloud, all speeds equal, what is outside the box reflected once.
  void state(double* x, double* v) {
    const std::int64_t n = system_.particles;
    for (std::int64_t k = 0; k < 3 * n; ++k) x[k] = random_.normal() * system_.spread;
    for (std::int64_t k = 0; k < 3 * n; ++k) v[k] = random_.normal();
    for (std::int64_t i = 0; i < n; ++i) {
      double &vx = v[i], &vy = v[n + i], &vz = v[2 * n + i];
      const double length = std::sqrt((vx * vx + vy * vy) + vz * vz);
      for (double* component : {&vx, &vy, &vz}) *component = *component * system_.speed / length;
    }
    for (std::int64_t k = 0; k < 3 * n; ++k) reflect(x[k], v[k]);
  }

  /// Noise for `count` saved numbers; without noise only the stream moves on.
  void noise(double* values, std::int64_t count) {
    if (system_.noise == 0) {
      random_.skip_normals(count);
      std::fill_n(values, count, 0.0);
    } else {
      for (std::int64_t k = 0; k < count; ++k) values[k] = random_.normal() * system_.noise;
    }
  }

 private:
  int type() {
    const double u = random_.uniform();
    return int{u >= upper_[0]} + int{u >= upper_[1]};
  }

  void reflect(double& x, double& v) const {
    if (x > system_.box) {
      x = 2 * system_.box - x;
      v = -std::abs(v);
    }
    if (x < -system_.box) {
      x = -2 * system_.box - x;
      v = std::abs(v);
    }
  }

  const NBodySystem& system_;
  NumpyRandom random_;
  std::array<double, 2> upper_{};  // of the cumulative distribution
};

struct States {
  std::vector<double> locations, velocities;  // [count, 3, N]
};

/// Everything random: edges, charges and the initial states, which are returned; the saved states
/// get their noise.
States draw(const NBodySystem& system, std::uint32_t seed, std::int64_t count,
            const NBodyTrajectories& out) {
  InitialDraws draws(system, seed);
  const std::int64_t n = system.particles, saved = frames(system) * 3 * n;
  const auto size = static_cast<size_t>(count * 3 * n);
  States start{std::vector<double>(size), std::vector<double>(size)};
  for (std::int64_t item = 0; item < count; ++item) {
    double *charges = out.charges + item * n, *edges = out.edges + item * n * n;
    if (system.interaction == Interaction::kCharged) {
      draws.charges(charges, edges);
    } else {
      draws.springs(charges, edges);
    }
    draws.state(start.locations.data() + item * 3 * n, start.velocities.data() + item * 3 * n);
    draws.noise(out.locations + item * saved, saved);
    draws.noise(out.velocities + item * saved, saved);
  }
  return start;
}

/// work(first, last) for all chunks of [0, count), on `run.threads` threads of which one is the
/// caller's. The first exception ends the work and is thrown here.
template <class Work>
void for_chunks(std::int64_t count, const NBodyRun& run, const Work& work) {
  std::atomic<std::int64_t> next{0}, done{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto take_chunks = [&](const std::function<void(std::int64_t)>& progress) {
    try {
      for (std::int64_t first; (first = next.fetch_add(kChunk)) < count;) {
        const std::int64_t last = std::min(first + kChunk, count);
        work(first, last);
        const std::int64_t finished = done += last - first;
        if (progress) progress(finished);
      }
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    const std::int64_t useful = std::min<std::int64_t>(run.threads, (count + kChunk - 1) / kChunk);
    std::vector<std::jthread> others;
    for (std::int64_t k = 1; k < useful; ++k) others.emplace_back(take_chunks, nullptr);
    take_chunks(run.progress);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

NBodySystem charged_particles(std::int64_t n) {
  NBodySystem system;
  system.particles = n;
  system.spread = std::pow(static_cast<double>(n) / 5.0, 1.0 / 3.0);
  return system;
}

NBodySystem springs(std::int64_t n) {
  NBodySystem system;
  system.interaction = Interaction::kSprings;
  system.particles = n;
  system.spread = 0.5;
  system.strength = 0.1;
  return system;
}

void check(const NBodySystem& system) {
  require(system.particles >= 1,
          "needs at least one particle, got " + std::to_string(system.particles));
  require(system.sampling >= 1,
          "the sampling must be at least one step, got " + std::to_string(system.sampling));
  require(system.steps % system.sampling == 0 && system.steps / system.sampling >= 2,
          "the length must be a multiple of the sampling and at least twice it, got length " +
              std::to_string(system.steps) + " and sampling " + std::to_string(system.sampling));
  require(system.dt > 0 && std::isfinite(system.dt), "the time step must be positive");
  require(system.box > 0, "the box must be positive");
  require(system.noise >= 0, "the noise must not be negative");
  require(std::isfinite(system.strength) && std::isfinite(system.spread) &&
              std::isfinite(system.speed) && std::isfinite(system.noise),
          "strength, spread, speed and noise must be finite");
  const auto& p = system.probabilities;
  require(p[0] >= 0 && p[1] >= 0 && p[2] >= 0 && std::abs(p[0] + p[1] + p[2] - 1) < 1e-8,
          "the three probabilities must not be negative and must sum to one");
}

std::int64_t frames(const NBodySystem& system) {
  return system.steps / system.sampling - 1;
}

void simulate(const NBodySystem& system, std::uint32_t seed, std::int64_t count,
              const NBodyTrajectories& trajectories, const NBodyRun& run) {
  check(system);
  require(count >= 0 && run.threads >= 1, "needs count >= 0 and at least one thread");
  const States drawn = draw(system, seed, count, trajectories);
  const InitialStates start{drawn.locations.data(), drawn.velocities.data()};
  const auto integrate = Table<NBodyKernels>::chosen().integrate;
  for_chunks(count, run, [&](std::int64_t first, std::int64_t last) {
    integrate(system, start, trajectories, first, last);
  });
  if (run.progress) run.progress(count);
}

}  // namespace equiframe::kernels::inline datasets
