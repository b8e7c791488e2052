// Memory for kernels.
#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <new>

#include "lanes.h"

namespace equiframe::kernels {
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
    pieces_[used_++].reset(static_cast<T*>(memory));
    return static_cast<T*>(memory);
  }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::array<std::unique_ptr<T, Free>, 16> pieces_;
  std::size_t used_ = 0;
};

}  // namespace
}  // namespace equiframe::kernels
