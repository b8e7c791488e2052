#include "datasets/patches/vote_set.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <ATen/ATen.h>

#include "core/parallel.h"
#include "datasets/patches/noisy_clouds.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/io/npy.h"

namespace equiframe::inline datasets {
namespace {

namespace fs = std::filesystem;

constexpr const char *kVotedPoints = "points.npy", *kNormals = "normals.npy", *kFound = "found.npy",
                     *kTold = "told.npy", *kClouds = "clouds.npy";

/// Points at least, against those of a part.
constexpr double kLeastCloud = 1.2;
constexpr uint64_t kVotes = 0x766f746573;

Tensor read_part(const fs::path& file, at::IntArrayRef expected) {
  const Tensor values = read_npy(file, at::kFloat);
  if (values.sizes() != expected)
    throw UserError(c10::str("'", file.string(), "' has the shape ", values.sizes(), ", expected ",
                             expected, " to agree with ", kVotedPoints));
  return values;
}

/// Part m of a set, of a cloud drawn from a shape.
void make_part(const CadSet& shapes, int64_t shape, const NormalEstimator& network,
               const CloudDraws& draws, at::Generator generator, int64_t m, VoteSet& set) {
  const SurfaceCloud cloud =
      draw_cloud({shapes.points[shape].to(at::kDouble), shapes.normals[shape].to(at::kDouble)},
                 draws, generator);
  const NeighborSearch search(cloud.points);
  const int64_t part = set.points.size(1);
  const int64_t middle = at::randint(cloud.points.size(0), {1}, generator).item<int64_t>();
  const Tensor centre = cloud.points.narrow(0, middle, 1);
  const Tensor rows = search.nearest(centre, part).indices.squeeze(0);
  std::vector<int64_t> ascending(rows.data_ptr<int64_t>(), rows.data_ptr<int64_t>() + part);
  std::sort(ascending.begin(), ascending.end());
  const FirstNormals first = network.first(search, ascending);
  set.points[m].copy_(cloud.points.index_select(0, rows) - centre);
  set.normals[m].copy_(cloud.normals.index_select(0, rows));
  set.found[m].copy_(first.normals.index_select(0, rows));
  set.told[m].copy_(first.told.index_select(0, rows));
  set.clouds[m].copy_(first.cloud);
}

}  // namespace

VoteSet make_votes(const CadSet& shapes, const NormalEstimator& network,
                   const VoteSetOptions& options, const std::function<void(int64_t done)>& done) {
  const int64_t stored = shapes.points.size(1), part = options.points, count = options.clouds;
  CloudDraws draws;
  draws.least_points = std::lround(kLeastCloud * static_cast<double>(part));
  if (count < 1 || part < kVoters || draws.least_points > stored)
    throw UserError(c10::str("votes: ", count, " clouds with parts of ", part,
                             " points, from shapes of ", stored, " points; parts need ", kVoters,
                             " points or more and shapes ", kLeastCloud, " times as many"));
  VoteSet set{at::empty({count, part, 3}, at::kFloat),
              at::empty({count, part, 3}, at::kFloat),
              at::empty({count, part, 3}, at::kFloat),
              at::empty({count, part, kernels::kToldNumbers}, at::kFloat),
              at::empty({count, kernels::kCloudFeatures}, at::kFloat),
              c10::str("votes clouds=", count, " points=", part, " seed=", options.seed,
                       " shapes: ", shapes.description)};
  std::mutex mutex;
  int64_t finished = 0;
  for_each_part(count, [&](int64_t m) {
    make_part(shapes, m * shapes.points.size(0) / count, network, draws,
              make_generator(Rng{options.seed}.bits(static_cast<uint64_t>(m), kVotes)), m, set);
    const std::lock_guard lock(mutex);
    if (done) done(++finished);
  });
  return set;
}

Manifest write_votes(const fs::path& folder, const VoteSet& set) {
  write_npy(folder / kVotedPoints, set.points);
  write_npy(folder / kNormals, set.normals);
  write_npy(folder / kFound, set.found);
  write_npy(folder / kTold, set.told);
  write_npy(folder / kClouds, set.clouds);
  return write_manifest(folder, set.description, {kVotedPoints, kNormals, kFound, kTold, kClouds});
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
  set.told = read_part(folder / kTold, {shape[0], shape[1], kernels::kToldNumbers});
  set.clouds = read_part(folder / kClouds, {shape[0], kernels::kCloudFeatures});
  if (const auto manifest = read_manifest(folder)) set.description = manifest->description;
  return set;
}

}  // namespace equiframe::inline datasets
