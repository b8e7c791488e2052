#include "normal_network.h"

#include <c10/util/StringUtil.h>

#include "equiframe/core/error.h"
#include "equiframe/models/model_file.h"
#include "shipped_files.h"

namespace equiframe::app {
namespace {

constexpr const char* kPatches = "models/normals-fa-patch.safetensors";
constexpr const char* kVotes = "models/normals-votes.safetensors";
constexpr const char* kChoice = "models/normals-choice.safetensors";

std::filesystem::path shipped(const char* name) {
  const auto file = find_shipped(name);
  if (!file)
    throw UserError(c10::str("the weights '", name,
                             "' are not beside the program; name a model with --model, or use "
                             "--method pca"));
  return *file;
}

/// Where `files` are found; an empty second or third one = none.
NormalNetworkFiles find_network_files(const NormalNetworkFiles& files) {
  NormalNetworkFiles found = files;
  const auto later = [&](std::filesystem::path& file, const char* name) {
    if (file == "none" || (file.empty() && !files.patches.empty()))
      file.clear();
    else if (file.empty())
      file = shipped(name);
  };
  later(found.votes, kVotes);
  later(found.choice, kChoice);
  if (files.patches.empty()) found.patches = shipped(kPatches);
  return found;
}

std::shared_ptr<Model> load_if(const std::filesystem::path& file) {
  return file.empty() ? nullptr : load_model(file).model;
}

}  // namespace

NormalEstimator load_normal_network(const NormalNetworkFiles& files) {
  const NormalNetworkFiles found = find_network_files(files);
  const auto votes = load_if(found.votes), choice = load_if(found.choice);
  return NormalEstimator(*load_model(found.patches).model, votes.get(), choice.get());
}

std::optional<NormalEstimator> shipped_normal_network() {
  for (const char* name : {kPatches, kVotes, kChoice})
    if (!find_shipped(name)) return std::nullopt;
  return load_normal_network({});
}

std::string shipped_normal_network_name() {
  return c10::str(kPatches, ", ", kVotes, " and ", kChoice);
}

}  // namespace equiframe::app
