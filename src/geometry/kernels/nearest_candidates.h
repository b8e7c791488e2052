// Lists of squared distances with the places of their points, filtered a register at a time.
#pragma once

#include "simd/lanes.h"

namespace equiframe::kernels::inline geometry {
namespace {

using Doubles = Lanes<double>;

/// Squared distances and places; both arrays may be read and written a register beyond `count`.
struct Candidates {
  double* squared;
  std::int32_t* places;
  std::int64_t count;
};

inline Doubles load(const double* from) {
  Doubles value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

#if defined(__AVX2__)

/// For each set of lanes: the 32-bit lanes of a register that hold it, moved to the front.
struct FrontTable {
  alignas(32) std::int32_t halves[16][8];
  alignas(16) std::int32_t lanes[16][4];
};

constexpr FrontTable front_table() {
  FrontTable table{};
  for (int set = 0; set < 16; ++set) {
    std::int32_t* half = table.halves[set];
    std::int32_t* place = table.lanes[set];
    for (int lane = 0; lane < 4; ++lane) {
      if (((set >> lane) & 1) == 0) continue;
      *half++ = 2 * lane;
      *half++ = 2 * lane + 1;
      *place++ = lane;
    }
  }
  return table;
}

constexpr FrontTable kFront = front_table();

/// Appends the lanes of `squared` that are at most `bound`; lane l has the place places[l].
inline void append_within(Doubles squared, Doubles bound, __m128i places, Candidates& kept) {
  const int set = _mm256_movemask_pd((__m256d)(squared <= bound));
  const __m256i halves = _mm256_load_si256(reinterpret_cast<const __m256i*>(kFront.halves[set]));
  const __m256 front = _mm256_permutevar8x32_ps((__m256)squared, halves);
  std::memcpy(kept.squared + kept.count, &front, sizeof front);
  const __m128i lanes = _mm_load_si128(reinterpret_cast<const __m128i*>(kFront.lanes[set]));
  const __m128i moved = (__m128i)_mm_permutevar_ps((__m128)places, lanes);
  std::memcpy(kept.places + kept.count, &moved, sizeof moved);
  kept.count += __builtin_popcount(static_cast<unsigned>(set));
}

/// The same for consecutive places.
inline void append_within(Doubles squared, Doubles bound, std::int32_t place, Candidates& kept) {
  append_within(squared, bound, _mm_set1_epi32(place) + _mm_set_epi32(3, 2, 1, 0), kept);
}

/// The same for four places in memory.
inline void append_within(Doubles squared, Doubles bound, const std::int32_t* places,
                          Candidates& kept) {
  append_within(squared, bound, _mm_loadu_si128(reinterpret_cast<const __m128i*>(places)), kept);
}

#else

inline void append_within(Doubles squared, Doubles bound, std::int32_t place, Candidates& kept) {
  for (int lane = 0; lane < kWidth<double>; ++lane) {
    kept.squared[kept.count] = squared[lane];
    kept.places[kept.count] = place + lane;
    kept.count += squared[lane] <= bound[lane] ? 1 : 0;
  }
}

inline void append_within(Doubles squared, Doubles bound, const std::int32_t* places,
                          Candidates& kept) {
  for (int lane = 0; lane < kWidth<double>; ++lane) {
    const std::int32_t place = places[lane];
    kept.squared[kept.count] = squared[lane];
    kept.places[kept.count] = place;
    kept.count += squared[lane] <= bound[lane] ? 1 : 0;
  }
}

#endif

/// Makes whole registers of the candidates: what is added is beyond any bound.
inline void pad(const Candidates& candidates) {
  const Doubles never = splat<Doubles>(__builtin_nan(""));
  std::memcpy(candidates.squared + candidates.count, &never, sizeof never);
}

/// How many of `count` numbers, padded to whole registers, are at most `bound`.
inline std::int64_t count_within(const double* values, std::int64_t count, double bound) {
  const Doubles bounds = splat<Doubles>(bound);
  Bits<Doubles> below{};
  for (std::int64_t i = 0; i < count; i += kWidth<double>) {
    below -= (Bits<Doubles>)(load(values + i) <= bounds);
  }
  std::int64_t total = 0;
  for (int lane = 0; lane < kWidth<double>; ++lane) total += std::int64_t(below[lane]);
  return total;
}

}  // namespace
}  // namespace equiframe::kernels::inline geometry
