#include "normals/learned/network_files.h"

#include <array>
#include <mutex>

#include <c10/util/StringUtil.h>

#include "equiframe/core/error.h"
#include "equiframe/models/model_file.h"
#include "runtime/shipped_files.h"

namespace equiframe::inline normals {
namespace {

constexpr const char* kPatchesFile = "models/normals-fa-patch.safetensors";
constexpr const char* kVotesFile = "models/normals-votes.safetensors";
constexpr const char* kChoiceFile = "models/normals-choice.safetensors";

std::filesystem::path shipped(const char* name) {
  const auto file = runtime::find_shipped(name);
  if (!file)
    throw UserError(c10::str("the weights '", name,
                             "' are not beside the program; name a model with --model, or use "
                             "--method pca"));
  return *file;
}

/// Where `files` are found; an empty second or third one = none.
NormalNetworkFiles found_files(const NormalNetworkFiles& files) {
  NormalNetworkFiles found = files;
  const auto later = [&](std::filesystem::path& file, const char* name) {
    if (file == "none" || (file.empty() && !files.patches.empty()))
      file.clear();
    else if (file.empty())
      file = shipped(name);
  };
  later(found.votes, kVotesFile);
  later(found.choice, kChoiceFile);
  if (files.patches.empty()) found.patches = shipped(kPatchesFile);
  return found;
}

std::shared_ptr<Model> load_if(const std::filesystem::path& file) {
  return file.empty() ? nullptr : load_model(file).model;
}

NormalEstimator load_found(const NormalNetworkFiles& found) {
  const auto votes = load_if(found.votes), choice = load_if(found.choice);
  return NormalEstimator(*load_model(found.patches).model, votes.get(), choice.get());
}

/// Files and when they were written.
using FileStates = std::array<std::pair<std::filesystem::path, std::filesystem::file_time_type>, 3>;

FileStates states_of(const NormalNetworkFiles& found) {
  const auto state = [](const std::filesystem::path& file) {
    std::error_code error;  // loading says it better
    const auto time = std::filesystem::last_write_time(file, error);
    return std::pair{std::filesystem::absolute(file, error), time};
  };
  return {state(found.patches), state(found.votes), state(found.choice)};
}

}  // namespace

NormalEstimator load_normal_networks(const NormalNetworkFiles& files) {
  return load_found(found_files(files));
}

std::shared_ptr<const NormalEstimator> kept_normal_networks(const NormalNetworkFiles& files) {
  static std::mutex mutex;
  static std::pair<FileStates, std::shared_ptr<const NormalEstimator>> kept;
  const NormalNetworkFiles found = found_files(files);
  const FileStates states = states_of(found);
  const std::lock_guard lock(mutex);
  if (!kept.second || kept.first != states)
    kept = {states, std::make_shared<const NormalEstimator>(load_found(found))};
  return kept.second;
}

std::optional<NormalEstimator> shipped_normal_networks() {
  for (const char* name : {kPatchesFile, kVotesFile, kChoiceFile})
    if (!runtime::find_shipped(name)) return std::nullopt;
  return load_normal_networks({});
}

std::string shipped_normal_networks_name() {
  return c10::str(kPatchesFile, ", ", kVotesFile, " and ", kChoiceFile);
}

}  // namespace equiframe::inline normals
