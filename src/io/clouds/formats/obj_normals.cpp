#include "io/clouds/formats/obj_normals.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <ATen/ATen.h>

namespace equiframe::inline io {

void ObjNormals::add(FieldScanner& words) {
  auto* const normal = normals_.add_row<float>();
  for (int axis = 0; axis < 3; ++axis) {
    const std::optional<float> value = words.number<float>();
    if (!value) file_.fail(c10::str(words.trouble(), "; expected 'vn x y z'"));
    normal[axis] = *value;
  }
}

bool ObjNormals::same(int64_t a, int64_t b) const {
  if (a == b) return true;
  return std::max(a, b) < count() &&
         std::memcmp(normals_.row(a), normals_.row(b), normals_.row_bytes()) == 0;
}

void ObjNormals::use(int64_t vertex, int64_t normal, int64_t vertices) {
  if (normal == kNone) return;
  used_ = true;
  if (normal > largest_) {
    largest_ = normal;
    largest_line_ = file_.line_number();
  }
  one_each_ = one_each_ && vertex < vertices;
  if (!one_each_) return;
  const auto place = static_cast<std::size_t>(vertex);
  if (place >= of_vertex_.size()) of_vertex_.resize(static_cast<std::size_t>(vertices), kNone);
  int64_t& known = of_vertex_[place];
  if (known == kNone) known = normal;
  one_each_ = same(known, normal);
}

Tensor ObjNormals::finish(int64_t vertices) {
  if (largest_ >= count())
    file_.fail_line(largest_line_, c10::str("a face with normal ", largest_ + 1, "; there are ",
                                            count(), " normals"));
  if (!used_) return count() == vertices ? normals_.finish() : Tensor();
  if (!one_each_) return {};
  of_vertex_.resize(static_cast<std::size_t>(vertices), kNone);
  bool in_order = count() == vertices, complete = true;
  for (int64_t k = 0; k < vertices; ++k) {
    const int64_t normal = of_vertex_[static_cast<std::size_t>(k)];
    in_order = in_order && (normal == k || normal == kNone);
    complete = complete && normal != kNone;
  }
  if (in_order) return normals_.finish();
  if (!complete) return {};
  return normals_.finish().index_select(0, at::from_blob(of_vertex_.data(), {vertices}, at::kLong));
}

}  // namespace equiframe::inline io
