// main() of all test binaries: first the repair that users get, whatever OPENBLAS_CORETYPE says, so
// that a suite does not depend on what OpenBLAS takes the processor for; programs that a test
// starts do the same. EQUIFRAME_BLAS_FIX=0 leaves the kernel as it was loaded, and so does
// EQUIFRAME_TEST_KERNEL=as-loaded, for tests that repair by themselves.
#include <cstdlib>
#include <iostream>
#include <string_view>

#include <gtest/gtest.h>

#include "equiframe/runtime/blas.h"

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

int main(int argc, char** argv) {
  namespace runtime = equiframe::runtime;
  if (variable("EQUIFRAME_TEST_KERNEL") != "as-loaded") {
    const runtime::BlasRepair repair = runtime::use_fast_blas(runtime::UsersCore::kOverruled);
    if (repair.outcome != runtime::RepairOutcome::kNotNeeded)
      std::cerr << "OpenBLAS kernel: loaded " << repair.before << ", in use " << repair.after
                << " (" << runtime::name(repair.outcome) << ")\n";
    if (variable("EQUIFRAME_BLAS_FIX").empty()) setenv("EQUIFRAME_BLAS_FIX", "force", 1);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
