#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "equiframe/core/tensor.h"

namespace equiframe::inline io {

/// The content of a .safetensors file: named arrays and text about them. Reading one executes
/// nothing. Types: float32, float64, int64, int32, uint8, bool.
struct SafeTensors {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;

  /// Throws UserError if there is none; `file` is for the message.
  const Tensor& at(const std::string& name, const std::filesystem::path& file) const;
};

/// Written atomically, with a SHA-256 of the data among the metadata ("sha256").
void save_safetensors(const std::filesystem::path& file, const SafeTensors& content);

/// Throws UserError for anything but a whole, undamaged file: a header that is not the JSON it
/// should be, sizes, offsets or shapes that disagree, gaps, overlaps, missing or surplus bytes, an
/// unknown type, and data that do not have the recorded checksum.
SafeTensors load_safetensors(const std::filesystem::path& file);

}  // namespace equiframe::inline io
