#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "datasets/solids/surface_clouds.h"
#include "equiframe/core/error.h"
#include "equiframe/io/point_files.h"
#include "geometry/mesh/mesh.h"
#include "io/bytes/checksum.h"
#include "io/bytes/input_file.h"

namespace equiframe::inline datasets {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Meshes in files, each read when it is first drawn from and kept.
class MeshFiles final : public Surfaces {
 public:
  explicit MeshFiles(std::vector<fs::path> files)
      : files_(std::move(files)), meshes_(files_.size()) {}

  int64_t size() const override { return static_cast<int64_t>(files_.size()); }

  Tensor draw(int64_t item, int64_t count, const Rng& rng) const override {
    constexpr uint64_t kPick = 0x6d657368;
    const Rng own{rng.bits(static_cast<uint64_t>(item), kPick), 0};
    const auto number = static_cast<size_t>(item);
    const auto kept = mesh(number);
    try {
      const SurfaceSamples samples = sample_surface(*kept, count, own);
      return at::cat({samples.points, samples.normals}, 1);
    } catch (const UserError& error) {
      throw UserError("dataset abc: '" + files_[number].string() + "': " + error.what() +
                      "; repair the file, or take its name out of the list");
    }
  }

 private:
  /// Two threads that want the same new mesh both read it; the first to end is kept.
  std::shared_ptr<const PointCloud> mesh(size_t number) const {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (meshes_[number] != nullptr) return meshes_[number];
    }
    const PointCloud file = read_points(files_[number]);
    auto read = std::make_shared<const PointCloud>(PointCloud{file.points, {}, {}, file.faces});
    const std::lock_guard<std::mutex> lock(mutex_);
    if (meshes_[number] == nullptr) meshes_[number] = std::move(read);
    return meshes_[number];
  }

  std::vector<fs::path> files_;
  mutable std::mutex mutex_;  // of what follows
  mutable std::vector<std::shared_ptr<const PointCloud>> meshes_;
};

/// The names in {"scans": {"all": [...]}}.
std::vector<std::string> read_names(const fs::path& file, const std::string& option) {
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    throw UserError("dataset abc: there is no list of names '" + file.string() +
                    "'; put it there or set data." + option + " to its path in the data folder");
  const json document = json::parse(read_whole_file(file), nullptr, /*allow_exceptions=*/false);
  const json::json_pointer place("/scans/all");
  const bool found = !document.is_discarded() && document.contains(place);
  const json names = found ? document.at(place) : json();
  const auto is_name = [](const json& name) { return name.is_string(); };
  if (!names.is_array() || !std::all_of(names.begin(), names.end(), is_name))
    throw UserError("dataset abc: '" + file.string() + "' is not a list of names; expected JSON " +
                    R"({"scans": {"all": ["name", "name"]}})");
  if (names.empty())
    throw UserError("dataset abc: the list '" + file.string() +
                    "' is empty; expected the names of meshes in \"scans\", \"all\"");
  return names.get<std::vector<std::string>>();
}

/// folder/split/512/name.obj, as published, or folder/split/name.obj.
fs::path mesh_file(const fs::path& folder, const std::string& split, const std::string& name) {
  const fs::path published = folder / split / "512" / (name + ".obj");
  const fs::path plain = folder / split / (name + ".obj");
  std::error_code ignored;
  if (fs::is_regular_file(published, ignored)) return published;
  if (fs::is_regular_file(plain, ignored)) return plain;
  throw UserError("dataset abc: the " + split + " list has '" + name + "', but there is neither '" +
                  published.string() + "' nor '" + plain.string() +
                  "'; unpack the meshes there or take the name out of the list");
}

/// Training, validation and test meshes in this order.
struct Meshes {
  std::vector<fs::path> files;
  int64_t train = 0, valid = 0, test = 0;
  std::string checksum;
};

/// The share of the training list that is for validation, in meshes.
int64_t validation_count(double share, int64_t listed) {
  if (!(share > 0 && share < 1))
    throw UserError(c10::str("dataset abc: valid=", share, " is not a share between 0 and 1 of ",
                             "the training list"));
  if (listed < 2)
    throw UserError(
        "dataset abc: the training list has one name; two are needed, the last for "
        "validation");
  const auto count = std::llround(share * static_cast<double>(listed));
  return std::clamp<int64_t>(count, 1, listed - 1);
}

void refuse_shared(const std::vector<std::string>& train, const std::vector<std::string>& test) {
  const std::set<std::string> trained(train.begin(), train.end());
  for (const std::string& name : test)
    if (trained.contains(name))
      throw UserError("dataset abc: '" + name +
                      "' is in the training list and in the test list; take it out of one");
}

Meshes find_meshes(const fs::path& folder, const Options& options) {
  const std::string train_list = options.get("train_split", "train.json");
  const std::string test_list = options.get("test_split", "test.json");
  const double share = options.get_double("valid", 0.1);
  options.refuse_unread("dataset abc");
  if (folder.empty())
    throw UserError(
        "dataset abc: no folder is given; say with --data where the meshes and the "
        "lists train.json and test.json are");
  const auto train = read_names(folder / train_list, "train_split");
  const auto test = read_names(folder / test_list, "test_split");
  refuse_shared(train, test);
  Meshes meshes;
  meshes.valid = validation_count(share, static_cast<int64_t>(train.size()));
  meshes.train = static_cast<int64_t>(train.size()) - meshes.valid;
  meshes.test = static_cast<int64_t>(test.size());
  std::string summary = c10::str(meshes.train, " ", meshes.valid, " ", meshes.test, "\n");
  const auto add = [&](const std::string& split, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      meshes.files.push_back(mesh_file(folder, split, name));
      summary += c10::str(name, " ", fs::file_size(meshes.files.back()), "\n");
    }
  };
  add("train", train);
  add("test", test);
  meshes.checksum = sha256(summary);
  return meshes;
}

class AbcSource final : public SplitSource {
 public:
  Splits load(const DataRequest& request) const override {
    const CloudTask task = CloudTask::from(request.options);
    Meshes meshes = find_meshes(request.folder, request.options);
    const auto surfaces = std::make_shared<const MeshFiles>(std::move(meshes.files));
    const auto part = [&](int64_t first, int64_t count) {
      return std::make_shared<SurfaceClouds>(surfaces, first, count, task);
    };
    return {part(0, meshes.train), part(meshes.train, meshes.valid),
            part(meshes.train + meshes.valid, meshes.test), meshes.checksum,
            c10::str(task.str(), ", ", meshes.train, "/", meshes.valid, "/", meshes.test,
                     " meshes, validation from the end of the training list; ",
                     request.folder.string())};
  }
};

const bool kAbcRegistered = Datasets::instance().add(
    "abc", "clouds of 512 points with normals on the meshes of ABC, from a folder with its lists",
    [] { return std::make_unique<AbcSource>(); });

}  // namespace
}  // namespace equiframe::inline datasets
