// Tests of what happens where OpenBLAS has taken the processor for an old one.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/blas_info.h"
#include "tests/support/child_process.h"

namespace equiframe::test_support {

/// Runs disabled tests in child processes whose OpenBLAS has been loaded with the kernel Prescott.
/// Skipped where that cannot be wrong: with another BLAS, or on a processor without AVX.
class WrongKernelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (runtime::blas_info().kind != runtime::BlasKind::kOpenBlas ||
        runtime::expected_core().empty())
      GTEST_SKIP() << "no OpenBLAS here that could run the wrong kernel";
  }

  static void expect_passes(const std::string& disabled_test,
                            std::vector<std::string> variables = {}) {
    variables.emplace_back("OPENBLAS_CORETYPE=Prescott");
    const ChildResult child = run_child_test(disabled_test, variables);
    EXPECT_EQ(child.exit_code, 0) << child.output;
    EXPECT_NE(child.output.find("[  PASSED  ] 1 test"), std::string::npos) << child.output;
  }
};

/// For those children: the kernel was wrong when `action` began and is right after it.
template <class Action>
void expect_repairs(Action&& action) {
  EXPECT_EQ(runtime::blas_info().kernel, "Prescott");
  action();
  EXPECT_EQ(runtime::blas_info().kernel, runtime::expected_core());
}

}  // namespace equiframe::test_support
