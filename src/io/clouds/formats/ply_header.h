// The header of a .ply file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/bytes/chunked_file.h"
#include "io/bytes/number_type.h"

namespace equiframe::inline io {

struct PlyProperty {
  std::string name;
  NumberType type = NumberType::kFloat32;
  std::optional<NumberType> count;  ///< of the length that stands before a list; none: no list
};

struct PlyElement {
  std::string name;
  int64_t count = 0;
  std::vector<PlyProperty> properties;

  bool has_list() const;
  /// Fewest bytes that one of them takes in a binary file; the exact number without lists.
  std::size_t record_bytes() const;
};

enum class PlyFormat { kText, kLittleEndian, kBigEndian };

struct PlyHeader {
  PlyFormat format = PlyFormat::kText;
  std::vector<PlyElement> elements;  ///< in the order of the file
};

/// Reads up to the first element. Throws UserError if the file is no .ply file.
PlyHeader read_ply_header(ChunkedFile& file);

/// "float", "uchar", ...: the name that every reader knows. There is none for 64-bit integers.
const char* ply_type_name(NumberType type);

}  // namespace equiframe::inline io
