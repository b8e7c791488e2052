#include "normals_methods.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <ATen/ATen.h>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "geometry/search/tiled_neighbors.h"
#include "memory_size.h"
#include "normals/classical/classical_normals.h"
#include "progress.h"
#include "runtime/machine.h"

namespace equiframe::app {
namespace {

int64_t bytes_of(const Tensor& values) {
  return values.defined() ? static_cast<int64_t>(values.nbytes()) : 0;
}

/// How many points may be searched at a time, or nothing if all may.
std::optional<int64_t> tile_points(const PointCloud& cloud, const NormalsRequest& request) {
  constexpr double kShareOfFree = 0.7, kMargins = 1.5;
  constexpr int64_t kResults = 40, kOrder = 28, kLeastTile = 20'000;  // bytes a point; points
  int64_t held = bytes_of(cloud.points) + bytes_of(cloud.normals) + bytes_of(cloud.faces);
  for (const PointColumn& column : cloud.columns) held += bytes_of(column.values);
  held += kResults * cloud.size();
  const auto free = static_cast<double>(runtime::machine().memory_available_bytes);
  const int64_t limit = request.max_memory > 0 ? request.max_memory
                                               : held + static_cast<int64_t>(kShareOfFree * free);
  const int64_t tree = NeighborSearch::kBytesPerPoint * cloud.size();
  if (held + tree <= limit) return std::nullopt;
  const int64_t room = limit - held - kOrder * cloud.size();
  const auto points = static_cast<int64_t>(static_cast<double>(room) / kMargins /
                                           double{NeighborSearch::kBytesPerPoint});
  const int64_t least = std::min(kLeastTile, cloud.size());
  if (points < least)
    throw UserError(c10::str(
        "the cloud and its normals take ",
        memory_text(static_cast<double>(limit - room + 2 * NeighborSearch::kBytesPerPoint * least)),
        " at least, more than --max-memory allows; raise it or split the file"));
  const Orientation rule = request.orientation.rule;
  if (rule == Orientation::kMst || rule == Orientation::kOutward)
    throw UserError(c10::str("--orient mst and outward look at the whole cloud at once and take ",
                             memory_text(static_cast<double>(held + tree)),
                             "; raise --max-memory, or use none or viewpoint"));
  return points;
}

/// One cloud, its search and one method.
class Finder {
 public:
  Finder(const PointCloud& cloud, const NormalsRequest& request)
      : cloud_(cloud), request_(request) {}

  FoundNormals run() {
    if (request_.method == "fa" && request_.k > 0)
      throw UserError("-k belongs to --method pca and jet; the network looks at 192 neighbours");
    const NormalNetworkFiles& network = request_.network;
    const bool named =
        !(network.patches.empty() && network.votes.empty() && network.choice.empty());
    if (request_.method != "fa" && named)
      throw UserError("--model, --votes and --choice belong to --method fa");
    build();
    FoundNormals found = request_.method == "fa" ? by_network() : by_fit();
    found.tiles = tiled_ ? tiled_->tiles() : 1;
    orient(found);
    return found;
  }

 private:
  void build() {
    if (const auto most = tile_points(cloud_, request_))
      tiled_ = std::make_unique<TiledNeighbors>(cloud_.points, *most);
    else
      whole_ = std::make_unique<NeighborSearch>(cloud_.points);
  }
  const NeighborBlocks& blocks() const {
    return tiled_ ? static_cast<const NeighborBlocks&>(*tiled_) : *whole_;
  }

  FoundNormals by_network() const {
    const NormalEstimator network = load_normal_network(request_.network);
    ProgressBar bar("normals", static_cast<double>(cloud_.size()));
    const auto points = static_cast<double>(cloud_.size());
    const LearnedNormals found = network.estimate(blocks(), [&](double share) {
      bar.update(share * points, std::to_string(std::lround(share * points)));
    });
    FoundNormals result;
    result.normals = found.normals;
    result.confidence = found.confidence();
    result.degenerate = found.degenerate;
    result.k = std::min(NormalEstimator::kNeighbors, cloud_.size());
    return result;
  }

  FoundNormals by_fit() const {
    NormalOptions options{fit(), request_.k, at::kFloat};
    FoundNormals result;
    result.k_chosen = options.k == 0;
    if (result.k_chosen) options.k = chosen_k(options.fit);
    const PointNormals found = estimate_normals(blocks(), options);
    result.normals = found.normals;
    result.confidence = (1 - 3 * found.variation).clamp(0, 1);
    result.degenerate = found.degenerate;
    result.k = options.k;
    return result;
  }

  NormalFit fit() const {
    if (request_.method == "pca") return NormalFit::kPca;
    if (request_.method == "jet") return NormalFit::kJet;
    throw UserError(text::unknown_name("method", request_.method, {"fa", "pca", "jet"}));
  }

  int64_t chosen_k(NormalFit fit) const {
    if (whole_) return best_k(cloud_.points, *whole_, {fit});
    const Tensor part = tiled_->middle();
    return best_k(part, NeighborSearch(part), {fit});
  }

  void orient(FoundNormals& found) const {
    if (request_.orientation.rule == Orientation::kNone) return;
    if (tiled_) {
      found.normals = normals_towards(request_.orientation.viewpoint, cloud_.points, found.normals);
      return;
    }
    const OrientedNormals oriented =
        orient_normals(*whole_, cloud_.points, found.normals, request_.orientation);
    found.normals = oriented.normals;
    found.parts = oriented.parts;
  }

  const PointCloud& cloud_;
  const NormalsRequest& request_;
  std::unique_ptr<NeighborSearch> whole_;
  std::unique_ptr<TiledNeighbors> tiled_;
};

}  // namespace

FoundNormals find_normals(const PointCloud& cloud, const NormalsRequest& request) {
  return Finder(cloud, request).run();
}

}  // namespace equiframe::app
