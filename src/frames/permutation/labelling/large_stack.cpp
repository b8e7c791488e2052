#include "frames/permutation/labelling/large_stack.h"

#include <cstddef>
#include <exception>

#include <pthread.h>

#include "equiframe/core/error.h"

namespace equiframe::inline frames {
namespace {

constexpr std::size_t kBytes = std::size_t{256} << 20U;

struct StackWork {
  const std::function<void()>& f;
  std::exception_ptr failure = nullptr;
};

extern "C" void* run_work(void* argument) {
  auto* work = static_cast<StackWork*>(argument);
  try {
    work->f();
  } catch (...) {
    work->failure = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void run_on_large_stack(const std::function<void()>& f) {
  StackWork work{f};
  pthread_attr_t attributes;
  pthread_t thread{};
  bool started = pthread_attr_init(&attributes) == 0;
  if (started) {
    started = pthread_attr_setstacksize(&attributes, kBytes) == 0 &&
              pthread_create(&thread, &attributes, run_work, &work) == 0;
    pthread_attr_destroy(&attributes);
  }
  if (!started)
    throw UserError(
        "no memory for a stack of 256 MB, which graphs of this size need; raise the limit "
        "(ulimit -v) or leave the graph out");
  pthread_join(thread, nullptr);
  if (work.failure) std::rethrow_exception(work.failure);
}

}  // namespace equiframe::inline frames
