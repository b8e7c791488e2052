#include "datasets/patches/vote_set.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "datasets/patches/cloud_parts.h"
#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "io/arrays/expected_shape.h"

namespace equiframe::inline datasets {
namespace {

namespace fs = std::filesystem;

constexpr const char *kVotedPoints = "points.npy", *kNormals = "normals.npy", *kFound = "found.npy",
                     *kPointStatsFile = "told.npy", *kClouds = "clouds.npy";

/// Points at least, against those of a part.
constexpr double kMinCloud = 1.2;
constexpr uint64_t kVotes = 0x766f746573;

Tensor read_part(const fs::path& file, at::IntArrayRef expected) {
  const Tensor values = read_npy(file, at::kFloat);
  require_shape(values, expected, file, kVotedPoints);
  return values;
}

void fill_item(VoteSet& set, int64_t m, const CloudPart& part, const NormalEstimator& network) {
  const Tensor& rows = part.rows;
  std::vector<int64_t> ascending(rows.data_ptr<int64_t>(), rows.data_ptr<int64_t>() + rows.numel());
  std::sort(ascending.begin(), ascending.end());
  const FirstNormals first = network.first(part.search, ascending);
  const Tensor points = part.cloud.points.index_select(0, rows);
  set.points[m].copy_(points - points.narrow(0, 0, 1));
  set.normals[m].copy_(part.cloud.normals.index_select(0, rows));
  set.found[m].copy_(first.normals.index_select(0, rows));
  set.point_stats[m].copy_(first.point_stats.index_select(0, rows));
  set.clouds[m].copy_(first.cloud);
}

}  // namespace

VoteSet make_votes(const CadSet& shapes, const NormalEstimator& network,
                   const VoteSetOptions& options, const std::function<void(int64_t done)>& done) {
  const int64_t stored = shapes.points.size(1), part = options.points, count = options.clouds;
  CloudDraws draws;
  draws.least_points = std::lround(kMinCloud * static_cast<double>(part));
  if (count < 1 || part < kVoters || draws.least_points > stored)
    throw UserError(c10::str("votes: ", count, " clouds with parts of ", part,
                             " points, from shapes of ", stored, " points; parts need ", kVoters,
                             " points or more and shapes ", kMinCloud, " times as many"));
  VoteSet set{at::empty({count, part, 3}, at::kFloat),
              at::empty({count, part, 3}, at::kFloat),
              at::empty({count, part, 3}, at::kFloat),
              at::empty({count, part, kPointStats}, at::kFloat),
              at::empty({count, kernels::kCloudFeatures}, at::kFloat),
              c10::str("votes clouds=", count, " points=", part, " seed=", options.seed,
                       " shapes: ", shapes.description)};
  for_each_cloud_part(
      shapes, {count, part, options.seed, kVotes, draws},
      [&](int64_t m, const CloudPart& drawn) { fill_item(set, m, drawn, network); }, done);
  return set;
}

Manifest write_votes(const fs::path& folder, const VoteSet& set) {
  write_npy(folder / kVotedPoints, set.points);
  write_npy(folder / kNormals, set.normals);
  write_npy(folder / kFound, set.found);
  write_npy(folder / kPointStatsFile, set.point_stats);
  write_npy(folder / kClouds, set.clouds);
  return write_manifest(folder, set.description,
                        {kVotedPoints, kNormals, kFound, kPointStatsFile, kClouds});
}

VoteSet read_votes(const fs::path& folder) {
  VoteSet set;
  set.points = read_npy(folder / kVotedPoints, at::kFloat);
  const auto shape = set.points.sizes();
  if (shape.size() != 3 || shape[2] != 3 || shape[1] < kVoters)
    throw UserError(c10::str("'", (folder / kVotedPoints).string(), "' has the shape ", shape,
                             ", expected [clouds, points, 3] with ", kVoters, " points or more"));
  set.normals = read_part(folder / kNormals, shape);
  set.found = read_part(folder / kFound, shape);
  set.point_stats = read_part(folder / kPointStatsFile, {shape[0], shape[1], kPointStats});
  set.clouds = read_part(folder / kClouds, {shape[0], kernels::kCloudFeatures});
  if (const auto manifest = read_manifest(folder)) set.description = manifest->description;
  return set;
}

}  // namespace equiframe::inline datasets
