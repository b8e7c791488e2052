#include "normals_accuracy.h"

#include <utility>

#include "datasets/solids/solids.h"
#include "equiframe/io/point_files.h"
#include "interruption.h"
#include "normals/learned/network_files.h"

namespace equiframe::app {

namespace fs = std::filesystem;
using experiments::AccuracySurface;
using experiments::Budget;
using experiments::NormalsReport;

std::vector<AccuracySurface> accuracy_surfaces(Budget budget, const std::vector<fs::path>& meshes) {
  constexpr int64_t kPoints = 10000, kQuickShapes = 4, kShapes = 20;
  constexpr uint64_t kSeed = 7;  // training sets have seed 1
  std::vector<AccuracySurface> result;
  result.reserve(meshes.size());
  for (const fs::path& file : meshes)  // first: a mistake in a name comes to light at once
    result.push_back(
        experiments::mesh_surface(file.filename().string(), read_points(file), kPoints));
  CadOptions held_out;
  held_out.seed = kSeed;
  held_out.points = kPoints;
  if (!solids_available()) held_out.kinds = {"organic"};
  const int64_t count = budget == Budget::kQuick ? kQuickShapes : kShapes;
  for (int64_t number = 0; number < count; ++number)
    result.push_back(experiments::held_out_surface(held_out, number, kPoints));
  for (const char* name : {"sphere", "torus"})
    result.push_back(experiments::named_surface(name, kPoints));
  return result;
}

void add_accuracy(NormalsReport& report, std::vector<AccuracySurface> surfaces,
                  StatusLine& status) {
  const std::optional<NormalEstimator> network = shipped_normal_networks();
  if (network) report.network = shipped_normal_networks_name();
  experiments::AccuracyOptions options;
  options.network = network ? &*network : nullptr;
  const auto count = std::to_string(surfaces.size());
  options.progress = [&](int64_t surface) {
    end_if_requested();
    status.show("accuracy: surface " + std::to_string(surface + 1) + " of " + count);
  };
  report.accuracy = experiments::measure_accuracy(std::move(surfaces), options);
}

}  // namespace equiframe::app
