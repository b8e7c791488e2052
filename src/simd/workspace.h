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

/// std::allocator with internal linkage; see Numbers.
template <class T>
struct OwnAllocator {
  using value_type = T;
  OwnAllocator() = default;
  template <class U>
  explicit(false) OwnAllocator(const OwnAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory); }
  bool operator==(const OwnAllocator&) const = default;
};

/// A std::vector whose functions have internal linkage. The linker keeps one copy of those of
/// std::vector<float> for the whole program, and it may be the one compiled for AVX-512.
template <class T>
using Numbers = std::vector<T, OwnAllocator<T>>;

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
