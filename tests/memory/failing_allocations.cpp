// `new` and what LibTorch and our kernels take their arrays from are replaced for the process.
// Plain malloc is not: OpenBLAS and libgomp end the process where it fails, whatever we do.
#include "tests/memory/failing_allocations.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string>

#include <dlfcn.h>
#include <execinfo.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace equiframe::memory_test {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

std::atomic<bool> armed{false};
std::atomic<int64_t> counted{0}, first_failing{kNever};
std::atomic<bool> for_good{false};

/// Where others ask for memory in a destructor, which ends the process if there is none: JSON lists
/// what it holds before it frees it, LibTorch the graph of a gradient.
constexpr std::array<const char*, 2> kGreedyDestructors{"json_value7destroy",
                                                        "autograd10deleteNode"};

bool is_in_greedy_destructor() {
  std::array<void*, 32> frames;
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int k = 0; k < count; ++k) {
    Dl_info place{};
    if (dladdr(frames[static_cast<size_t>(k)], &place) == 0 || place.dli_sname == nullptr) continue;
    for (const char* name : kGreedyDestructors)
      if (std::strstr(place.dli_sname, name) != nullptr) return true;
  }
  return false;
}

bool fails() {
  if (!armed) return false;
  const int64_t number = counted++;
  const bool chosen = for_good ? number >= first_failing : number == first_failing;
  return chosen && !is_in_greedy_destructor();
}

std::atomic<const char*> fault{nullptr};

/// What the process was at, for whoever finds it dead.
std::array<char, 256> current{};

void say_and_die(int signal) {
  const size_t length = std::char_traits<char>::length(current.data());
  if (write(STDERR_FILENO, current.data(), length) < 0) _exit(1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void say(const std::string& text) {
  const size_t length = std::min(text.size(), current.size() - 1);
  text.copy(current.data(), length);
  current[length] = '\0';
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL}) std::signal(signal, say_and_die);
}

struct Attempt {
  int64_t allocations = 0;
  bool threw = false;
  std::string error;
};

Attempt attempt(int64_t first, Lack lack, const std::function<void()>& work) {
  Attempt result;
  const auto stop = [&] {
    armed = false;
    result.allocations = counted;
  };
  counted = 0;
  fault = nullptr;
  first_failing = first;
  for_good = lack == Lack::kForGood;
  armed = true;
  try {
    work();
    stop();
  } catch (const std::exception& error) {
    stop();
    result.threw = true;
    result.error = error.what();
  } catch (...) {
    stop();
    ADD_FAILURE() << "no std::exception";
  }
  if (const char* const what = fault) ADD_FAILURE() << what;
  return result;
}

void expect_work(const std::function<void()>& work) {
  const Attempt all = attempt(kNever, Lack::kOnce, work);
  EXPECT_FALSE(all.threw) << all.error;
}

}  // namespace

void report_fault(const char* what) {
  fault = what;
}

void expect_survival(const std::string& name, int places, const std::function<void()>& work) {
  is_in_greedy_destructor();  // backtrace loads a library at its first use
  expect_work(work);          // what is made at the first use
  const int64_t all = attempt(kNever, Lack::kOnce, work).allocations;
  ASSERT_GT(all, places) << name << ": not counted";
  int failed = 0;
  for (const Lack lack : {Lack::kOnce, Lack::kForGood})
    for (int place = 0; place < places; ++place) {
      const int64_t first = all * place / places;
      const std::string where = name + ": allocation " + std::to_string(first) + " of " +
                                std::to_string(all) +
                                (lack == Lack::kOnce ? " fails\n" : " and all after it fail\n");
      SCOPED_TRACE(where);
      say(where);
      const Attempt little = attempt(first, lack, work);
      failed += little.threw ? 1 : 0;
      EXPECT_TRUE(!little.threw || !little.error.empty());
      expect_work(work);
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_GT(failed, places) << name << ": most failures were not noticed";
}

}  // namespace equiframe::memory_test

using equiframe::memory_test::fails;

extern "C" {

int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  using Function = int(void**, size_t, size_t);
  static auto* const real = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, "posix_memalign"));
  return fails() ? ENOMEM : real(memory, alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept {
  using Function = void*(size_t, size_t);
  static auto* const real = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, "aligned_alloc"));
  return fails() ? nullptr : real(alignment, size);
}

}  // extern "C"

// All forms but the aligned ones: the address sanitizer has its own of each, which do not call
// these and whose memory must not be freed by them.
void* operator new(size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
}
void* operator new[](size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void* operator new(size_t size) {
  void* const memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](size_t size) {
  return operator new(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept {
  std::free(memory);
}
