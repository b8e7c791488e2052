#include "io/clouds/rows/packed_colour.h"

#include <algorithm>
#include <string>
#include <utility>

#include <ATen/ATen.h>

namespace equiframe::inline io {
namespace {

constexpr uint32_t kByte = 0xff;

/// Shift of a channel by name.
constexpr std::pair<const char*, uint32_t> kChannels[] = {
    {"red", 16}, {"green", 8}, {"blue", 0}, {"alpha", 24}};

Tensor channel(const Tensor& packed, uint32_t shift) {
  Tensor values = at::empty({packed.size(0)}, at::kByte);
  auto* const to = values.data_ptr<uint8_t>();
  const auto take = [&](const auto* from) {
    for (int64_t k = 0; k < packed.size(0); ++k)
      to[k] = static_cast<uint8_t>(static_cast<uint32_t>(from[k]) >> shift & kByte);
  };
  if (packed.scalar_type() == at::kLong)
    take(packed.data_ptr<int64_t>());
  else
    take(packed.data_ptr<int32_t>());
  return values;
}

}  // namespace

void unpack_colours(PointCloud& cloud) {
  const auto at = std::find_if(cloud.columns.begin(), cloud.columns.end(), [](const auto& column) {
    return (column.name == "rgb" || column.name == "rgba") &&
           column.values.scalar_type() != at::kDouble && column.values.scalar_type() != at::kByte;
  });
  if (at == cloud.columns.end() || cloud.column("red").defined()) return;
  const size_t channels = at->name.size();
  const Tensor packed =
      at->values.scalar_type() == at::kFloat ? at->values.view(at::kInt) : at->values;
  std::vector<PointColumn> unpacked;
  for (size_t k = 0; k < channels; ++k)
    unpacked.push_back({kChannels[k].first, channel(packed, kChannels[k].second)});
  cloud.columns.insert(cloud.columns.erase(at), unpacked.begin(), unpacked.end());
}

Tensor packed_colour(const std::vector<Tensor>& colours) {
  const int64_t size = colours.front().size(0);
  Tensor packed = at::zeros({size}, at::kInt);
  auto* const to = packed.data_ptr<int32_t>();
  for (size_t c = 0; c < colours.size(); ++c) {
    const uint8_t* const from = colours[c].data_ptr<uint8_t>();
    for (int64_t k = 0; k < size; ++k)
      to[k] |= static_cast<int32_t>(uint32_t{from[k]} << kChannels[c].second);
  }
  return packed;
}

}  // namespace equiframe::inline io
