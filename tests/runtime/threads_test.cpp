#include "runtime/threads.h"

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace equiframe::runtime {
namespace {

void expect_plan(const ThreadPlan& plan, int intra_op, int blas) {
  EXPECT_EQ(plan.intra_op, intra_op);
  EXPECT_EQ(plan.blas, blas);
}

TEST(RecommendedThreads, FollowTheThreadingOfTheBlas) {
  expect_plan(recommended_threads(1, BlasThreading::kPthreads, {}), 1, 1);
  expect_plan(recommended_threads(2, BlasThreading::kPthreads, {}), 1, 2);
  expect_plan(recommended_threads(8, BlasThreading::kPthreads, {}), 4, 8);
  expect_plan(recommended_threads(8, BlasThreading::kOpenMp, {}), 1, 1);
  expect_plan(recommended_threads(8, BlasThreading::kSerial, {}), 8, 1);
  expect_plan(recommended_threads(8, BlasThreading::kUnknown, {}), 8, 8);
  EXPECT_THROW(recommended_threads(0, BlasThreading::kPthreads, {}), std::invalid_argument);
}

TEST(RecommendedThreads, ObeyTheEnvironment) {
  expect_plan(recommended_threads(8, BlasThreading::kPthreads, {3, {}}), 3, 3);
  expect_plan(recommended_threads(8, BlasThreading::kPthreads, {3, 2}), 3, 2);
  expect_plan(recommended_threads(8, BlasThreading::kPthreads, {{}, 2}), 4, 2);
  expect_plan(recommended_threads(8, BlasThreading::kOpenMp, {3, {}}), 3, 3);
  expect_plan(recommended_threads(8, BlasThreading::kSerial, {3, 5}), 3, 1);
}

TEST(RecommendedThreads, AreNeverMoreThanTheUsableCores) {
  expect_plan(recommended_threads(2, BlasThreading::kPthreads, {999, {}}), 2, 2);
  expect_plan(recommended_threads(2, BlasThreading::kPthreads, {{}, 999}), 1, 2);
  expect_plan(recommended_threads(2, BlasThreading::kOpenMp, {999, {}}), 2, 2);
  EXPECT_EQ(bounded_threads(999999), machine().usable_cores);
  EXPECT_EQ(bounded_threads(1), 1);
  EXPECT_EQ(bounded_threads(-3), 1);
}

/// Sets a variable, reads the request, and puts the variable back.
ThreadRequest request_with(const char* variable, const char* value) {
  const char* before = std::getenv(variable);
  const std::string saved = before == nullptr ? "" : before;
  setenv(variable, value, 1);
  const ThreadRequest request = thread_request();
  if (before == nullptr) {
    unsetenv(variable);
  } else {
    setenv(variable, saved.c_str(), 1);
  }
  return request;
}

TEST(ThreadRequests, AreReadFromTheEnvironment) {
  EXPECT_EQ(request_with("OMP_NUM_THREADS", "3").omp, 3);
  EXPECT_EQ(request_with("OMP_NUM_THREADS", "4,2").omp, 4);
  EXPECT_EQ(request_with("OPENBLAS_NUM_THREADS", "2").openblas, 2);
  for (const char* nonsense : {"", "0", "-1", "many"}) {
    EXPECT_EQ(request_with("OMP_NUM_THREADS", nonsense).omp, std::nullopt) << nonsense;
  }
}

TEST(RecommendedThreads, OfThisProcessAreSettable) {
  const ThreadPlan plan = recommended_threads();
  EXPECT_GE(plan.intra_op, 1);
  EXPECT_GE(plan.blas, 1);
  const int before = blas_info().threads;
  if (before == 0) GTEST_SKIP() << "the loaded BLAS does not tell its threads";
  set_blas_threads(1);
  EXPECT_EQ(blas_info().threads, 1);
  set_blas_threads(before);
  EXPECT_EQ(blas_info().threads, before);
}

}  // namespace
}  // namespace equiframe::runtime
