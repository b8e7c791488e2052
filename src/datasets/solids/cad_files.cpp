#include <fstream>

#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "equiframe/datasets/cad_set.h"
#include "equiframe/io/npy.h"
#include "io/arrays/expected_shape.h"
#include "io/bytes/atomic_file.h"
#include "io/bytes/manifest.h"

namespace equiframe::inline datasets {
namespace {

namespace fs = std::filesystem;

constexpr const char *kPoints = "points.npy", *kNormals = "normals.npy", *kEdges = "edges.npy",
                     *kRecipes = "recipes.txt";

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream stream(path);
  if (!stream)
    throw UserError(c10::str("cannot read '", path.string(),
                             "'; make a set with 'equiframe data cad --out FOLDER'"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::map<std::string, std::string> write_cad(const fs::path& folder, const CadSet& set,
                                             const std::vector<std::string>& others) {
  write_npy(folder / kPoints, set.points);
  write_npy(folder / kNormals, set.normals);
  write_npy(folder / kEdges, set.edges);
  std::string lines;
  for (const std::string& recipe : set.recipes) lines.append(recipe).append("\n");
  write_file_atomically(folder / kRecipes, lines);
  std::vector<std::string> files{kPoints, kNormals, kEdges, kRecipes};
  files.insert(files.end(), others.begin(), others.end());
  return write_manifest(folder, set.description, files).files;
}

CadSet read_cad(const fs::path& folder) {
  CadSet set;
  set.recipes = read_lines(folder / kRecipes);
  set.points = read_npy(folder / kPoints, at::kFloat);
  set.normals = read_npy(folder / kNormals, at::kFloat);
  set.edges = read_npy(folder / kEdges, at::kFloat);
  const auto shape = set.points.sizes();
  if (shape.size() != 3 || shape[2] != 3)
    throw UserError(c10::str("'", (folder / kPoints).string(), "' has the shape ", shape,
                             ", expected [models, points, 3]"));
  require_shape(set.normals, shape, folder / kNormals, kPoints);
  require_shape(set.edges, shape.slice(0, 2), folder / kEdges, kPoints);
  if (static_cast<int64_t>(set.recipes.size()) != shape[0])
    throw UserError(c10::str("'", (folder / kRecipes).string(), "' has ", set.recipes.size(),
                             " lines, expected ", shape[0], " to agree with ", kPoints));
  if (const auto manifest = read_manifest(folder)) set.description = manifest->description;
  return set;
}

}  // namespace equiframe::inline datasets
