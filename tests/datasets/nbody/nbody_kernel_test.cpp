#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "datasets/nbody/kernels/nbody_steps.h"
#include "datasets/nbody/kernels/numpy_random.h"
#include "equiframe/datasets/nbody_simulator.h"
#include "tests/datasets/nbody/nbody_reference.h"

namespace equiframe::kernels {
namespace {

using reference::Numbers;

struct Result {
  Numbers locations, velocities, edges, charges;
  bool operator==(const Result&) const = default;
};

Result buffers(const NBodySystem& system, std::int64_t count) {
  const std::int64_t n = system.particles;
  const auto saved = static_cast<size_t>(count * frames(system) * 3 * n);
  return {Numbers(saved), Numbers(saved), Numbers(static_cast<size_t>(count * n * n)),
          Numbers(static_cast<size_t>(count * n))};
}

NBodyTrajectories view(Result& result) {
  return {result.locations.data(), result.velocities.data(), result.edges.data(),
          result.charges.data()};
}

Result run(const NBodySystem& system, std::int64_t count, int threads = 1) {
  Result result = buffers(system, count);
  simulate(system, 43, count, view(result), {.threads = threads});
  return result;
}

NBodySystem shortened(NBodySystem system, std::int64_t steps, std::int64_t sampling) {
  system.steps = steps;
  system.sampling = sampling;
  return system;
}

/// Values of seed 43 as docs/data/nbody.md lists them.
TEST(NBody, GivesTheRecordedTrajectoryToTheBit) {
  const Result result = run(charged_particles(5), 3);
  const Numbers charges{-1, 1, -1, -1, -1, 1, -1, 1, 1, 1, 1, 1, -1, -1, 1};
  EXPECT_EQ(result.charges, charges);
  const auto row = [](const Numbers& values, size_t frame, size_t axis) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>((frame * 3 + axis) * 5);
    return Numbers(first, first + 5);
  };
  EXPECT_EQ(row(result.locations, 30, 0),
            (Numbers{2.9891163171666544, 0.06995112699588885, -0.9238757220079806,
                     0.39209455813395777, -0.05206918373568536}));
  EXPECT_EQ(row(result.locations, 30, 1),
            (Numbers{1.7693701204465264, 0.11228359246329143, 0.6131790103121225,
                     0.2990995581732749, -2.6627322017803485}));
  EXPECT_EQ(row(result.locations, 30, 2),
            (Numbers{-1.1712942795381607, 1.3656530512661238, 1.3339073366756828,
                     -1.7798811766294886, -1.750437401229195}));
  EXPECT_EQ(row(result.velocities, 30, 0),
            (Numbers{1.1338110406668447, -0.05706470405498456, -0.2253070079645365,
                     -0.1894013094664312, 0.07705715020473143}));
  EXPECT_EQ(row(result.locations, 40, 0),
            (Numbers{4.1654998367653935, -0.5493223151273593, -0.5968713104813159,
                     0.1792910458226911, 0.015715008959057947}));
  EXPECT_EQ(row(result.locations, 40, 1),
            (Numbers{2.1913091384156553, 0.5470967935414504, 0.3929619146517858, 0.6260655409675044,
                     -3.516546495348085}));
  EXPECT_EQ(row(result.locations, 40, 2),
            (Numbers{-1.382618802360046, 1.807787364448908, 1.905819621015316, -2.52487066395949,
                     -2.320726591409393}));
}

struct Case {
  Interaction interaction;
  std::int64_t particles;
};

class NBodyCases : public testing::TestWithParam<Case> {
 protected:
  NBodySystem system() const {
    const auto [interaction, n] = GetParam();
    return shortened(interaction == Interaction::kCharged ? charged_particles(n) : springs(n), 400,
                     50);
  }
};

TEST_P(NBodyCases, EqualTheReferenceToTheBit) {
  const NBodySystem s = system();
  const auto n = static_cast<size_t>(s.particles);
  const std::int64_t count = 3;
  const Result result = run(s, count);
  NumpyRandom random(43);
  for (size_t item = 0; item < static_cast<size_t>(count); ++item) {
    for (size_t k = 0; k < (s.interaction == Interaction::kCharged ? n : n * n); ++k)
      random.uniform();
    Numbers x(3 * n), v(3 * n);
    for (double& value : x) value = random.normal() * s.spread;
    for (double& value : v) value = random.normal();
    for (size_t i = 0; i < n; ++i) {
      const double length =
          std::sqrt((v[i] * v[i] + v[n + i] * v[n + i]) + v[2 * n + i] * v[2 * n + i]);
      for (size_t axis = 0; axis < 3; ++axis) v[axis * n + i] = v[axis * n + i] * s.speed / length;
    }
    const auto expected = reference::follow(s, x, v, result.edges.data() + item * n * n);
    const size_t saved = expected.locations.size();
    for (size_t k = 0; k < saved; ++k) {
      ASSERT_EQ(result.locations[item * saved + k], expected.locations[k]) << item << " " << k;
      ASSERT_EQ(result.velocities[item * saved + k], expected.velocities[k]) << item << " " << k;
    }
    for (size_t k = 0; k < 2 * saved; ++k) random.normal();
  }
}

/// 13 trajectories fill no register evenly.
TEST_P(NBodyCases, SimdLevelsAgreeToTheBit) {
  const NBodySystem s = system();
  const std::int64_t count = 13, n = s.particles;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Numbers x(static_cast<size_t>(count * 3 * n)), v(x.size());
  for (Numbers* values : {&x, &v}) {
    for (double& value : *values) value = normal(random);
  }
  const Numbers edges = run(s, count).edges;
  const auto at_level = [&](SimdLevel level) {
    Result result = buffers(s, count);
    result.edges = edges;
    Table<NBodyKernels>::at(level).integrate(s, {x.data(), v.data()}, view(result), 0, count);
    return result;
  };
  const Result baseline = at_level(SimdLevel::kBaseline);
  for (const SimdLevel level : {SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level > highest_simd_level()) continue;
    EXPECT_TRUE(baseline == at_level(level)) << name(level);
  }
}

/// Both partners of a pair feel the same force, so momentum stays; clipping, which breaks this, is
/// out of the reach of weak forces.
TEST_P(NBodyCases, KeepMomentum) {
  NBodySystem s = system();
  s.strength *= 1e-3;
  const auto n = static_cast<size_t>(s.particles);
  const Result result = run(s, 4);
  const size_t saved = static_cast<size_t>(frames(s)) * 3 * n;
  for (size_t item = 0; item < 4; ++item) {
    for (size_t axis = 0; axis < 3; ++axis) {
      double first = 0, last = 0;
      for (size_t i = 0; i < n; ++i) {
        first += result.velocities[item * saved + axis * n + i];
        last += result.velocities[(item + 1) * saved - (3 - axis) * n + i];
      }
      EXPECT_NEAR(first, last, 1e-12 * static_cast<double>(n * n));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Systems, NBodyCases,
    testing::Values(Case{Interaction::kCharged, 1}, Case{Interaction::kCharged, 2},
                    Case{Interaction::kCharged, 5}, Case{Interaction::kCharged, 7},
                    Case{Interaction::kCharged, 8}, Case{Interaction::kCharged, 21},
                    Case{Interaction::kSprings, 5}, Case{Interaction::kSprings, 11}),
    [](const auto& param) {
      return std::string(param.param.interaction == Interaction::kCharged ? "Charged" : "Springs") +
             std::to_string(param.param.particles);
    });

/// The largest pair distances of the benchmark lie well inside.
TEST(NBody, PowerIsTheLibrarysToTheBit) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-9, 6);
  Numbers x(1'500'000);
  for (double& value : x) value = std::pow(10, exponent(random));
  for (int k = -60; k <= 60; ++k) x.push_back(std::ldexp(1.0, k));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double odd : {0.0, -0.0, -1e-17, -1.0, 1e-300, 5e-324, 1e300, kInfinity, std::nan("")})
    x.push_back(odd);
  for (const SimdLevel level : {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level > highest_simd_level()) continue;
    Numbers result(x.size());
    Table<NBodyKernels>::at(level).power_three_halves(static_cast<std::int64_t>(x.size()), x.data(),
                                                      result.data());
    size_t wrong = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      const double expected = std::pow(x[k], 1.5);
      wrong += result[k] == expected || (std::isnan(expected) && std::isnan(result[k])) ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0u) << name(level);
  }
}

TEST(NBody, ThreadsDoNotChangeTheResult) {
  const NBodySystem s = shortened(charged_particles(5), 100, 10);
  const Result one = run(s, 333);
  for (const int threads : {2, 3, 16}) EXPECT_TRUE(one == run(s, 333, threads)) << threads;
}

TEST(NBody, FrameZeroIsTheFirstSampleNotTheInitialState) {
  const NBodySystem fine = shortened(charged_particles(5), 400, 50);
  const NBodySystem coarse = shortened(charged_particles(5), 400, 100);
  EXPECT_EQ(frames(charged_particles(5)), 49);
  const Result often = run(fine, 1), seldom = run(coarse, 1);
  for (size_t k = 0; k < 15; ++k) EXPECT_EQ(seldom.locations[k], often.locations[15 + k]);
}

/// A draw is a draw whether it is used or not: the second trajectory starts at the same place.
TEST(NBody, NoiseLeavesTheTrajectoriesAlone) {
  const NBodySystem clean = shortened(charged_particles(5), 2000, 20);
  NBodySystem noisy = clean;
  noisy.noise = 0.01;
  const Result a = run(clean, 8), b = run(noisy, 8);
  EXPECT_EQ(a.charges, b.charges);
  double square = 0;
  for (size_t k = 0; k < a.locations.size(); ++k)
    square += std::pow(a.locations[k] - b.locations[k], 2);
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(a.locations.size())), 0.01, 0.0005);
}

TEST(NBody, SpringsAreSymmetricAndFollowTheProbabilities) {
  NBodySystem s = shortened(springs(6), 20, 10);
  s.probabilities = {0.2, 0.5, 0.3};
  const Result result = run(s, 500);
  std::array<int, 3> seen{};
  for (size_t item = 0; item < 500; ++item) {
    const double* k = result.edges.data() + item * 36;
    for (size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(k[i * 7], 0.0);
      for (size_t j = 0; j < i; ++j) {
        EXPECT_EQ(k[i * 6 + j], k[j * 6 + i]);
        ++seen[static_cast<size_t>(2 * k[i * 6 + j])];
      }
    }
  }
  EXPECT_NEAR(seen[0] / 7500.0, 0.2, 0.02);
  EXPECT_NEAR(seen[1] / 7500.0, 0.5, 0.02);
  EXPECT_NEAR(seen[2] / 7500.0, 0.3, 0.02);
  EXPECT_EQ(result.charges, Numbers(3000, 0.0));
}

TEST(NBody, InitialStatesAreReflectedIntoTheBox) {
  NBodySystem s = shortened(charged_particles(5), 2, 1);
  s.box = 1;
  s.strength = 0;
  s.dt = 1e-9;
  const Result result = run(s, 100);
  const auto largest = *std::max_element(result.locations.begin(), result.locations.end());
  EXPECT_GT(largest, 0.9);
  EXPECT_LT(std::count_if(result.locations.begin(), result.locations.end(),
                          [](double x) { return std::abs(x) > 1.001; }),
            15);  // beyond three boxes one reflection is not enough
}

TEST(NBody, TellsProgressAndLetsTheCallerStop) {
  const NBodySystem s = shortened(charged_particles(5), 20, 10);
  Result result = buffers(s, 300);
  std::vector<std::int64_t> seen;
  simulate(s, 1, 300, view(result),
           {.threads = 2, .progress = [&](std::int64_t done) { seen.push_back(done); }});
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 300);
  const auto stop = [](std::int64_t) { throw std::domain_error("enough"); };
  EXPECT_THROW(simulate(s, 1, 300, view(result), {.threads = 2, .progress = stop}),
               std::domain_error);
}

TEST(NBody, RefusesSystemsThatMakeNoSense) {
  const auto refuses = [](auto change) {
    NBodySystem s = charged_particles(5);
    change(s);
    EXPECT_THROW(check(s), std::invalid_argument);
  };
  check(charged_particles(5));
  check(springs(5));
  refuses([](NBodySystem& s) { s.particles = 0; });
  refuses([](NBodySystem& s) { s.sampling = 0; });
  refuses([](NBodySystem& s) { s.sampling = 300; });
  refuses([](NBodySystem& s) { s.sampling = 5000; });
  refuses([](NBodySystem& s) { s.dt = 0; });
  refuses([](NBodySystem& s) { s.noise = -1; });
  refuses([](NBodySystem& s) { s.strength = std::nan(""); });
  refuses([](NBodySystem& s) { s.probabilities = {0.5, 0.5, 0.5}; });
}

}  // namespace
}  // namespace equiframe::kernels
