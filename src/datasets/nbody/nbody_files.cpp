#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "core/shell.h"
#include "core/text.h"
#include "equiframe/core/error.h"
#include "equiframe/datasets/nbody.h"
#include "equiframe/io/npy.h"
#include "io/arrays/expected_shape.h"
#include "io/bytes/manifest.h"

namespace equiframe::inline datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<const char*, Tensor NBodySplit::*>, 4> kKinds{
    {{"loc", &NBodySplit::loc},
     {"vel", &NBodySplit::vel},
     {"edges", &NBodySplit::edges},
     {"charges", &NBodySplit::charges}}};
constexpr std::array<std::pair<const char*, NBodySplit NBodyArrays::*>, 3> kSplits{
    {{"train", &NBodyArrays::train}, {"valid", &NBodyArrays::valid}, {"test", &NBodyArrays::test}}};

std::string how_to_make(const fs::path& folder) {
  return "; make a set with: equiframe data nbody --out " + text::shell_quoted(folder.string());
}

std::string file_name(const std::string& kind, const std::string& split, const std::string& tag) {
  return kind + "_" + split + tag + ".npy";
}

/// The tags of all sets of which the folder has the training positions.
std::vector<std::string> tags_in(const fs::path& folder) {
  const std::string head = "loc_train", tail = ".npy";
  std::vector<std::string> tags;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with(head) && file.ends_with(tail))
      tags.push_back(file.substr(head.size(), file.size() - head.size() - tail.size()));
  }
  if (error)
    throw UserError("cannot read the folder '" + folder.string() + "': " + error.message() +
                    how_to_make(folder));
  std::sort(tags.begin(), tags.end());
  return tags;
}

std::string only_tag(const fs::path& folder) {
  const std::vector<std::string> tags = tags_in(folder);
  if (tags.size() == 1) return tags.front();
  if (tags.empty())
    throw UserError("no n-body set in '" + folder.string() + "': expected files such as " +
                    file_name("loc", "train", NBodyOptions().tag()) + how_to_make(folder));
  throw UserError("'" + folder.string() +
                  "' holds several n-body sets; choose one by its tag: " + text::join(tags));
}

void refuse_missing(const fs::path& folder, const std::string& tag) {
  std::vector<std::string> missing;
  for (const auto& [split, in_arrays] : kSplits) {
    for (const auto& [kind, in_split] : kKinds) {
      const std::string file = file_name(kind, split, tag);
      if (!fs::exists(folder / file)) missing.push_back(file);
    }
  }
  if (missing.empty()) return;
  throw UserError("the n-body set in '" + folder.string() +
                  "' is incomplete, missing: " + text::join(missing) + how_to_make(folder));
}

NBodySplit read_split(const fs::path& folder, const std::string& split, const std::string& tag) {
  NBodySplit result;
  const auto file = [&](const char* kind) { return folder / file_name(kind, split, tag); };
  for (const auto& [kind, in_split] : kKinds)
    result.*in_split = read_npy(file(kind)).to(at::kDouble);
  const auto shape = result.loc.sizes();
  if (shape.size() != 4 || shape[2] != 3)
    throw UserError(c10::str("'", file("loc").string(), "' has the shape ", shape,
                             ", expected [trajectories, frames, 3, particles]"));
  const int64_t count = shape[0], n = shape[3];
  const auto agrees = [&](const char* kind, const Tensor& values, at::IntArrayRef expected) {
    require_shape(values, expected, file(kind), "the positions of its split");
  };
  agrees("vel", result.vel, shape);
  agrees("edges", result.edges, {count, n, n});
  agrees("charges", result.charges, {count, n, 1});
  return result;
}

}  // namespace

std::map<std::string, std::string> write_nbody(const fs::path& folder, const NBodyArrays& arrays,
                                               const NBodyWork& work) {
  std::vector<std::string> files;
  for (const auto& [split, in_arrays] : kSplits) {
    for (const auto& [kind, in_split] : kKinds) {
      files.push_back(file_name(kind, split, arrays.tag));
      if (work.progress)
        work.progress(static_cast<double>(files.size() - 1) / (kSplits.size() * kKinds.size()),
                      files.back());
      write_npy(folder / files.back(), arrays.*in_arrays.*in_split);
    }
  }
  return write_manifest(folder, arrays.description, files).files;
}

NBodyArrays read_nbody(const fs::path& folder, const std::string& tag) {
  NBodyArrays arrays;
  arrays.tag = tag.empty() ? only_tag(folder) : tag;
  refuse_missing(folder, arrays.tag);
  for (const auto& [split, in_arrays] : kSplits) {
    arrays.*in_arrays = read_split(folder, split, arrays.tag);
    const int64_t n = (arrays.*in_arrays).loc.size(3), expected = arrays.train.loc.size(3);
    if (n != expected)
      throw UserError(c10::str("the n-body set in '", folder.string(), "' has ", expected,
                               " particles in its train split, but ", n, " in ", split));
  }
  if (const auto manifest = read_manifest(folder)) arrays.description = manifest->description;
  return arrays;
}

}  // namespace equiframe::inline datasets
