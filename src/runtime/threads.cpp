#include "runtime/threads.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>

#include "runtime/blas_library.h"
#include "runtime/scoped_environment.h"

namespace equiframe::runtime {
namespace {

/// OMP_NUM_THREADS may be a list by nesting level, "4,2": the first counts.
std::optional<int> positive_number(const char* variable) {
  const std::string text = environment(variable).value_or("");
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value > 0 ? std::optional<int>(value) : std::nullopt;
}

}  // namespace

ThreadRequest thread_request() {
  return {positive_number("OMP_NUM_THREADS"), positive_number("OPENBLAS_NUM_THREADS")};
}

ThreadPlan recommended_threads(int usable_cores, BlasThreading threading,
                               const ThreadRequest& request) {
  if (usable_cores < 1) throw std::invalid_argument("recommended_threads: no usable core");
  ThreadPlan plan;
  switch (threading) {
    case BlasThreading::kPthreads:
      plan = {std::max(1, usable_cores / 2), usable_cores};
      break;
    case BlasThreading::kOpenMp:
      plan = {1, 1};
      break;
    case BlasThreading::kSerial:
      plan = {usable_cores, 1};
      break;
    case BlasThreading::kUnknown:
      plan = {usable_cores, usable_cores};
      break;
  }
  const auto bounded = [=](int wished) { return std::min(wished, usable_cores); };
  if (request.omp) plan = {bounded(*request.omp), bounded(*request.omp)};
  if (request.openblas && threading == BlasThreading::kPthreads) {
    plan.blas = bounded(*request.openblas);
  }
  if (threading == BlasThreading::kSerial) plan.blas = 1;
  return plan;
}

ThreadPlan recommended_threads() {
  return recommended_threads(machine().usable_cores, blas_info().threading, thread_request());
}

int bounded_threads(std::int64_t wished) {
  return static_cast<int>(std::clamp<std::int64_t>(wished, 1, machine().usable_cores));
}

void set_blas_threads(int threads) {
  set_blas_threads(BlasLibrary::loaded(), threads);
}

}  // namespace equiframe::runtime
