#include "audit/measure/census.h"

#include <algorithm>

#include <torch/types.h>

#include "core/text.h"
#include "equiframe/audit/audit.h"
#include "equiframe/core/error.h"
#include "equiframe/frames/frame.h"
#include "equiframe/io/npy.h"
#include "equiframe/io/point_files.h"

namespace equiframe::audit {
namespace {

namespace fs = std::filesystem;

const Slot& first_typed(const Typing& typing) {
  for (const Slot& slot : typing.in) {
    if (!slot.field.fields().empty()) return slot;
  }
  throw UserError("--data is for models of T, O, SO, E and SE; " + typing.name() +
                  " has no degenerate clouds");
}

std::vector<Tensor> items_of_array(const fs::path& file, const Slot& slot) {
  Tensor all = read_npy(file).to(torch::kFloat64);
  if (all.dim() == 2) all = all.unsqueeze(0);
  if (all.dim() != 3 || all.size(2) != slot.channels)
    throw UserError(c10::str("'", file.string(), "' must be [items, N, ", slot.channels, "] for '",
                             slot.text, "', it is ", all.sizes()));
  return all.unbind(0);
}

Tensor item_of_cloud(const fs::path& file, const Slot& slot) {
  constexpr int64_t kPointAndNormal = 6;
  const PointCloud cloud = read_points(file, {.invalid = InvalidPoints::kKeep});
  if (slot.channels == 3) return cloud.points;
  if (slot.channels == kPointAndNormal && cloud.normals.defined())
    return torch::cat({cloud.points, cloud.normals.to(torch::kFloat64)}, 1);
  throw UserError(c10::str("'", file.string(), "' has points",
                           cloud.normals.defined() ? " and normals" : "", ", '", slot.text,
                           "' needs ", slot.channels,
                           " channels; write your inputs as .npy [items, N, ", slot.channels, "]"));
}

void count(Census& census, const FrameSet<EuclideanGroup>& frame, int64_t first) {
  for (int64_t i = 0; i < frame.batch(); ++i) {
    const auto stratum = frame.stratum.defined()
                             ? static_cast<Stratum>(frame.stratum[i].item<int64_t>())
                             : Stratum::kSimple;
    const double margin = frame.margin.defined() ? frame.margin[i].item<double>() : 1.0;
    ++census.strata[to_string(stratum)];
    if (census.margins.empty() ||
        margin < *std::min_element(census.margins.begin(), census.margins.end()))
      census.smallest_item = first + i;
    census.margins.push_back(margin);
    if (stratum == Stratum::kSimple && margin < kNearTie) ++census.near_ties;
  }
}

}  // namespace

std::vector<Tensor> read_items(const fs::path& data, const Typing& typing) {
  const Slot& slot = first_typed(typing);
  if (!fs::exists(data)) throw UserError("no file or folder '" + data.string() + "'");
  if (!fs::is_directory(data)) {
    if (data.extension() == ".npy") return items_of_array(data, slot);
    return {item_of_cloud(data, slot)};
  }
  const std::vector<std::string> known = readable_extensions();
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(data)) {
    if (std::find(known.begin(), known.end(), entry.path().extension().string()) != known.end())
      files.push_back(entry.path());
  }
  if (files.empty())
    throw UserError("'" + data.string() + "' has no file of " + text::join(known, " "));
  std::sort(files.begin(), files.end());
  std::vector<Tensor> items;
  items.reserve(files.size());
  for (const fs::path& file : files) items.push_back(item_of_cloud(file, slot));
  return items;
}

Census take_census(const Typing& typing, const std::vector<Tensor>& items) {
  const Slot& slot = first_typed(typing);
  const bool turns = typing.group->linear() != EuclideanGroup::Linear::kIdentity;
  const EuclideanGroup group = turns ? *typing.group : EuclideanGroup::SE(typing.dim());
  const auto frame = make_frame("pca(degenerate=sample)", group, slot.field);
  Census census;
  census.items = static_cast<int64_t>(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    const Tensor x = items[i].to(torch::kFloat64);
    if (!torch::isfinite(x).all().item<bool>())
      ++census.not_finite;
    else
      count(census, (*frame)(Batch(x.unsqueeze(0))), static_cast<int64_t>(i));
  }
  std::sort(census.margins.begin(), census.margins.end());
  return census;
}

}  // namespace equiframe::audit
