// Writing .pcd files.
#pragma once

#include <filesystem>

#include "equiframe/io/point_files.h"

namespace equiframe::inline io {

void write_pcd(const std::filesystem::path& path, const PointCloud& cloud,
               const PointFileOptions& options);

}  // namespace equiframe::inline io
