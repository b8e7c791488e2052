// .npy: an array of points, [N, 3], or of points and normals, [N, 6].
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "io/arrays/npy_header.h"
#include "io/clouds/rows/point_format.h"
#include "io/clouds/rows/point_output.h"
#include "io/clouds/rows/point_rows.h"

namespace equiframe::inline io {
namespace {

constexpr std::size_t kVersionOne = 10, kMagic = 6;  // bytes before the header; of the mark

struct FloatRows {
  NumberType type = NumberType::kFloat64;
  int64_t rows = 0, columns = 0, start = 0;
};

/// The layout of a file of version 1 that holds float rows and nothing else; nothing for all other
/// files, good or bad, which `read_npy` knows better.
std::optional<FloatRows> float_rows(ChunkedFile& file) {
  const std::string start(file.peek(kVersionOne));
  if (start.size() < kVersionOne || start.substr(0, kMagic + 2) != std::string("\x93NUMPY\1\0", 8))
    return std::nullopt;
  const std::size_t length = load_number<uint16_t>(start.data() + kMagic + 2);
  const std::string text(file.peek(kVersionOne + length));
  if (text.size() < kVersionOne + length) return std::nullopt;
  const NpyHeader header = parse_npy_header(text.substr(kVersionOne), file.path().string());
  const bool single = header.descr == "<f4";
  if ((!single && header.descr != "<f8") || header.fortran_order || header.shape.size() != 2 ||
      (header.shape[1] != 3 && header.shape[1] != 6))
    return std::nullopt;
  const FloatRows layout{single ? NumberType::kFloat32 : NumberType::kFloat64, header.shape[0],
                         header.shape[1], static_cast<int64_t>(text.size())};
  const auto row_bytes = static_cast<int64_t>(byte_size(layout.type)) * layout.columns;
  const int64_t bytes = file.size() - layout.start;
  if (bytes % row_bytes != 0 || bytes / row_bytes != layout.rows) return std::nullopt;
  return layout;
}

/// Row by row into their places, as [N, 6] in one piece would take the memory twice.
PointCloud read_float_rows(ChunkedFile& file, const FloatRows& layout, InvalidPoints invalid) {
  std::vector<PointField> fields;
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"})
    if (static_cast<int64_t>(fields.size()) < layout.columns) fields.push_back({name, layout.type});
  PointRows points(file, fields, invalid);
  points.reserve(layout.rows);
  file.skip(layout.start);
  while (points.rows() < layout.rows) {
    const int64_t count = std::min(kRowsTogether, layout.rows - points.rows());
    const int64_t byte = file.position();
    char* const bytes = file.take(static_cast<std::size_t>(count) * points.record_bytes());
    if (bytes == nullptr) file.fail("the file became shorter while it was read; read it again");
    points.add_records(bytes, count, ByteOrder::kLittle, byte);
  }
  return points.finish();
}

PointCloud read_npy_points(const std::filesystem::path& path, const PointReadOptions& options) {
  {
    ChunkedFile file(path);
    if (const std::optional<FloatRows> layout = float_rows(file))
      return read_float_rows(file, *layout, options.invalid);
  }
  const Tensor values = read_npy(path);
  if (values.dim() != 2 || (values.size(1) != 3 && values.size(1) != 6))
    throw UserError(c10::str("'", path.string(), "' holds an array of shape ", values.sizes(),
                             "; expected [N, 3], points, or [N, 6], points and normals"));
  PointCloud cloud;
  cloud.points = values.narrow(1, 0, 3).to(at::kDouble).contiguous();
  if (values.size(1) == 6) cloud.normals = values.narrow(1, 3, 3).to(at::kFloat).contiguous();
  if (options.invalid == InvalidPoints::kKeep) return cloud;
  const double* point = cloud.points.data_ptr<double>();
  for (int64_t k = 0; k < cloud.size(); ++k, point += 3)
    if (!std::isfinite(point[0]) || !std::isfinite(point[1]) || !std::isfinite(point[2]))
      throw UserError(c10::str(path.string(), ": ", invalid_point(k, point)));
  return cloud;
}

void write_npy_points(const std::filesystem::path& path, const PointCloud& cloud,
                      const PointFileOptions& options) {
  const bool narrow = settled_type(cloud.points, {FileEncoding::kBinary, options.coordinates}) ==
                      CoordinateType::kFloat32;
  std::vector<OutputField> fields = output_fields({cloud.points, cloud.normals, {}, {}}, options);
  for (OutputField& field : fields)
    field.type = narrow ? NumberType::kFloat32 : NumberType::kFloat64;
  const std::string preamble = npy_preamble(
      {narrow ? "<f4" : "<f8", false, {cloud.size(), static_cast<int64_t>(fields.size())}});
  write_file_atomically(path, [&](const ByteSink& sink) {
    write_text(sink, preamble);
    write_records(sink, fields);
  });
}

const bool kNpyPointsRegistered = add_point_format({{".npy"}, read_npy_points, write_npy_points});

}  // namespace
}  // namespace equiframe::inline io
