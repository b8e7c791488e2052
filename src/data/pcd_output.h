// Writing .pcd files.
#pragma once

#include <filesystem>

#include "equiframe/data/point_files.h"

namespace equiframe {

void write_pcd(const std::filesystem::path& path, const PointCloud& cloud,
               const PointFileOptions& options);

}  // namespace equiframe
