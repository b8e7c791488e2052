#include "equiframe/normals/estimate.h"

#include <algorithm>
#include <memory>

#include <ATen/ATen.h>
#include <c10/util/StringUtil.h>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "geometry/search/cloud_points.h"
#include "geometry/search/tiled_neighbors.h"
#include "normals/classical/classical_normals.h"
#include "normals/estimate_by.h"
#include "normals/learned/network_files.h"
#include "normals/orientation/orientation.h"
#include "normals/tiles/tile_size.h"

namespace equiframe::inline normals {
namespace {

constexpr int64_t kMinPoints = 3, kMinNeighbors = 3, kMaxNeighbors = 512;

const std::vector<std::string> kMethods{"fa", "pca", "jet"};
const std::vector<std::string> kOrientations{"none", "viewpoint", "mst",
                                             "outward"};  // as Orientation

Orientation orientation_named(const std::string& name) {
  const auto found = std::find(kOrientations.begin(), kOrientations.end(), name);
  if (found == kOrientations.end())
    throw UserError(text::unknown_name("orientation", name, kOrientations));
  return static_cast<Orientation>(found - kOrientations.begin());
}

OrientationOptions orientation_of(const EstimateOptions& options) {
  OrientationOptions result;
  result.rule = orientation_named(options.orient);
  result.viewpoint = options.viewpoint.value_or(result.viewpoint);
  return result;
}

/// The same cloud with points that can be searched.
PointCloud checked(const PointCloud& cloud) {
  PointCloud result = cloud;
  result.points = cloud_points(cloud.points, "the cloud");
  if (result.size() < kMinPoints)
    throw UserError(c10::str("a cloud of ", result.size(), " points has no normals; give ",
                             kMinPoints, " or more"));
  return result;
}

/// The neighbours of a cloud, searched at once or, where memory is short, tile by tile.
class CloudSearch {
 public:
  CloudSearch(const PointCloud& cloud, int64_t max_memory, Orientation rule)
      : points_(cloud.points) {
    if (const auto most = tile_size(cloud, max_memory, rule))
      tiled_ = std::make_unique<TiledNeighbors>(points_, *most);
    else
      whole_ = std::make_unique<NeighborSearch>(points_);
  }

  const NeighborBlocks& blocks() const {
    return tiled_ ? static_cast<const NeighborBlocks&>(*tiled_) : *whole_;
  }
  int64_t tiles() const { return tiled_ ? tiled_->tiles() : 1; }

  int64_t chosen_k(NormalFit fit) const {
    if (whole_) return best_k(points_, *whole_, {fit});
    const Tensor part = tiled_->middle();
    return best_k(part, NeighborSearch(part), {fit});
  }

  void orient(EstimatedNormals& found, const OrientationOptions& options) const {
    if (options.rule == Orientation::kNone) return;
    if (tiled_) {
      found.normals = normals_towards(options.viewpoint, points_, found.normals);
      return;
    }
    const OrientedNormals oriented = orient_normals(*whole_, points_, found.normals, options);
    found.normals = oriented.normals;
    found.parts = oriented.parts;
  }

 private:
  Tensor points_;  // [N, 3] float64
  std::unique_ptr<NeighborSearch> whole_;
  std::unique_ptr<TiledNeighbors> tiled_;
};

EstimatedNormals by_network(const CloudSearch& search, const NormalEstimator& networks,
                            const EstimateOptions& options) {
  const LearnedNormals found = networks.estimate(search.blocks(), options.progress);
  EstimatedNormals result;
  result.normals = found.normals;
  result.confidence = found.confidence();
  result.degenerate = found.degenerate;
  result.k = std::min(NormalEstimator::kNeighbors, search.blocks().size());
  return result;
}

EstimatedNormals by_fit(const CloudSearch& search, const EstimateOptions& options) {
  NormalOptions fit{options.method == "pca" ? NormalFit::kPca : NormalFit::kJet, options.k,
                    at::kFloat};
  EstimatedNormals result;
  result.k_chosen = fit.k == 0;
  if (result.k_chosen) fit.k = search.chosen_k(fit.fit);
  const PointNormals found = estimate_normals(search.blocks(), fit);
  result.normals = found.normals;
  result.confidence = (1 - 3 * found.variation).clamp(0, 1);
  result.degenerate = found.degenerate;
  result.k = fit.k;
  return result;
}

/// Searches the cloud, has `method` find normals, and orients them.
template <class Method>
EstimatedNormals find(const PointCloud& cloud, const EstimateOptions& options,
                      const Method& method) {
  const at::NoGradGuard no_grad;
  const OrientationOptions orientation = orientation_of(options);
  const CloudSearch search(checked(cloud), options.max_memory, orientation.rule);
  EstimatedNormals found = method(search);
  found.tiles = search.tiles();
  search.orient(found, orientation);
  return found;
}

}  // namespace

void validate(const EstimateOptions& options) {
  if (std::find(kMethods.begin(), kMethods.end(), options.method) == kMethods.end())
    throw UserError(text::unknown_name("method", options.method, kMethods));
  if (options.k != 0 && (options.k < kMinNeighbors || options.k > kMaxNeighbors))
    throw UserError(
        c10::str("-k ", options.k, " is not from ", kMinNeighbors, " to ", kMaxNeighbors));
  const NormalNetworkFiles& files = options.networks;
  const bool named = !(files.patches.empty() && files.votes.empty() && files.choice.empty());
  if (options.method == "fa" && options.k > 0)
    throw UserError("-k belongs to --method pca and jet; the network looks at 192 neighbours");
  if (options.method != "fa" && named)
    throw UserError("--model, --votes and --choice belong to --method fa");
  const bool needs_place = orientation_named(options.orient) == Orientation::kViewpoint;
  if (needs_place != options.viewpoint.has_value())
    throw UserError(needs_place ? "--orient viewpoint needs a place: --viewpoint X Y Z"
                                : "--viewpoint belongs to --orient viewpoint");
}

EstimatedNormals estimate_by(const NormalEstimator& networks, const PointCloud& cloud,
                             const EstimateOptions& options) {
  validate(options);
  return find(cloud, options,
              [&](const CloudSearch& search) { return by_network(search, networks, options); });
}

EstimatedNormals estimate(const PointCloud& cloud, const EstimateOptions& options) {
  validate(options);
  if (options.method == "fa")
    return estimate_by(*kept_normal_networks(options.networks), cloud, options);
  return find(cloud, options, [&](const CloudSearch& search) { return by_fit(search, options); });
}

EstimatedNormals estimate(const Tensor& points, const EstimateOptions& options) {
  PointCloud cloud;
  cloud.points = points;
  return estimate(cloud, options);
}

}  // namespace equiframe::inline normals
