#include "equiframe/io/point_files.h"

#include <map>
#include <set>
#include <stdexcept>

#include <ATen/ATen.h>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "io/bytes/input_file.h"
#include "io/clouds/rows/point_format.h"

namespace equiframe::inline io {
namespace {

namespace fs = std::filesystem;

std::map<std::string, PointFormat>& formats() {
  static std::map<std::string, PointFormat> table;
  return table;
}

const PointFormat& format_of(const fs::path& path) {
  const std::string extension = lower_extension(path);
  const auto known = formats().find(extension);
  if (known != formats().end()) return known->second;
  throw UserError(c10::str(
      "'", path.string(), "' has ",
      extension.empty() ? "no extension" : c10::str("the unknown extension '", extension, "'"),
      "; expected one of ", text::join(readable_extensions())));
}

/// The same cloud as the formats want it; copies only what is elsewhere or not contiguous.
PointCloud checked(const PointCloud& cloud) {
  const auto check = [](const Tensor& values, at::ScalarType type, at::IntArrayRef shape,
                        const char* name) {
    TORCH_CHECK(values.defined() && values.scalar_type() == type && values.sizes() == shape,
                "write_points: ", name, " must be ", type, " ", shape, ", got ",
                values.defined() ? c10::str(values.scalar_type(), " ", values.sizes()) : "nothing");
    return values.detach().cpu().contiguous();
  };
  TORCH_CHECK(cloud.points.defined() && cloud.points.dim() == 2, "write_points: no points");
  const int64_t size = cloud.size();
  PointCloud result;
  result.points = check(cloud.points, at::kDouble, {size, 3}, "points");
  if (cloud.normals.defined())
    result.normals = check(cloud.normals, at::kFloat, {size, 3}, "normals");
  std::set<std::string> names{"x", "y", "z"};
  if (result.normals.defined()) names.insert({"nx", "ny", "nz"});
  result.columns.reserve(cloud.columns.size());
  for (const auto& [name, values] : cloud.columns) {
    TORCH_CHECK(!name.empty() && names.insert(name).second, "write_points: a column named '", name,
                "' is there already");
    const at::ScalarType type = values.scalar_type();
    TORCH_CHECK(type == at::kByte || type == at::kInt || type == at::kLong || type == at::kFloat ||
                    type == at::kDouble,
                "write_points: column '", name, "' has type ", type);
    result.columns.push_back({name, check(values, type, {size}, name.c_str())});
  }
  if (!cloud.faces.defined() || cloud.faces.size(0) == 0) return result;
  result.faces = check(cloud.faces, at::kLong, {cloud.faces.size(0), 3}, "faces");
  const auto [low, high] = at::aminmax(result.faces);
  TORCH_CHECK(low.item<int64_t>() >= 0 && high.item<int64_t>() < size,
              "write_points: a face has a corner that is no point");
  return result;
}

}  // namespace

std::string lower_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

bool add_point_format(const PointFormat& format) {
  for (const std::string& extension : format.extensions)
    if (!formats().emplace(extension, format).second)
      throw std::logic_error("registered twice: " + extension);
  return true;
}

PointCloud read_points(const fs::path& path, const PointReadOptions& options) {
  const PointFormat& format = format_of(path);
  require_ordinary_file(path);
  return format.read(path, options);
}

void write_points(const fs::path& path, const PointCloud& cloud, const PointFileOptions& options) {
  const PointFormat& format = format_of(path);
  if (!format.write)
    throw UserError(c10::str("cannot write '", path.string(), "': points are written as ",
                             text::join(point_file_extensions())));
  format.write(path, checked(cloud), options);
}

std::vector<std::string> readable_extensions() {
  std::vector<std::string> extensions;
  for (const auto& [extension, format] : formats()) extensions.push_back(extension);
  return extensions;
}

std::vector<std::string> point_file_extensions() {
  std::vector<std::string> extensions;
  extensions.reserve(formats().size());
  for (const auto& [extension, format] : formats())
    if (format.write) extensions.push_back(extension);
  return extensions;
}

}  // namespace equiframe::inline io
