#include "io/clouds/rows/face_list.h"

#include <c10/util/StringUtil.h>

namespace equiframe::inline io {

void FaceList::add(const std::vector<int64_t>& corners, int64_t points) {
  if (corners.size() < 3)
    file_.fail(c10::str("a face with ", corners.size(), " corners; expected at least 3"));
  for (const int64_t corner : corners)
    if (corner < 0 || corner >= points)
      file_.fail(c10::str("a face with corner ", corner, "; expected 0 to ", points - 1));
  for (std::size_t k = 2; k < corners.size(); ++k) {
    auto* const triangle = triangles_.add_row<int64_t>();
    triangle[0] = corners[0];
    triangle[1] = corners[k - 1];
    triangle[2] = corners[k];
  }
}

Tensor FaceList::finish() {
  return triangles_.rows() == 0 ? Tensor() : triangles_.finish();
}

}  // namespace equiframe::inline io
