// Writing .ply files.
#pragma once

#include <filesystem>

#include "equiframe/data/point_files.h"

namespace equiframe {

void write_ply(const std::filesystem::path& path, const PointCloud& cloud,
               const PointFileOptions& options);

}  // namespace equiframe
