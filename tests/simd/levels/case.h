// What every kernel family makes of some inputs at a level. levels_test.cpp compares the levels of
// this machine, tests/kernels_alone compares this machine with another. No LibTorch, no GoogleTest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "simd/cpu.h"

namespace equiframe::kernels::levels {

/// One array of results.
struct Output {
  std::string name;
  double rounding;  ///< half a unit of the type it was computed in, relative
  std::vector<double> values;
};

template <class T>
Output output(const std::string& name, const std::vector<T>& values) {
  const bool is_float = sizeof(T) == sizeof(float);
  return {name + (is_float ? " f32" : ""),
          is_float ? 0x1p-24 : 0x1p-53,
          {values.begin(), values.end()}};
}

struct Case {
  std::string family;  ///< the stem of its source
  double roundings;    ///< that levels may differ by, see `difference`; 0: not in a bit
  std::vector<std::vector<Output> (*)(SimdLevel level)> parts;

  std::vector<Output> run(SimdLevel level) const {
    std::vector<Output> all;
    for (const auto part : parts)
      for (Output& one : part(level)) all.push_back(std::move(one));
    return all;
  }
};

std::vector<Case> cases();
/// Of one room each.
std::vector<Case> linalg_cases();
std::vector<Case> geometry_cases();
std::vector<Case> nn_cases();
std::vector<Case> message_cases();
std::vector<Case> steerable_cases();
std::vector<Case> normals_cases();
std::vector<Case> nbody_cases();

/// The largest difference over the largest number of `expected`, in roundings; infinite where the
/// arrays do not match or only one is NaN.
double difference(const Output& expected, const Output& found);

/// Numbers that are the same on every processor.
class Draws {
 public:
  explicit Draws(std::uint32_t seed) : words_(seed) {}

  /// In [-1, 1), with 20 random bits.
  double number() { return static_cast<double>(words_() >> 12) / 0x1p19 - 1; }
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(words_() % static_cast<std::uint64_t>(count));
  }

  template <class T>
  std::vector<T> numbers(std::int64_t count, double scale = 1) {
    std::vector<T> all(static_cast<std::size_t>(count));
    for (T& x : all) x = static_cast<T>(scale * number());
    return all;
  }

 private:
  std::mt19937 words_;
};

}  // namespace equiframe::kernels::levels
