// The header of a .npy file: a Python dictionary that describes the numbers behind it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace equiframe::inline io {

struct NpyHeader {
  std::string descr;  ///< numpy's type string, such as "<f8"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Throws UserError with `file` in its text if `text` is no such dictionary.
NpyHeader parse_npy_header(std::string_view text, const std::string& file);

/// Magic, version 1.0, length and dictionary, padded so that the numbers start at a multiple of 64.
std::string npy_preamble(const NpyHeader& header);

}  // namespace equiframe::inline io
