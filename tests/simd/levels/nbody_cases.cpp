#include "datasets/nbody/kernels/nbody_steps.h"
#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {
namespace {

/// 13 trajectories fill no register evenly; five particles have code of their own.
void add_trajectories(SimdLevel level, NBodySystem system, std::vector<Output>& outputs) {
  const std::int64_t count = 13, n = system.particles;
  system.steps = 200;
  system.sampling = 50;
  Draws draws(5);
  const std::vector<double> x = draws.numbers<double>(count * 3 * n, 2);
  const std::vector<double> v = draws.numbers<double>(count * 3 * n);
  std::vector<double> edges = draws.numbers<double>(count * n * n), charges;
  std::vector<double> locations(static_cast<std::size_t>(count * frames(system) * 3 * n));
  std::vector<double> velocities(locations.size());
  Table<NBodyKernels>::at(level).integrate(
      system, {x.data(), v.data()},
      {locations.data(), velocities.data(), edges.data(), charges.data()}, 0, count);
  outputs.push_back(output("locations", locations));
  outputs.push_back(output("velocities", velocities));
}

std::vector<Output> nbody_steps(SimdLevel level) {
  std::vector<Output> outputs;
  for (const std::int64_t n : {2, 5, 11}) {
    add_trajectories(level, charged_particles(n), outputs);
    add_trajectories(level, springs(n), outputs);
  }
  std::vector<double> x = Draws(6).numbers<double>(1000, 100), powers(x.size());
  for (double& number : x) number = number < 0 ? -number : number;
  Table<NBodyKernels>::at(level).power_three_halves(1000, x.data(), powers.data());
  outputs.push_back(output("x^(3/2)", powers));
  return outputs;
}

}  // namespace

std::vector<Case> nbody_cases() {
  return {{"nbody_steps", 0, {nbody_steps}}};
}

}  // namespace equiframe::kernels::levels
