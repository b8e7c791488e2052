// Rows of numbers that become a tensor without a copy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "equiframe/core/tensor.h"

namespace equiframe::inline io {

/// Grows through realloc: a large block is moved by its pages, not its bytes, and memory that was
/// reserved but never written to takes no room.
class GrowingRows {
 public:
  /// Rows of `width` numbers.
  GrowingRows(at::ScalarType type, int64_t width);
  GrowingRows(GrowingRows&& other) noexcept;
  GrowingRows& operator=(GrowingRows&& other) = delete;
  ~GrowingRows();

  int64_t rows() const { return rows_; }
  std::size_t row_bytes() const { return row_bytes_; }
  const char* row(int64_t k) const { return bytes_ + static_cast<std::size_t>(k) * row_bytes_; }
  char* row(int64_t k) { return bytes_ + static_cast<std::size_t>(k) * row_bytes_; }

  /// Room for so many rows in all.
  void reserve(int64_t rows);
  /// New rows are not set to anything.
  void resize(int64_t rows) {
    if (rows > capacity_) reserve(std::max(rows, capacity_ + capacity_ / 2));
    rows_ = rows;
  }
  /// A new row, for numbers of type T.
  template <class T>
  T* add_row() {
    resize(rows_ + 1);
    return reinterpret_cast<T*>(row(rows_ - 1));
  }

  /// [rows, width], or [rows] if the width is 1; leaves nothing behind.
  Tensor finish();

 private:
  at::ScalarType type_;
  int64_t width_;
  std::size_t row_bytes_;
  char* bytes_ = nullptr;
  int64_t rows_ = 0, capacity_ = 0;
};

}  // namespace equiframe::inline io
