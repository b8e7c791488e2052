#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/ScalarType.h>

namespace equiframe::inline io {

/// Where one array lies in the data section of a .safetensors file.
struct StoredArray {
  std::string name;
  c10::ScalarType type = c10::ScalarType::Float;
  std::vector<int64_t> shape;
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct SafeTensorsHeader {
  std::vector<StoredArray> arrays;  ///< in the order of their data, without gaps
  std::map<std::string, std::string> metadata;
};

/// The JSON text, padded with spaces to a multiple of 8 bytes.
std::string to_text(const SafeTensorsHeader& header);

/// The inverse; `data_bytes` is the size of the data section, which the arrays must fill exactly.
/// Throws std::runtime_error with a few words on what is wrong.
SafeTensorsHeader parse_header(std::string_view text, uint64_t data_bytes);

/// Throws std::runtime_error for a type the format or this reader does not have.
std::string type_name(c10::ScalarType type);

}  // namespace equiframe::inline io
