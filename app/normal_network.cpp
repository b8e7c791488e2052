#include "normal_network.h"

#include <c10/util/StringUtil.h>

#include "equiframe/core/error.h"
#include "equiframe/training/model_file.h"
#include "shipped_files.h"

namespace equiframe::app {
namespace {

constexpr const char* kPatches = "models/normals-fa-patch.safetensors";
constexpr const char* kVotes = "models/normals-votes.safetensors";

std::filesystem::path shipped(const char* name) {
  const auto file = find_shipped(name);
  if (!file)
    throw UserError(c10::str("the weights '", name,
                             "' are not beside the program; name a model with --model, or use "
                             "--method pca"));
  return *file;
}

/// Where `files` are found; no votes = none.
NormalNetworkFiles find_network_files(const NormalNetworkFiles& files) {
  NormalNetworkFiles found = files;
  if (files.votes == "none" || (files.votes.empty() && !files.patches.empty()))
    found.votes.clear();
  else if (files.votes.empty())
    found.votes = shipped(kVotes);
  if (files.patches.empty()) found.patches = shipped(kPatches);
  return found;
}

}  // namespace

NormalEstimator load_normal_network(const NormalNetworkFiles& files) {
  const NormalNetworkFiles found = find_network_files(files);
  const auto patches = load_model(found.patches).model;
  if (found.votes.empty()) return NormalEstimator(*patches);
  return NormalEstimator(*patches, load_model(found.votes).model.get());
}

std::optional<NormalEstimator> shipped_normal_network() {
  if (!find_shipped(kPatches) || !find_shipped(kVotes)) return std::nullopt;
  return load_normal_network({});
}

std::string shipped_normal_network_name() {
  return c10::str(kPatches, " and ", kVotes);
}

}  // namespace equiframe::app
