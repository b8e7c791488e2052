#pragma once

#include <filesystem>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

/// Arrays in numpy's .npy format (versions 1, 2 and 3), row-major or Fortran order.
/// Types: float64, float32, float16, int64, int32, int16, int8, uint8 and bool, little-endian.
namespace equiframe::inline io {

/// The array of the file, contiguous, in its own type. Throws UserError for a file that is not
/// there, is cut short, is no .npy file or holds another type (Python objects, records, text,
/// big-endian numbers); the text names the file, what was expected and what was found.
EQUIFRAME_API Tensor read_npy(const std::filesystem::path& path);

/// The same for a file that must hold this type.
EQUIFRAME_API Tensor read_npy(const std::filesystem::path& path, at::ScalarType expected);

/// As numpy.save writes it, atomically (see write_file_atomically).
EQUIFRAME_API void write_npy(const std::filesystem::path& path, const Tensor& values);

}  // namespace equiframe::inline io
