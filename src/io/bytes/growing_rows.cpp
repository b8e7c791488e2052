#include "io/bytes/growing_rows.h"

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <ATen/ATen.h>

namespace equiframe::inline io {
namespace {

constexpr int64_t kFirstRows = 1024;

}  // namespace

GrowingRows::GrowingRows(at::ScalarType type, int64_t width)
    : type_(type),
      width_(width),
      row_bytes_(at::elementSize(type) * static_cast<std::size_t>(width)) {}

GrowingRows::GrowingRows(GrowingRows&& other) noexcept
    : type_(other.type_),
      width_(other.width_),
      row_bytes_(other.row_bytes_),
      bytes_(std::exchange(other.bytes_, nullptr)),
      rows_(std::exchange(other.rows_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

GrowingRows::~GrowingRows() {
  std::free(bytes_);
}

void GrowingRows::reserve(int64_t rows) {
  if (rows <= capacity_) return;
  rows = std::max(rows, kFirstRows);
  void* const moved = std::realloc(bytes_, static_cast<std::size_t>(rows) * row_bytes_);
  if (moved == nullptr) throw std::bad_alloc();
  bytes_ = static_cast<char*>(moved);
  capacity_ = rows;
}

Tensor GrowingRows::finish() {
  const std::vector<int64_t> shape =
      width_ == 1 ? std::vector<int64_t>{rows_} : std::vector<int64_t>{rows_, width_};
  const at::TensorOptions options(type_);
  if (rows_ == 0) return at::empty(shape, options);
  if (void* const fitted = std::realloc(bytes_, static_cast<std::size_t>(rows_) * row_bytes_))
    bytes_ = static_cast<char*>(fitted);
  rows_ = capacity_ = 0;
  const std::shared_ptr<char> bytes(std::exchange(bytes_, nullptr), std::free);
  return at::from_blob(
      bytes.get(), shape, [bytes](void*) {}, options);
}

}  // namespace equiframe::inline io
