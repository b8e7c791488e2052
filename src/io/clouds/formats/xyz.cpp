// .xyz, .txt, .pts, .csv: a line of numbers for each point.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/plain_text.h"
#include "core/text.h"
#include "io/bytes/text_layout.h"
#include "io/clouds/rows/colour_columns.h"
#include "io/clouds/rows/point_format.h"
#include "io/clouds/rows/point_output.h"
#include "io/clouds/rows/point_rows.h"

namespace equiframe::inline io {
namespace {

std::vector<PointField> fields_of(const TextLayout& layout) {
  std::vector<PointField> fields;
  fields.reserve(layout.names.size());
  for (const std::string& name : layout.names) {
    const bool normal = name == "nx" || name == "ny" || name == "nz";
    fields.push_back({name, normal ? NumberType::kFloat32 : NumberType::kFloat64});
  }
  return fields;
}

/// The layout was guessed from the first points, so that a later one may prove it wrong.
void refuse_wrong_guess(const PointCloud& cloud, const ChunkedFile& file) {
  if (!cloud.normals.defined() || cloud.size() == 0) return;
  const Tensor largest = cloud.normals.abs().amax(1);  // [N]
  const Tensor wrong = largest.gt(kLargestNormal).nonzero().view(-1);
  if (wrong.size(0) == 0) return;
  const int64_t row = wrong[0].item<int64_t>();
  const Tensor normal = cloud.normals[row];
  file.fail_file(c10::str("point ", row, " has (", normal[0].item<float>(), ", ",
                          normal[1].item<float>(), ", ", normal[2].item<float>(),
                          ") where points before have a normal; name the columns in a first "
                          "line such as 'x y z red green blue'"));
}

PointCloud read_xyz(const std::filesystem::path& path, const PointReadOptions& options) {
  const TextLayout layout = find_layout(path);
  ChunkedFile file(path);
  PointRows points(file, fields_of(layout), options.invalid);
  while (const std::optional<std::string_view> line = file.next_line()) {
    const int64_t number = file.line_number();
    if (number == layout.header_line || number == layout.count_line || is_comment(*line)) continue;
    if (layout.promised && points.rows() == *layout.promised)
      file.fail(c10::str("more than the ", *layout.promised, " points that line ",
                         layout.count_line, " promises"));
    points.add_text(FieldScanner(*line, layout.separator));
  }
  if (layout.promised && points.rows() < *layout.promised)
    file.fail(c10::str("the file ends after ", points.rows(), " of ", *layout.promised,
                       " points; copy or export it again"));
  PointCloud cloud = points.finish();
  if (!layout.named) refuse_wrong_guess(cloud, file);
  colours_to_bytes(cloud);
  return cloud;
}

/// Whether a reader would need to be told what the columns are.
bool needs_names(const PointCloud& cloud) {
  if (!cloud.columns.empty()) return true;
  if (!cloud.normals.defined() || cloud.size() == 0) return false;
  const auto [least, most] = at::aminmax(cloud.normals);
  return !(least.item<double>() >= -1.0 && most.item<double>() <= 1.0);
}

/// .csv has commas and names in its first line; .pts begins with the number of points; elsewhere
/// names stand in a comment, and only where they are needed, as few programs expect them.
void write_xyz(const std::filesystem::path& path, const PointCloud& cloud,
               const PointFileOptions& options) {
  const bool csv = lower_extension(path) == ".csv", pts = lower_extension(path) == ".pts";
  PointFileOptions wide = options;
  if (wide.coordinates == CoordinateType::kAutomatic) wide.coordinates = CoordinateType::kFloat64;
  const std::vector<OutputField> fields = output_fields(cloud, wide);
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const OutputField& field : fields) names.push_back(field.name);
  write_file_atomically(path, [&](const ByteSink& sink) {
    if (pts) write_text(sink, text::plain(cloud.size(), "\n"));
    if (csv)
      write_text(sink, c10::str(text::join(names, ","), "\n"));
    else if (needs_names(cloud))
      write_text(sink, c10::str("# ", text::join(names, " "), "\n"));
    write_lines(sink, fields, csv ? ',' : ' ');
  });
}

const bool kXyzRegistered =
    add_point_format({{".xyz", ".txt", ".pts", ".csv"}, read_xyz, write_xyz});

}  // namespace
}  // namespace equiframe::inline io
