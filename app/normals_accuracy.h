#pragma once

#include <filesystem>
#include <vector>

#include "experiments/normals/normals_report.h"
#include "status_line.h"

namespace equiframe::app {

/// Shapes that no training has seen, fewer for a quick budget, shapes with a formula, and meshes.
std::vector<experiments::AccuracySurface> accuracy_surfaces(
    experiments::Budget budget, const std::vector<std::filesystem::path>& meshes);

/// Measures the classical methods on them, and the network that comes with the program if it is
/// there. Throws Interrupted between two surfaces.
void add_accuracy(experiments::NormalsReport& report,
                  std::vector<experiments::AccuracySurface> surfaces, StatusLine& status);

}  // namespace equiframe::app
