#include "normals/tiles/tile_size.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <c10/util/StringUtil.h>

#include "core/memory_size.h"
#include "equiframe/core/error.h"
#include "geometry/search/neighbors.h"
#include "runtime/machine.h"

namespace equiframe::inline normals {
namespace {

constexpr double kShareOfFree = 0.7, kMargins = 1.5;
constexpr int64_t kResults = 40, kOrder = 28;  // bytes a point
constexpr int64_t kSmallestTile = 20'000;

int64_t bytes_of(const Tensor& values) {
  return values.defined() ? static_cast<int64_t>(values.nbytes()) : 0;
}

/// What the cloud and its normals take.
int64_t held_bytes(const PointCloud& cloud) {
  int64_t held = bytes_of(cloud.points) + bytes_of(cloud.normals) + bytes_of(cloud.faces);
  for (const PointColumn& column : cloud.columns) held += bytes_of(column.values);
  return held + kResults * cloud.size();
}

}  // namespace

std::optional<int64_t> tile_size(const PointCloud& cloud, int64_t max_memory, Orientation rule) {
  const int64_t held = held_bytes(cloud);
  const auto free = static_cast<double>(runtime::machine().memory_available_bytes);
  const int64_t limit =
      max_memory > 0 ? max_memory : held + static_cast<int64_t>(kShareOfFree * free);
  const int64_t tree = NeighborSearch::kBytesPerPoint * cloud.size();
  if (held + tree <= limit) return std::nullopt;
  const int64_t room = limit - held - kOrder * cloud.size();
  const auto points = static_cast<int64_t>(static_cast<double>(room) / kMargins /
                                           double{NeighborSearch::kBytesPerPoint});
  const int64_t least = std::min(kSmallestTile, cloud.size());
  const auto in_words = [](int64_t bytes) { return text::memory_text(static_cast<double>(bytes)); };
  if (points < least)
    throw UserError(
        c10::str("the cloud and its normals take ",
                 in_words(limit - room + 2 * NeighborSearch::kBytesPerPoint * least),
                 " at least, more than --max-memory allows; raise it or split the file"));
  if (rule == Orientation::kMst || rule == Orientation::kOutward)
    throw UserError(c10::str("--orient mst and outward look at the whole cloud at once and take ",
                             in_words(held + tree),
                             "; raise --max-memory, or use none or viewpoint"));
  return points;
}

}  // namespace equiframe::inline normals
