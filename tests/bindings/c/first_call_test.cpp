/// What the first call of the C interface does for a program that knows nothing of OpenBLAS.
#include <thread>

#include "tests/bindings/c/c_handles.h"
#include "tests/support/wrong_kernel.h"

namespace equiframe::capi_test {
namespace {

void first_call() {
  equiframe_model* model = nullptr;
  EXPECT_EQ(equiframe_model_load("no such file", &model), EQUIFRAME_WRONG_INPUT);
}

// These run in child processes only.

TEST(CFirstCallChild, DISABLED_Repairs) {
  test_support::expect_repairs(first_call);
}

TEST(CFirstCallChild, DISABLED_OfAThreadLeavesTheKernelAlone) {
  std::thread(first_call).join();
  EXPECT_EQ(runtime::blas_info().kernel, "Prescott") << "the main thread could be inside BLAS";
}

using CFirstCall = test_support::WrongKernelTest;

TEST_F(CFirstCall, RepairsTheKernelUnlessThreadsRun) {
  expect_passes("CFirstCallChild.DISABLED_Repairs", {"EQUIFRAME_BLAS_FIX=force"});
  expect_passes("CFirstCallChild.DISABLED_OfAThreadLeavesTheKernelAlone",
                {"EQUIFRAME_BLAS_FIX=force"});
}

}  // namespace
}  // namespace equiframe::capi_test
