#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "equiframe/core/batch.h"

namespace equiframe::app {

enum class ParticleFormat { kCsv, kJson, kNpy };

/// By the end of the name: .csv, .json or .npy. Throws UserError for others.
ParticleFormat particle_format(const std::filesystem::path& file);

/// Systems of particles as a user wrote them.
struct ParticleSystems {
  Batch batch;                     ///< x [B, N, 7] float64; mask [B, N] if the sizes differ
  std::vector<int64_t> sizes;      ///< particles of each system
  std::vector<std::string> names;  ///< of the column `sample`; empty if there is none
  bool one_array = false;          ///< a .npy file of shape [N, 7]: one system, no axis for it
};

/// Reads x, y, z, vx, vy, vz, charge of each particle. Throws UserError with the line (or sample)
/// for numbers that are missing, unreadable or not finite, and for systems of fewer than two.
///
/// | .csv  | a line a particle, header optional, a first column `sample` names its system   |
/// | .json | {"samples": [{"positions": [[x, y, z], ...], "velocities": ..., "charges": ...}]} |
/// | .npy  | [B, N, 7] or [N, 7]                                                            |
ParticleSystems read_particles(const std::filesystem::path& file);

/// The positions [B, N, 3] as text (.csv, .json), shortest digits that give the same number.
std::string positions_text(const ParticleSystems& systems, const Tensor& positions,
                           ParticleFormat format);

/// The positions as an array for .npy, [B, N, 3] or [N, 3]; UserError if the sizes differ.
Tensor positions_array(const ParticleSystems& systems, const Tensor& positions);

}  // namespace equiframe::app
