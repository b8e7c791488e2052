#include <cstdlib>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/blas_info.h"
#include "runtime/threads.h"
#include "tests/runtime/gemm_reference.h"
#include "tests/support/wrong_kernel.h"

namespace equiframe::runtime {
namespace {

using test_support::ChildResult;
using test_support::run_child_test;
using testing::expect_right_products;

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
  EXPECT_EQ(before.kernel, "Prescott");
  expect_repaired(use_fast_blas(), RepairOutcome::kRepaired);
  EXPECT_EQ(blas_info().threads, before.threads);
  EXPECT_STREQ(std::getenv("OPENBLAS_CORETYPE"), "Prescott") << "the environment must be put back";
  EXPECT_EQ(use_fast_blas().before, "Prescott") << "later calls tell of the first";
  expect_blas_is_right();
}

TEST(BlasRepairChild, DISABLED_RepairsAfterUse) {
  expect_blas_is_right();
  expect_repaired(use_fast_blas(), RepairOutcome::kRepaired);
  expect_blas_is_right();
}

TEST(BlasRepairChild, DISABLED_Restarts) {
  expect_repaired(use_fast_blas(test_support::own_arguments()), RepairOutcome::kRestarted);
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr) << "children must choose for themselves";
  expect_blas_is_right();
}

TEST(BlasRepairChild, DISABLED_CannotRestartWithoutArguments) {
  const BlasRepair repair = use_fast_blas();
  EXPECT_EQ(repair.outcome, RepairOutcome::kImpossible);
  EXPECT_EQ(blas_info().kernel, "Prescott");
}

TEST(BlasRepairChild, DISABLED_IsTurnedOff) {
  const BlasRepair repair = use_fast_blas();
  EXPECT_EQ(repair.outcome, RepairOutcome::kTurnedOff);
  EXPECT_EQ(repair.after, "Prescott");
  EXPECT_EQ(blas_info().kernel, "Prescott");
}

TEST(BlasRepairChild, DISABLED_RespectsTheUser) {
  const BlasRepair repair = use_fast_blas();
  EXPECT_EQ(repair.outcome, RepairOutcome::kUsersChoice);
  EXPECT_EQ(blas_info().kernel, "Prescott");
}

TEST(BlasRepairChild, DISABLED_OverrulesTheUser) {
  EXPECT_EQ(use_fast_blas().outcome, RepairOutcome::kUsersChoice);
  expect_repaired(use_fast_blas(UsersCore::kOverruled), RepairOutcome::kRepaired);
  EXPECT_EQ(use_fast_blas().outcome, RepairOutcome::kRepaired) << "later calls tell of the last";
  expect_blas_is_right();
}

TEST(BlasRepairChild, DISABLED_ComesTooLate) {
  std::promise<void> end;
  std::thread other([&] { end.get_future().wait(); });  // it could be inside BLAS for all we know
  EXPECT_EQ(use_fast_blas(UsersCore::kOverruled).outcome, RepairOutcome::kTooLate);
  EXPECT_EQ(blas_info().kernel, "Prescott");
  end.set_value();
  other.join();
}

TEST(BlasRepairChild, DISABLED_WorksBesideIdleWorkers) {
  set_blas_threads(4);  // OpenBLAS starts them at once and keeps them
  expect_right_products<float>();
  set_blas_threads(1);
  expect_repaired(use_fast_blas(UsersCore::kOverruled), RepairOutcome::kRepaired);
}

TEST(BlasRepairChild, DISABLED_FindsNothingWrong) {
  const BlasInfo before = blas_info();
  if (is_misdetected(before)) GTEST_SKIP() << "OpenBLAS is wrong about this processor";
  const BlasRepair repair = use_fast_blas();
  EXPECT_EQ(repair.outcome, RepairOutcome::kNotNeeded);
  EXPECT_EQ(repair.before, repair.after);
  EXPECT_EQ(blas_info().kernel, before.kernel);
}

class BlasRepairOfPrescott : public test_support::WrongKernelTest {
 protected:
  static void expect_passes(const std::string& name, std::vector<std::string> variables = {}) {
    WrongKernelTest::expect_passes("BlasRepairChild.DISABLED_" + name, std::move(variables));
  }
};

TEST_F(BlasRepairOfPrescott, SwitchesTheKernelAndProductsStayRight) {
  expect_passes("Repairs", {"EQUIFRAME_BLAS_FIX=force"});
}

TEST_F(BlasRepairOfPrescott, WorksAfterTheSlowKernelWasUsed) {
  expect_passes("RepairsAfterUse", {"EQUIFRAME_BLAS_FIX=force"});
}

TEST_F(BlasRepairOfPrescott, FallsBackToARestart) {
  expect_passes("Restarts", {"EQUIFRAME_BLAS_FIX=restart"});
}

TEST_F(BlasRepairOfPrescott, OfALibraryNeverRestarts) {
  expect_passes("CannotRestartWithoutArguments", {"EQUIFRAME_BLAS_FIX=restart"});
}

TEST_F(BlasRepairOfPrescott, CanBeTurnedOff) {
  expect_passes("IsTurnedOff", {"EQUIFRAME_BLAS_FIX=0"});
}

TEST_F(BlasRepairOfPrescott, LeavesAnExplicitChoiceAloneUnlessOverruled) {
  expect_passes("RespectsTheUser");
  expect_passes("OverrulesTheUser");
}

TEST_F(BlasRepairOfPrescott, NeverSwitchesBesideOtherThreads) {
  expect_passes("ComesTooLate");
  if (blas_info().threading == BlasThreading::kPthreads) expect_passes("WorksBesideIdleWorkers");
}

TEST(BlasRepair, TouchesNothingWhereNothingIsWrong) {
  const ChildResult child = run_child_test("BlasRepairChild.DISABLED_FindsNothingWrong", {});
  EXPECT_EQ(child.exit_code, 0) << child.output;
  if (child.output.find("[  SKIPPED ] 1 test") != std::string::npos) GTEST_SKIP() << child.output;
  EXPECT_NE(child.output.find("[  PASSED  ] 1 test"), std::string::npos) << child.output;
}

TEST(BlasInfo, DescribesWhatIsLoaded) {
  const BlasInfo blas = blas_info();
  EXPECT_EQ(blas.kind == BlasKind::kNone, blas.library.empty());
  if (blas.kind != BlasKind::kOpenBlas) GTEST_SKIP() << "the BLAS is not OpenBLAS";
  EXPECT_FALSE(blas.kernel.empty());
  EXPECT_NE(blas.config.find(blas.kernel), std::string::npos) << blas.config;
  EXPECT_NE(blas.threading, BlasThreading::kUnknown);
  EXPECT_GE(blas.threads, 1);
}

TEST(SwitchKernel, LeavesTheKernelIfTheLibraryLacksTheOther) {
  const BlasInfo before = blas_info();
  const std::optional<std::string> kernel = switch_kernel("NoSuchCore");
  if (!kernel) GTEST_SKIP() << "the loaded BLAS cannot switch";
  EXPECT_EQ(*kernel, before.kernel);
  EXPECT_EQ(blas_info().kernel, before.kernel);
}

}  // namespace
}  // namespace equiframe::runtime
