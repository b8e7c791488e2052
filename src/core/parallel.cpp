// The one source compiled with OpenMP: LibTorch's `parallel_for` is an inline function that runs on
// one thread where the including source is not (cmake/kernels.cmake).
#include "core/parallel.h"

#include <algorithm>
#include <exception>
#include <vector>

#include <ATen/Parallel.h>

#ifndef INTRA_OP_PARALLEL
#error "compile this file with OpenMP"
#endif

namespace equiframe::inline core {

void for_each_part(int64_t count, const std::function<void(int64_t)>& f) {
  if (count <= 0) return;
  std::vector<std::exception_ptr> failures(static_cast<size_t>(count));
  at::parallel_for(0, count, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      try {
        f(part);
      } catch (...) {
        failures[static_cast<size_t>(part)] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

void for_each_item(int64_t count, int64_t together, const std::function<void(int64_t)>& f) {
  for_each_part((count + together - 1) / together, [&](int64_t part) {
    for (int64_t k = part * together; k < std::min(count, (part + 1) * together); ++k) f(k);
  });
}

}  // namespace equiframe::inline core
