// Memory for kernels.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "simd/lanes.h"

namespace equiframe::kernels::inline simd {
namespace {

template <class T>
constexpr std::int64_t whole_lanes(std::int64_t count) {
  return (count + kWidth<T> - 1) / kWidth<T> * kWidth<T>;
}

/// Zeroed arrays, aligned to cache lines, that live as long as this; each may be read and written a
/// register beyond its end.
template <class T>
class Workspace {
 public:
  T* take(std::int64_t count) {
    const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(T) + 127) / 64 * 64;
    void* memory = std::aligned_alloc(64, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    std::memset(memory, 0, bytes);
    pieces_.emplace_back(static_cast<T*>(memory));
    return pieces_.back().get();
  }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::vector<std::unique_ptr<T, Free>> pieces_;
};

}  // namespace
}  // namespace equiframe::kernels::inline simd
