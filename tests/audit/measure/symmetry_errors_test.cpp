#include "audit/measure/symmetry_errors.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/audit/broken_models.h"

namespace equiframe::audit_test {
namespace {

using audit::MeasureOptions;
using audit::Part;
using audit::SymmetryErrors;

std::vector<SymmetryErrors> measured(const ScriptCase& script, const MeasureOptions& options = {}) {
  const auto subject = subject_of(script);
  return audit::measure_symmetry(*subject, audit::probe_inputs(*subject, options), options);
}

TEST(SymmetryErrors, RoundingIsAllOfASoundModel) {
  for (const SymmetryErrors& errors : measured(sound_vector())) {
    ASSERT_TRUE(errors.measured);
    EXPECT_EQ(errors.claimed, errors.part != Part::kPermutation);
    EXPECT_LT(errors.float64.max, 1e-13) << to_string(errors.part);
    EXPECT_LT(errors.float32.max, audit::kRoundings * errors.rounding32) << to_string(errors.part);
    EXPECT_EQ(errors.errors64.size(0), 8 * 25);
  }
}

TEST(SymmetryErrors, AreOrderedAndTheWorstIsTheLargest) {
  const auto all = measured(plain_coordinates());
  const SymmetryErrors& rotation = all[static_cast<size_t>(Part::kRotation)];
  EXPECT_GT(rotation.float64.median, 0);
  EXPECT_LE(rotation.float64.median, rotation.float64.p99);
  EXPECT_LE(rotation.float64.p99, rotation.float64.max);
  EXPECT_DOUBLE_EQ(rotation.worst.error, rotation.float64.max);
  const Tensor apart = rotation.worst.moved_first[0] - rotation.worst.moved_after[0];
  EXPECT_GT(apart.abs().max().item<double>(), 0);
}

TEST(SymmetryErrors, ComeOutAgain) {
  const auto a = measured(plain_coordinates()), b = measured(plain_coordinates());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].errors64.equal(b[i].errors64));
  MeasureOptions other;
  other.seed = 2;
  EXPECT_FALSE(measured(plain_coordinates(), other)[1].errors64.equal(a[1].errors64));
}

TEST(SymmetryErrors, NaNIsNotExact) {
  ScriptCase script = sound_scalar();
  script.source = "def forward(self, x):\n    return (x - x).sum([1, 2]) / (x - x).sum([1, 2])\n";
  EXPECT_EQ(measured(script)[0].float64.max, INFINITY);
}

TEST(SymmetryErrors, WhatMovesNothingIsNotMeasured) {
  ScriptCase script = sound_vector();
  script.in = "vector";
  const auto all = measured(script);
  EXPECT_FALSE(all[static_cast<size_t>(Part::kTranslation)].measured);
  EXPECT_NE(all[0].reason.find("no input is a point"), std::string::npos);
  const auto graph = measured(sound_graph());
  EXPECT_FALSE(graph[static_cast<size_t>(Part::kRotation)].measured);
  EXPECT_TRUE(graph[static_cast<size_t>(Part::kPermutation)].claimed);
  EXPECT_LT(graph[static_cast<size_t>(Part::kPermutation)].float64.max, 1e-12);
}

TEST(SymmetryErrors, AModelOfFloat32OnlyIsMeasuredInFloat32) {
  ScriptCase script = sound_vector();
  script.source =
      "def forward(self, x):\n"
      "    return torch.matmul(x - x.mean(1, True), torch.ones([3, 3]))\n";
  const auto all = measured(script);
  EXPECT_FALSE(all[0].has_float64);
  EXPECT_LT(all[static_cast<size_t>(Part::kTranslation)].float32.max, 1e-5);
  EXPECT_GT(all[static_cast<size_t>(Part::kRotation)].float32.max, 0.1);
}

TEST(SymmetryErrors, SummariesAreQuantiles) {
  const auto summary = audit::summarise(torch::arange(1, 201, torch::kFloat64).flip(0));
  EXPECT_EQ(summary.median, 100);
  EXPECT_EQ(summary.p99, 198);
  EXPECT_EQ(summary.max, 200);
}

TEST(SymmetryErrors, FewerDigitsInsideThanOutsideAreSeen) {
  // The variance by E[x^2] - E[x]^2 a hundred units from the origin: exact, but not in float32.
  ScriptCase script = sound_scalar();
  script.source =
      "def forward(self, x):\n"
      "    y = x - x.mean(1, True) + 300.0\n"
      "    return ((y * y).mean(1) - y.mean(1) * y.mean(1)).sum(1)\n";
  const SymmetryErrors rotation = measured(script)[static_cast<size_t>(Part::kRotation)];
  EXPECT_LT(rotation.float64.max, 1e-9);
  EXPECT_GT(rotation.float32.max, audit::kRoundings * rotation.rounding32);
}

}  // namespace
}  // namespace equiframe::audit_test
