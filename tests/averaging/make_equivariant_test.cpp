#include "equiframe/averaging/make_equivariant.h"

#include <torch/torch.h>

#include "tests/support/wrong_kernel.h"

namespace equiframe {
namespace {

// Runs in a child process only.
TEST(MakeEquivariantChild, DISABLED_Repairs) {
  test_support::expect_repairs([] {
    make_equivariant(torch::nn::Sequential(torch::nn::Linear(3, 3)), {"E(3)", "point", "point"});
  });
}

using MakeEquivariantOfPrescott = test_support::WrongKernelTest;

TEST_F(MakeEquivariantOfPrescott, SeesToTheKernelOfOpenBlas) {
  expect_passes("MakeEquivariantChild.DISABLED_Repairs", {"EQUIFRAME_BLAS_FIX=force"});
}

}  // namespace
}  // namespace equiframe
