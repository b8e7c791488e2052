#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "child_process.h"
#include "equiframe/runtime/blas.h"
#include "equiframe/runtime/threads.h"
#include "gemm_reference.h"

namespace equiframe::runtime {
namespace {

using testing::ChildResult;
using testing::expect_right_products;
using testing::run_child_test;

/// Whether OPENBLAS_CORETYPE=Prescott makes the loaded BLAS look misdetected on this processor.
/// Where it does not (another BLAS, or a processor without AVX) nothing must be touched.
bool can_be_misdetected() {
  return blas_info().kind == BlasKind::kOpenBlas && !expected_core().empty();
}

void expect_untouched(const BlasRepair& repair, const BlasInfo& before) {
  EXPECT_EQ(repair.outcome, RepairOutcome::kNotNeeded);
  EXPECT_EQ(repair.before, repair.after);
  EXPECT_EQ(blas_info().kernel, before.kernel);
}

/// Both precisions, and with two threads as well where the library has them.
void expect_blas_is_right() {
  expect_right_products<float>();
  expect_right_products<double>();
  set_blas_threads(2);
  expect_right_products<float>();
  expect_right_products<double>();
}

void expect_repaired(const BlasRepair& repair, RepairOutcome outcome) {
  EXPECT_EQ(repair.outcome, outcome);
  EXPECT_EQ(repair.before, "Prescott");
  EXPECT_EQ(repair.after, expected_core());
  EXPECT_EQ(blas_info().kernel, expected_core());
  EXPECT_FALSE(is_misdetected(blas_info()));
}

// The tests of this suite run in child processes only, started by the ones below.

TEST(BlasRepairChild, DISABLED_Repairs) {
  const BlasInfo before = blas_info();
  const BlasRepair repair = use_fast_blas();
  if (!can_be_misdetected()) return expect_untouched(repair, before);
  EXPECT_EQ(before.kernel, "Prescott");
  expect_repaired(repair, RepairOutcome::kRepaired);
  EXPECT_EQ(blas_info().threads, before.threads);
  EXPECT_STREQ(std::getenv("OPENBLAS_CORETYPE"), "Prescott") << "the environment must be put back";
  EXPECT_EQ(use_fast_blas().before, "Prescott") << "later calls tell of the first";
  expect_blas_is_right();
}

TEST(BlasRepairChild, DISABLED_RepairsAfterUse) {
  if (!can_be_misdetected()) return expect_untouched(use_fast_blas(), blas_info());
  expect_blas_is_right();
  expect_repaired(use_fast_blas(), RepairOutcome::kRepaired);
  expect_blas_is_right();
}

TEST(BlasRepairChild, DISABLED_Restarts) {
  const BlasInfo before = blas_info();
  const BlasRepair repair = use_fast_blas(testing::own_arguments());
  if (!can_be_misdetected()) return expect_untouched(repair, before);
  expect_repaired(repair, RepairOutcome::kRestarted);
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr) << "children must choose for themselves";
  expect_blas_is_right();
}

TEST(BlasRepairChild, DISABLED_CannotRestartWithoutArguments) {
  const BlasInfo before = blas_info();
  const BlasRepair repair = use_fast_blas();
  if (!can_be_misdetected()) return expect_untouched(repair, before);
  EXPECT_EQ(repair.outcome, RepairOutcome::kImpossible);
  EXPECT_EQ(blas_info().kernel, "Prescott");
}

TEST(BlasRepairChild, DISABLED_IsTurnedOff) {
  const BlasInfo before = blas_info();
  const BlasRepair repair = use_fast_blas();
  if (!can_be_misdetected()) return expect_untouched(repair, before);
  EXPECT_EQ(repair.outcome, RepairOutcome::kTurnedOff);
  EXPECT_EQ(repair.after, "Prescott");
  EXPECT_EQ(blas_info().kernel, "Prescott");
}

TEST(BlasRepairChild, DISABLED_RespectsTheUser) {
  const BlasInfo before = blas_info();
  const BlasRepair repair = use_fast_blas();
  if (!can_be_misdetected()) return expect_untouched(repair, before);
  EXPECT_EQ(repair.outcome, RepairOutcome::kUsersChoice);
  EXPECT_EQ(blas_info().kernel, "Prescott");
}

void expect_child_passes(const std::string& name, const std::vector<std::string>& variables) {
  const ChildResult child = run_child_test("BlasRepairChild.DISABLED_" + name, variables);
  EXPECT_EQ(child.exit_code, 0) << child.output;
  EXPECT_NE(child.output.find("[  PASSED  ] 1 test"), std::string::npos) << child.output;
}

const std::string kPrescott = "OPENBLAS_CORETYPE=Prescott";

TEST(BlasRepair, SwitchesTheKernelAndProductsStayRight) {
  expect_child_passes("Repairs", {kPrescott, "EQUIFRAME_BLAS_FIX=force"});
}

TEST(BlasRepair, WorksAfterTheSlowKernelWasUsed) {
  expect_child_passes("RepairsAfterUse", {kPrescott, "EQUIFRAME_BLAS_FIX=force"});
}

TEST(BlasRepair, FallsBackToARestart) {
  expect_child_passes("Restarts", {kPrescott, "EQUIFRAME_BLAS_FIX=restart"});
}

TEST(BlasRepair, OfALibraryNeverRestarts) {
  expect_child_passes("CannotRestartWithoutArguments", {kPrescott, "EQUIFRAME_BLAS_FIX=restart"});
}

TEST(BlasRepair, CanBeTurnedOff) {
  expect_child_passes("IsTurnedOff", {kPrescott, "EQUIFRAME_BLAS_FIX=0"});
}

TEST(BlasRepair, LeavesAnExplicitChoiceAlone) {
  expect_child_passes("RespectsTheUser", {kPrescott});
}

TEST(BlasInfo, DescribesWhatIsLoaded) {
  const BlasInfo blas = blas_info();
  EXPECT_EQ(blas.kind == BlasKind::kNone, blas.library.empty());
  if (blas.kind != BlasKind::kOpenBlas) return;
  EXPECT_FALSE(blas.kernel.empty());
  EXPECT_NE(blas.config.find(blas.kernel), std::string::npos) << blas.config;
  EXPECT_NE(blas.threading, BlasThreading::kUnknown);
  EXPECT_GE(blas.threads, 1);
}

TEST(SwitchKernel, LeavesTheKernelIfTheLibraryLacksTheOther) {
  const BlasInfo before = blas_info();
  const std::optional<std::string> kernel = switch_kernel("NoSuchCore");
  EXPECT_EQ(kernel.value_or(before.kernel), before.kernel);
  EXPECT_EQ(blas_info().kernel, before.kernel);
}

}  // namespace
}  // namespace equiframe::runtime
