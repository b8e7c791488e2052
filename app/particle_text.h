#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// Particles in CSV and JSON. No tensors here.
namespace equiframe::app {

inline constexpr int64_t kParticleNumbers = 7;
using Particle = std::array<double, kParticleNumbers>;  ///< x, y, z, vx, vy, vz, charge

struct TextSystems {
  std::vector<std::vector<Particle>> systems;
  std::vector<std::string> names;  ///< of the column `sample`; empty if there is none
};

/// `where` names the file in messages, which have the line.
TextSystems parse_csv(const std::string& text, const std::string& where);
TextSystems parse_json(const std::string& text, const std::string& where);

/// Of which type the shortest digits must give the number back.
enum class Digits { kFloat32, kFloat64 };

/// The first three numbers of each particle.
std::string csv_positions(const TextSystems& systems, Digits digits);
std::string json_positions(const TextSystems& systems, Digits digits);

}  // namespace equiframe::app
