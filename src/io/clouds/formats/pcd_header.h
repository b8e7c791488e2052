// The header of a .pcd file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/bytes/chunked_file.h"
#include "io/bytes/number_type.h"

namespace equiframe::inline io {

struct PcdField {
  std::string name;
  NumberType type = NumberType::kFloat32;
  int64_t count = 1;  ///< how many numbers of it each point has
};

enum class PcdData { kText, kBinary, kCompressed };

struct PcdHeader {
  std::vector<PcdField> fields;
  int64_t points = 0;
  PcdData data = PcdData::kText;
};

/// Reads up to the first point. Throws UserError if the file is no .pcd file.
PcdHeader read_pcd_header(ChunkedFile& file);

}  // namespace equiframe::inline io
