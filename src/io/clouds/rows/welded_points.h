// Corners of triangles, each place once.
#pragma once

#include <cstdint>
#include <vector>

#include "equiframe/core/tensor.h"
#include "io/bytes/growing_rows.h"

namespace equiframe::inline io {

class WeldedPoints {
 public:
  WeldedPoints();

  int64_t size() const { return points_.rows(); }

  /// The number of the point with exactly these coordinates, a new one if there was none. -0 is 0.
  int64_t add(const double* point);

  /// [N, 3] in order of their first appearance. Leaves nothing behind.
  Tensor finish();

 private:
  const char* row(uint32_t place) const { return points_.row(place); }
  void rehash(std::size_t slots);

  GrowingRows points_;
  std::vector<uint32_t> slots_;  // open addressing; kFree or a point
};

}  // namespace equiframe::inline io
