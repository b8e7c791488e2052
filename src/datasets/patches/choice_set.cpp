#include "datasets/patches/choice_set.h"

#include <algorithm>
#include <mutex>

#include <ATen/ATen.h>

#include "core/parallel.h"
#include "datasets/patches/noisy_clouds.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/io/npy.h"
#include "normals/kernels/choice_features.h"

namespace equiframe::inline datasets {
namespace {

namespace fs = std::filesystem;

constexpr const char *kRows = "rows.npy", *kNormals = "normals.npy";
/// Clouds have enough points for the largest surface to be a part of them.
constexpr int64_t kLeastPoints = 3 * kernels::kSurfaceNeighbors;
constexpr uint64_t kChoices = 0x63686f696365;

/// Item m of a set, of a cloud drawn from a shape.
void make_item(const SurfaceCloud& shape, const NormalEstimator& network, const CloudDraws& draws,
               at::Generator generator, int64_t m, ChoiceSet& set) {
  const SurfaceCloud cloud = draw_cloud(shape, draws, generator);
  const NeighborSearch search(cloud.points);
  const int64_t count = set.rows.size(1);
  const int64_t middle = at::randint(cloud.points.size(0), {1}, generator).item<int64_t>();
  const Tensor near = search.nearest(cloud.points.narrow(0, middle, 1), count).indices.squeeze(0);
  const Tensor rows = std::get<0>(near.sort());
  const auto* first = rows.data_ptr<int64_t>();
  set.rows[m].copy_(network.choices(search, std::vector<int64_t>(first, first + count)));
  set.normals[m].copy_(cloud.normals.index_select(0, rows));
}

}  // namespace

ChoiceSet make_choices(const CadSet& shapes, const NormalEstimator& network,
                       const ChoiceSetOptions& options,
                       const std::function<void(int64_t done)>& done) {
  const int64_t stored = shapes.points.size(1), points = options.points, count = options.clouds;
  CloudDraws draws;
  draws.least_points = kLeastPoints;
  if (count < 1 || points < 1 || points > kLeastPoints || stored < kLeastPoints)
    throw UserError(c10::str("choices: ", count, " clouds with ", points, " points of each, from ",
                             "shapes of ", stored, " points; 1 to ", kLeastPoints,
                             " points can be taken, and shapes need ", kLeastPoints));
  ChoiceSet set{at::empty({count, points, kernels::kChoiceChannels}, at::kFloat),
                at::empty({count, points, 3}, at::kFloat),
                c10::str("choices clouds=", count, " points=", points, " seed=", options.seed,
                         " shapes: ", shapes.description)};
  std::mutex mutex;
  int64_t finished = 0;
  for_each_part(count, [&](int64_t m) {
    const int64_t shape = m * shapes.points.size(0) / count;
    make_item({shapes.points[shape].to(at::kDouble), shapes.normals[shape].to(at::kDouble)},
              network, draws,
              make_generator(Rng{options.seed}.bits(static_cast<uint64_t>(m), kChoices)), m, set);
    const std::lock_guard lock(mutex);
    if (done) done(++finished);
  });
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
  const std::vector<int64_t> expected{shape[0], shape[1], 3};
  if (set.normals.sizes() != expected)
    throw UserError(c10::str("'", (folder / kNormals).string(), "' has the shape ",
                             set.normals.sizes(), ", expected ", at::IntArrayRef(expected),
                             " to agree with ", kRows));
  if (const auto manifest = read_manifest(folder)) set.description = manifest->description;
  return set;
}

}  // namespace equiframe::inline datasets
