// The n-body simulation, one trajectory to a lane. The order of operations is part of the contract,
// see include/equiframe/kernels/nbody.h.
#pragma once

#include <type_traits>
#include <vector>

#include "datasets/nbody/kernels/nbody_dispatch.h"
#include "datasets/nbody/kernels/nbody_forces.h"

namespace equiframe::kernels::inline datasets {
namespace {

constexpr int kTogether = kWidth<double>;  // trajectories that are followed at once

/// Trajectories first .. first + kTogether - 1; lanes behind the last one repeat it.
struct LaneGroup {
  std::int64_t first, last;
  std::int64_t item(int lane) const { return first + lane < last ? first + lane : last - 1; }
};

/// lane k of target[i] = source[item(k), i], i < size.
inline void load_group(const double* source, std::int64_t size, const LaneGroup& group,
                       Doubles* target) {
  for (int lane = 0; lane < kTogether; ++lane) {
    const double* from = source + group.item(lane) * size;
    for (std::int64_t i = 0; i < size; ++i) target[i][lane] = from[i];
  }
}

/// Lane k of source[i] is added to number i < size of row item(k) * rows_each + row.
struct FrameSum {
  std::int64_t size, rows_each, row;
  void operator()(const Doubles* source, const LaneGroup& group, double* target) const {
    for (int lane = 0; lane < kTogether && group.first + lane < group.last; ++lane) {
      double* to = target + ((group.first + lane) * rows_each + row) * size;
      for (std::int64_t i = 0; i < size; ++i) to[i] += source[i][lane];
    }
  }
};

/// One step of symplectic Euler: v += dt F(x) with every component of F clipped (a NaN stays), then
/// x += dt v.
template <Interaction kLaw, int kCount>
void step(const Particles<kCount>& p, double dt) {
  const Doubles most = splat<Doubles>(0.1 / dt);
  for_forces<kLaw>(p, [&](std::int64_t axis, std::int64_t i, Doubles force) {
    force = force > most ? most : force;
    force = force < -most ? -most : force;
    Doubles &x = p.x[axis * p.n() + i], &v = p.v[axis * p.n() + i];
    v += dt * force;
    x += dt * v;
  });
}

template <Interaction kLaw, int kCount>
void follow(const Particles<kCount>& p, const NBodySystem& system, const LaneGroup& group,
            const NBodyTrajectories& out) {
  const std::int64_t frame_count = frames(system);
  for (std::int64_t frame = 0; frame < frame_count; ++frame) {
    for (std::int64_t k = 0; k < system.sampling; ++k) step<kLaw>(p, system.dt);
    const FrameSum add{3 * p.n(), frame_count, frame};
    add(p.x, group, out.locations);
    add(p.v, group, out.velocities);
  }
}

/// A vector type loses its alignment as a template argument.
struct Slot {
  Doubles value;
};

/// What `integrate` is called with.
struct Job {
  const NBodySystem& system;
  const InitialStates& start;
  const NBodyTrajectories& out;
};

template <Interaction kLaw, int kCount>
void follow_groups(const Job& job, std::int64_t first, std::int64_t last) {
  const std::int64_t n = job.system.particles;
  const double strength =
      kLaw == Interaction::kCharged ? job.system.strength : -job.system.strength;
  std::vector<Slot> memory(static_cast<size_t>(Particles<kCount>::slots(n)));
  const Particles<kCount> p(n, &memory.data()->value);
  for (; first < last; first += kTogether) {
    const LaneGroup group{first, last};
    load_group(job.start.locations, 3 * n, group, p.x);
    load_group(job.start.velocities, 3 * n, group, p.v);
    load_group(job.out.edges, n * n, group, p.matrix);
    for_pairs(p, [&](std::int64_t i, std::int64_t j, std::int64_t pair) {
      p.coupling[pair] = strength * p.matrix[i * n + j];
    });
    follow<kLaw>(p, job.system, group, job.out);
  }
}

template <int kCount>
void integrate_count(const Job& job, std::int64_t first, std::int64_t last) {
  if (job.system.interaction == Interaction::kCharged) {
    follow_groups<Interaction::kCharged, kCount>(job, first, last);
  } else {
    follow_groups<Interaction::kSprings, kCount>(job, first, last);
  }
}

inline void integrate(const NBodySystem& system, const InitialStates& start,
                      const NBodyTrajectories& out, std::int64_t first, std::int64_t last) {
  const Job job{system, start, out};
  if (system.particles == 5) {
    integrate_count<5>(job, first, last);
  } else {
    integrate_count<0>(job, first, last);
  }
}

inline void powers(std::int64_t count, const double* x, double* results) {
  for (std::int64_t i = 0; i < count; i += kTogether) {
    const std::int64_t some = count - i < kTogether ? count - i : kTogether;
    Doubles lanes{}, result;
    std::memcpy(&lanes, x + i, static_cast<size_t>(some) * sizeof(double));
    powers_three_halves(1, &lanes, &result);
    std::memcpy(results + i, &result, static_cast<size_t>(some) * sizeof(double));
  }
}

constexpr NBodyKernels kNBodyCompiledHere{&integrate, &powers};

}  // namespace
}  // namespace equiframe::kernels::inline datasets
