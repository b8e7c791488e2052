#include "io/arrays/expected_shape.h"

#include "equiframe/core/error.h"

namespace equiframe::inline io {

void require_shape(const Tensor& values, at::IntArrayRef expected,
                   const std::filesystem::path& file, const std::string& reference) {
  if (values.sizes() == expected) return;
  throw UserError(c10::str("'", file.string(), "' has the shape ", values.sizes(), ", expected ",
                           expected, " to agree with ", reference));
}

}  // namespace equiframe::inline io
