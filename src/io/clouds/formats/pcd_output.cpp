#include "io/clouds/formats/pcd_output.h"

#include <algorithm>
#include <string>
#include <vector>

#include <c10/util/StringUtil.h>

#include "core/plain_text.h"
#include "io/clouds/rows/packed_colour.h"
#include "io/clouds/rows/point_output.h"

namespace equiframe::inline io {
namespace {

/// The fields under the names of PCL, colours packed into one.
std::vector<OutputField> pcl_fields(const PointCloud& cloud, const PointFileOptions& options) {
  const std::vector<Tensor> colours = colours_of(cloud);
  std::vector<OutputField> fields = output_fields(cloud, options);
  for (OutputField& field : fields)
    if (field.name == "nx" || field.name == "ny" || field.name == "nz")
      field.name = text::plain("normal_", field.name.back());
  if (colours.empty()) return fields;
  const auto is_packed = [&](const OutputField& field) {
    return field.name == "red" || field.name == "green" || field.name == "blue" ||
           (field.name == "alpha" && colours.size() == 4);
  };
  const auto first = std::find_if(fields.begin(), fields.end(), is_packed);
  *first = {colours.size() == 4 ? "rgba" : "rgb", NumberType::kUint32, packed_colour(colours)};
  fields.erase(std::remove_if(fields.begin(), fields.end(), is_packed), fields.end());
  return fields;
}

std::string header_of(const std::vector<OutputField>& fields, int64_t points,
                      FileEncoding encoding) {
  std::string names = "FIELDS", sizes = "SIZE", types = "TYPE", counts = "COUNT";
  for (const OutputField& field : fields) {
    const bool real = field.type == NumberType::kFloat32 || field.type == NumberType::kFloat64;
    const bool natural = field.type == NumberType::kUint8 || field.type == NumberType::kUint32;
    names += text::plain(" ", field.name);
    sizes += text::plain(" ", byte_size(field.type));
    types += real ? " F" : natural ? " U" : " I";
    counts += " 1";
  }
  return text::plain("# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n", names, "\n",
                     sizes, "\n", types, "\n", counts, "\nWIDTH ", points,
                     "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS ", points, "\nDATA ",
                     encoding == FileEncoding::kText ? "ascii" : "binary", "\n");
}

}  // namespace

void write_pcd(const std::filesystem::path& path, const PointCloud& cloud,
               const PointFileOptions& options) {
  const std::vector<OutputField> fields = pcl_fields(cloud, options);
  write_file_atomically(path, [&](const ByteSink& sink) {
    write_text(sink, header_of(fields, cloud.size(), options.encoding));
    if (options.encoding == FileEncoding::kText)
      write_lines(sink, fields, ' ');
    else
      write_records(sink, fields);
  });
}

}  // namespace equiframe::inline io
