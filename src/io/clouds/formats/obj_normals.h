// The normals of an .obj file, which belong to corners of faces, as normals of its vertices.
#pragma once

#include <cstdint>
#include <vector>

#include "equiframe/core/tensor.h"
#include "io/bytes/chunked_file.h"
#include "io/bytes/field_scanner.h"
#include "io/bytes/growing_rows.h"

namespace equiframe::inline io {

class ObjNormals {
 public:
  static constexpr int64_t kNone = -1;

  /// `file` is where errors are, and must outlive this.
  explicit ObjNormals(const ChunkedFile& file) : file_(file) {}

  int64_t count() const { return normals_.rows(); }

  /// Reads the numbers of a line vn.
  void add(FieldScanner& words);

  /// A face has `vertex` as a corner, with this normal or kNone; there are `vertices` so far.
  void use(int64_t vertex, int64_t normal, int64_t vertices);

  /// [vertices, 3] if every vertex has one normal: its corners all have the same, or there are as
  /// many normals as vertices and no corner has that of another vertex. Otherwise undefined. Throws
  /// UserError if a face asked for a normal that is not there.
  Tensor finish(int64_t vertices);

 private:
  bool same(int64_t a, int64_t b) const;

  const ChunkedFile& file_;
  GrowingRows normals_{at::kFloat, 3};
  std::vector<int64_t> of_vertex_;  // kNone where no corner had one
  bool one_each_ = true, used_ = false;
  int64_t largest_ = kNone, largest_line_ = 0;
};

}  // namespace equiframe::inline io
