// The table of formats that point_files.h speaks of. A format is one file that adds itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "equiframe/io/point_files.h"

namespace equiframe::inline io {

/// Read or written at once.
constexpr int64_t kRowsTogether = 4096;

struct PointFormat {
  std::vector<std::string> extensions;  ///< ".ply", in lower case
  std::function<PointCloud(const std::filesystem::path&, const PointReadOptions&)> read;
  /// The tensors are contiguous and on the CPU. Null for a format that is read only.
  std::function<void(const std::filesystem::path&, const PointCloud&, const PointFileOptions&)>
      write;
};

/// ".ply" of "a.PLY".
std::string lower_extension(const std::filesystem::path& path);

/// Returns true, so that a namespace-scope constant can call it.
bool add_point_format(const PointFormat& format);

}  // namespace equiframe::inline io
