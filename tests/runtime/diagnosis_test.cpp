#include "runtime/diagnosis.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace equiframe::runtime {
namespace {

Machine quiet_machine() {
  Machine m;
  m.cpu.avx2 = true;
  m.simd = kernels::SimdLevel::kAvx2;
  m.logical_cores = 2;
  m.usable_cores = 2;
  return m;
}

BlasReport openblas(RepairOutcome outcome, const std::string& before, const std::string& after) {
  BlasReport blas;
  blas.info.kind = BlasKind::kOpenBlas;
  blas.info.threading = BlasThreading::kPthreads;
  blas.info.kernel = after;
  blas.expected = "Zen";
  blas.repair = {outcome, before, after};
  blas.layer = {19.3, 62.7, 74.0};
  return blas;
}

BlasReport good_blas() {
  return openblas(RepairOutcome::kNotNeeded, "Zen", "Zen");
}

/// The only finding of a severity; the test fails if there is none or more than one.
Finding only(const std::vector<Finding>& findings, Severity severity) {
  std::vector<Finding> found;
  for (const Finding& f : findings) {
    if (f.severity == severity) found.push_back(f);
  }
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? Finding{} : found.front();
}

bool mentions(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

TEST(Diagnosis, OfAGoodMachineIsOneGoodFinding) {
  const auto findings = diagnose(quiet_machine(), good_blas(), {2, 2});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(mentions(only(findings, Severity::kOk).what, "right from the start"));
  EXPECT_TRUE(findings[0].fix.empty());
  EXPECT_TRUE(is_healthy(findings));
}

TEST(Diagnosis, OfARepairTellsBothSpeeds) {
  const auto blas = openblas(RepairOutcome::kRepaired, "Prescott", "Zen");
  const auto findings = diagnose(quiet_machine(), blas, {2, 2});
  const Finding f = only(findings, Severity::kOk);
  EXPECT_TRUE(mentions(f.what, "Prescott") && mentions(f.what, "19 -> 63 GFLOP/s")) << f.what;
  EXPECT_TRUE(mentions(f.fix, "OPENBLAS_CORETYPE=Zen")) << f.fix;
  EXPECT_TRUE(is_healthy(findings));
}

TEST(Diagnosis, OfAWrongKernelIsBadAndNamesTheFix) {
  const std::vector<std::pair<RepairOutcome, std::string>> cases{
      {RepairOutcome::kTurnedOff, "unset EQUIFRAME_BLAS_FIX"},
      {RepairOutcome::kUsersChoice, "unset OPENBLAS_CORETYPE"},
      {RepairOutcome::kTooLate, "export OPENBLAS_CORETYPE=Zen, or repair before threads start"},
      {RepairOutcome::kImpossible, "export OPENBLAS_CORETYPE=Zen"}};
  for (const auto& [outcome, fix] : cases) {
    const auto findings =
        diagnose(quiet_machine(), openblas(outcome, "Prescott", "Prescott"), {2, 2});
    EXPECT_EQ(only(findings, Severity::kBad).fix, fix);
    EXPECT_FALSE(is_healthy(findings));
  }
}

TEST(Diagnosis, OfTheReferenceBlasIsBad) {
  BlasReport blas;
  blas.info.kind = BlasKind::kNetlib;
  blas.layer = {4.5, 4.5, 74.0};
  const auto findings = diagnose(quiet_machine(), blas, {1, 1});
  EXPECT_EQ(only(findings, Severity::kBad).fix, "sudo apt-get install libopenblas0-pthread");
  EXPECT_FALSE(is_healthy(findings));
}

TEST(Diagnosis, OfASlowBlasOfUnknownKindIsAWarning) {
  BlasReport blas;
  blas.info.kind = BlasKind::kUnknown;
  blas.layer = {10.0, 10.0, 74.0};
  EXPECT_TRUE(mentions(only(diagnose(quiet_machine(), blas, {1, 1}), Severity::kWarn).what,
                       "10 GFLOP/s where oneDNN reaches 74"));
  blas.layer.after = 60.0;
  EXPECT_EQ(diagnose(quiet_machine(), blas, {1, 1}).size(), 1U);
}

TEST(Diagnosis, WarnsOfOpenMpOpenBlasWithThreads) {
  BlasReport blas = good_blas();
  blas.info.threading = BlasThreading::kOpenMp;
  EXPECT_TRUE(
      mentions(only(diagnose(quiet_machine(), blas, {2, 2}), Severity::kWarn).what, "OpenMP"));
  EXPECT_EQ(diagnose(quiet_machine(), blas, {1, 1}).size(), 1U);
}

TEST(Diagnosis, WarnsOfMoreThreadsThanCores) {
  const Finding f = only(diagnose(quiet_machine(), good_blas(), {2, 64}), Severity::kWarn);
  EXPECT_TRUE(mentions(f.what, "64 threads on 2 usable cores")) << f.what;
  EXPECT_TRUE(mentions(f.fix, "OPENBLAS_NUM_THREADS=2")) << f.fix;
}

TEST(Diagnosis, WarnsOfMoreThreadsAskedForThanCores) {
  const Finding f =
      only(diagnose(quiet_machine(), good_blas(), {2, 2}, {999, {}}), Severity::kWarn);
  EXPECT_TRUE(mentions(f.what, "999 threads on 2 usable cores; 2 are used")) << f.what;
  EXPECT_TRUE(mentions(f.fix, "OMP_NUM_THREADS=2")) << f.fix;
  EXPECT_EQ(diagnose(quiet_machine(), good_blas(), {2, 2}, {2, 1}).size(), 1U);
}

TEST(Diagnosis, NamesTheNanFaultApartFromTheSpeed) {
  BlasReport blas = openblas(RepairOutcome::kUsersChoice, "Prescott", "Prescott");
  blas.nan = {true, true};
  const auto findings = diagnose(quiet_machine(), blas, {2, 2});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[1].severity, Severity::kBad);
  EXPECT_TRUE(mentions(findings[1].what, "one matrix product with NaN")) << findings[1].what;
  EXPECT_EQ(findings[1].fix, "unset OPENBLAS_CORETYPE");
  BlasReport unknown;
  unknown.info.kind = BlasKind::kUnknown;
  unknown.nan = {true, true};
  EXPECT_FALSE(only(diagnose(quiet_machine(), unknown, {1, 1}), Severity::kBad).fix.empty());
}

TEST(Diagnosis, OfARepairTellsOfTheNanFaultForOtherPrograms) {
  BlasReport blas = openblas(RepairOutcome::kRepaired, "Prescott", "Zen");
  blas.nan = {true, false};
  const auto findings = diagnose(quiet_machine(), blas, {2, 2});
  EXPECT_TRUE(
      mentions(only(findings, Severity::kOk).what, "with the old kernel one matrix product"));
  EXPECT_TRUE(is_healthy(findings));
}

TEST(Diagnosis, WarnsOfABusyMachine) {
  Machine m = quiet_machine();
  m.load_average = 1.4;
  EXPECT_TRUE(
      mentions(only(diagnose(m, good_blas(), {2, 2}), Severity::kWarn).fix, "OMP_NUM_THREADS=1"));
  EXPECT_TRUE(only(diagnose(m, good_blas(), {1, 1}), Severity::kWarn).fix.empty());
}

TEST(Diagnosis, WarnsOfMissingSimd) {
  Machine m = quiet_machine();
  m.simd = kernels::SimdLevel::kBaseline;
  EXPECT_EQ(only(diagnose(m, good_blas(), {1, 1}), Severity::kWarn).fix, "unset EQUIFRAME_SIMD");
  m.cpu.avx2 = false;
  EXPECT_EQ(only(diagnose(m, good_blas(), {1, 1}), Severity::kWarn).fix, "");
}

}  // namespace
}  // namespace equiframe::runtime
