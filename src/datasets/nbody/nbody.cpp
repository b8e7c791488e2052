#include "equiframe/datasets/nbody.h"

#include <stdexcept>

#include <ATen/ATen.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "io/bytes/cache.h"
#include "io/bytes/checksum.h"
#include "runtime/machine.h"

namespace equiframe::inline datasets {
namespace {

using kernels::Interaction;
using kernels::NBodySystem;

/// Changes when the same options begin to give other numbers.
constexpr int kNBodyVersion = 1;

const char* name(Interaction interaction) {
  return interaction == Interaction::kCharged ? "charged" : "springs";
}

/// With all digits.
std::string digits(double value) {
  return text::printed("%.17g", value);
}

void check_counts(const NBodyOptions& options) {
  for (const int64_t count : {options.train, options.valid, options.test}) {
    if (count < 0)
      throw UserError("n-body: the number of trajectories must not be negative, got " +
                      std::to_string(count));
  }
  if (options.suffix.find('/') != std::string::npos)
    throw UserError("n-body: the suffix '" + options.suffix + "' must not contain '/'");
}

/// A clear word beats the kernel's killer of processes.
void check_memory(const NBodySystem& system, int64_t count) {
  const auto n = static_cast<double>(system.particles);
  const double numbers = 6 * n * static_cast<double>(kernels::frames(system)) + n * n + n;
  const double needed = 8 * numbers * static_cast<double>(count);
  const auto available = static_cast<double>(runtime::machine().memory_available_bytes);
  if (available == 0 || needed < available) return;
  constexpr double kGibibyte = 1 << 30;
  throw UserError(c10::str("n-body: ", count, " trajectories need ", needed / kGibibyte,
                           " GiB of memory, but ", available / kGibibyte,
                           " are free; ask for fewer trajectories or frames"));
}

/// Trajectories [first, first + count) of arrays that hold all of them.
NBodySplit part(const NBodySplit& all, int64_t first, int64_t count) {
  return {all.loc.narrow(0, first, count), all.vel.narrow(0, first, count),
          all.edges.narrow(0, first, count), all.charges.narrow(0, first, count)};
}

NBodySplit allocate(const NBodySystem& system, int64_t count) {
  const int64_t frames = kernels::frames(system), n = system.particles;
  const auto of_shape = [](at::IntArrayRef shape) { return at::empty(shape, at::kDouble); };
  return {of_shape({count, frames, 3, n}), of_shape({count, frames, 3, n}), of_shape({count, n, n}),
          of_shape({count, n, 1})};
}

}  // namespace

std::string NBodyOptions::tag() const {
  const bool moving = system.speed > 1e-12;
  return std::string("_") + name(system.interaction) + std::to_string(system.particles) +
         "_initvel" + (moving ? "1" : "0") + suffix;
}

std::string NBodyOptions::str() const {
  const auto& p = system.probabilities;
  return text::plain(name(system.interaction), " particles=", system.particles, " seed=", seed,
                     " train=", train, " valid=", valid, " test=", test, " length=", system.steps,
                     " sampling=", system.sampling, " dt=", digits(system.dt),
                     " strength=", digits(system.strength), " spread=", digits(system.spread),
                     " speed=", digits(system.speed), " box=", digits(system.box),
                     " noise=", digits(system.noise), " probabilities=", digits(p[0]), ",",
                     digits(p[1]), ",", digits(p[2]));
}

NBodyArrays generate_nbody(const NBodyOptions& options, const NBodyWork& work) try {
  check_counts(options);
  const int64_t count = options.train + options.valid + options.test;
  kernels::check(options.system);
  check_memory(options.system, count);
  const NBodySplit all = allocate(options.system, count);
  kernels::NBodyRun run{.threads =
                            work.threads > 0 ? work.threads : runtime::machine().usable_cores};
  if (work.progress) {
    run.progress = [&](int64_t done) {
      work.progress(count > 0 ? static_cast<double>(done) / static_cast<double>(count) : 1,
                    std::to_string(done) + " of " + std::to_string(count) + " trajectories");
    };
  }
  kernels::simulate(options.system, options.seed, count,
                    {all.loc.data_ptr<double>(), all.vel.data_ptr<double>(),
                     all.edges.data_ptr<double>(), all.charges.data_ptr<double>()},
                    run);
  return {part(all, 0, options.train), part(all, options.train, options.valid),
          part(all, options.train + options.valid, options.test), options.tag(), options.str()};
} catch (const std::invalid_argument& error) {
  throw UserError(error.what());
}

NBodyArrays cached_nbody(const NBodyOptions& options, const NBodyWork& work) {
  const std::string key = sha256(options.str() + " generator=" + std::to_string(kNBodyVersion));
  const std::string folder =
      "nbody" + options.tag() + "_seed" + std::to_string(options.seed) + "_" + key.substr(0, 16);
  return read_nbody(cached_folder(folder,
                                  [&](const std::filesystem::path& empty) {
                                    write_nbody(empty, generate_nbody(options, work));
                                  }),
                    options.tag());
}

}  // namespace equiframe::inline datasets
