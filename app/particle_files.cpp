#include "particle_files.h"

#include <cmath>
#include <map>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "io/bytes/input_file.h"
#include "particle_text.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

/// Pads systems of different sizes to one batch.
Batch to_batch(const std::vector<std::vector<Particle>>& systems) {
  size_t nodes = 0;
  bool equal = true;
  for (const auto& system : systems) {
    nodes = std::max(nodes, system.size());
    equal = equal && system.size() == systems.front().size();
  }
  const auto b = static_cast<int64_t>(systems.size()), n = static_cast<int64_t>(nodes);
  Batch batch(torch::zeros({b, n, kParticleNumbers}, torch::kFloat64));
  if (!equal) batch.mask = torch::zeros({b, n}, torch::kBool);
  auto x = batch.x.accessor<double, 3>();
  for (int64_t i = 0; i < b; ++i) {
    const auto& system = systems[static_cast<size_t>(i)];
    for (size_t j = 0; j < system.size(); ++j) {
      const auto node = static_cast<int64_t>(j);
      for (int64_t k = 0; k < kParticleNumbers; ++k)
        x[i][node][k] = system[j][static_cast<size_t>(k)];
      if (batch.mask.defined()) batch.mask[i][node] = true;
    }
  }
  return batch;
}

ParticleSystems from_text(const fs::path& file, TextSystems text) {
  ParticleSystems result;
  if (text.systems.empty()) throw UserError(file.string() + ": there are no particles in it");
  for (size_t i = 0; i < text.systems.size(); ++i) {
    const size_t size = text.systems[i].size();
    if (size < 2)
      throw UserError(file.string() + ": sample " +
                      (text.names.empty() ? std::to_string(i) : text.names[i]) + " has " +
                      std::to_string(size) + " particle; at least 2 are needed");
    result.sizes.push_back(static_cast<int64_t>(size));
  }
  result.batch = to_batch(text.systems);
  result.names = std::move(text.names);
  return result;
}

ParticleSystems from_npy(const fs::path& file) {
  Tensor x = read_npy(file).to(torch::kFloat64);
  ParticleSystems result;
  result.one_array = x.dim() == 2;
  if (result.one_array) x = x.unsqueeze(0);
  if (x.dim() != 3 || x.size(2) != kParticleNumbers || x.size(0) == 0 || x.size(1) < 2)
    throw UserError(c10::str(file.string(), ": the array has shape ", x.sizes(),
                             "; [systems, particles, 7] or [particles, 7] is needed, with at least "
                             "2 particles"));
  const Tensor bad = x.isfinite().logical_not().nonzero();
  if (bad.size(0) > 0)
    throw UserError(c10::str(file.string(), ": the number at index [", bad[0][0].item<int64_t>(),
                             ", ", bad[0][1].item<int64_t>(), ", ", bad[0][2].item<int64_t>(),
                             "] is not finite"));
  result.batch = Batch(x);
  result.sizes.assign(static_cast<size_t>(x.size(0)), x.size(1));
  return result;
}

}  // namespace

ParticleFormat particle_format(const fs::path& file) {
  const std::string end = file.extension().string();
  if (end == ".csv") return ParticleFormat::kCsv;
  if (end == ".json") return ParticleFormat::kJson;
  if (end == ".npy") return ParticleFormat::kNpy;
  throw UserError("cannot tell the format of '" + file.string() +
                  "' by its name; use .csv, .json or .npy");
}

ParticleSystems read_particles(const fs::path& file) {
  switch (particle_format(file)) {
    case ParticleFormat::kCsv:
      return from_text(file, parse_csv(read_whole_file(file), file.string()));
    case ParticleFormat::kJson:
      return from_text(file, parse_json(read_whole_file(file), file.string()));
    case ParticleFormat::kNpy:
      break;
  }
  return from_npy(file);
}

std::string positions_text(const ParticleSystems& systems, const Tensor& positions,
                           ParticleFormat format) {
  TextSystems text;
  text.names = systems.names;
  const Tensor wide = positions.to(torch::kFloat64).contiguous();
  const auto p = wide.accessor<double, 3>();
  for (size_t i = 0; i < systems.sizes.size(); ++i) {
    auto& system = text.systems.emplace_back();
    for (int64_t j = 0; j < systems.sizes[i]; ++j) {
      const auto item = static_cast<int64_t>(i);
      system.push_back({p[item][j][0], p[item][j][1], p[item][j][2]});
    }
  }
  const bool single = positions.scalar_type() == torch::kFloat32;
  const Digits digits = single ? Digits::kFloat32 : Digits::kFloat64;
  return format == ParticleFormat::kJson ? json_positions(text, digits)
                                         : csv_positions(text, digits);
}

Tensor positions_array(const ParticleSystems& systems, const Tensor& positions) {
  if (systems.batch.mask.defined())
    throw UserError(
        "the systems have different sizes, which one array cannot hold; write .csv or "
        ".json");
  return systems.one_array ? positions.squeeze(0) : positions;
}

}  // namespace equiframe::app
