#include "datasets/patches/choice_set.h"

#include <ATen/ATen.h>

#include "datasets/patches/cloud_parts.h"
#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "io/arrays/expected_shape.h"
#include "normals/kernels/choice_features.h"

namespace equiframe::inline datasets {
namespace {

namespace fs = std::filesystem;

constexpr const char *kRows = "rows.npy", *kNormals = "normals.npy";
/// Clouds have enough points for the largest surface to be a part of them.
constexpr int64_t kMinPoints = 3 * kernels::kSurfaceNeighbors;
constexpr uint64_t kChoices = 0x63686f696365;

void fill_item(ChoiceSet& set, int64_t m, const CloudPart& part, const NormalEstimator& network) {
  const Tensor rows = std::get<0>(part.rows.sort());
  const auto* first = rows.data_ptr<int64_t>();
  set.rows[m].copy_(
      network.choices(part.search, std::vector<int64_t>(first, first + rows.numel())));
  set.normals[m].copy_(part.cloud.normals.index_select(0, rows));
}

}  // namespace

ChoiceSet make_choices(const CadSet& shapes, const NormalEstimator& network,
                       const ChoiceSetOptions& options,
                       const std::function<void(int64_t done)>& done) {
  const int64_t stored = shapes.points.size(1), points = options.points, count = options.clouds;
  CloudDraws draws;
  draws.least_points = kMinPoints;
  if (count < 1 || points < 1 || points > kMinPoints || stored < kMinPoints)
    throw UserError(c10::str("choices: ", count, " clouds with ", points, " points of each, from ",
                             "shapes of ", stored, " points; 1 to ", kMinPoints,
                             " points can be taken, and shapes need ", kMinPoints));
  ChoiceSet set{at::empty({count, points, kernels::kChoiceChannels}, at::kFloat),
                at::empty({count, points, 3}, at::kFloat),
                c10::str("choices clouds=", count, " points=", points, " seed=", options.seed,
                         " shapes: ", shapes.description)};
  for_each_cloud_part(
      shapes, {count, points, options.seed, kChoices, draws},
      [&](int64_t m, const CloudPart& part) { fill_item(set, m, part, network); }, done);
  return set;
}

Manifest write_choices(const fs::path& folder, const ChoiceSet& set) {
  write_npy(folder / kRows, set.rows);
  write_npy(folder / kNormals, set.normals);
  return write_manifest(folder, set.description, {kRows, kNormals});
}

ChoiceSet read_choices(const fs::path& folder) {
  ChoiceSet set;
  set.rows = read_npy(folder / kRows, at::kFloat);
  const auto shape = set.rows.sizes();
  if (shape.size() != 3 || shape[2] != kernels::kChoiceChannels)
    throw UserError(c10::str("'", (folder / kRows).string(), "' has the shape ", shape,
                             ", expected [clouds, points, ", kernels::kChoiceChannels, "]"));
  set.normals = read_npy(folder / kNormals, at::kFloat);
  require_shape(set.normals, {shape[0], shape[1], 3}, folder / kNormals, kRows);
  if (const auto manifest = read_manifest(folder)) set.description = manifest->description;
  return set;
}

}  // namespace equiframe::inline datasets
