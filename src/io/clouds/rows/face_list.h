// The faces of a file on their way into a cloud.
#pragma once

#include <cstdint>
#include <vector>

#include "equiframe/core/tensor.h"
#include "io/bytes/chunked_file.h"
#include "io/bytes/growing_rows.h"

namespace equiframe::inline io {

class FaceList {
 public:
  /// `file` is where errors are, and must outlive this.
  explicit FaceList(const ChunkedFile& file) : file_(file), triangles_(at::kLong, 3) {}

  void reserve(int64_t triangles) { triangles_.reserve(triangles); }

  /// Adds a polygon as triangles that share its first corner. Throws UserError at the place of the
  /// file if there are fewer than three corners or one is not in [0, points).
  void add(const std::vector<int64_t>& corners, int64_t points);

  /// [F, 3]; undefined if there are none. Leaves nothing behind.
  Tensor finish();

 private:
  const ChunkedFile& file_;
  GrowingRows triangles_;
};

}  // namespace equiframe::inline io
