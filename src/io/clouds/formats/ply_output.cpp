#include "io/clouds/formats/ply_output.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "io/clouds/formats/ply_header.h"
#include "io/clouds/rows/point_output.h"

namespace equiframe::inline io {
namespace {

constexpr int64_t kFacesTogether = 4096;

/// PLY has no 64-bit integers: the first of uint, int and double that holds all values.
NumberType narrow_type(const Tensor& values) {
  if (values.numel() == 0) return NumberType::kInt32;
  const auto [low, high] = at::aminmax(values);
  const int64_t least = low.item<int64_t>(), most = high.item<int64_t>();
  if (least >= 0 && most <= std::numeric_limits<uint32_t>::max()) return NumberType::kUint32;
  const bool fits = std::in_range<int32_t>(least) && std::in_range<int32_t>(most);
  return fits ? NumberType::kInt32 : NumberType::kFloat64;
}

std::string header_of(const std::vector<OutputField>& fields, const PointCloud& cloud,
                      FileEncoding encoding) {
  std::string header = text::plain(
      "ply\nformat ", encoding == FileEncoding::kText ? "ascii" : "binary_little_endian",
      " 1.0\ncomment written by equiframe\nelement vertex ", cloud.size(), "\n");
  for (const OutputField& field : fields)
    header += text::plain("property ", ply_type_name(field.type), " ", field.name, "\n");
  if (cloud.faces.defined())
    header += text::plain("element face ", cloud.faces.size(0),
                          "\nproperty list uchar int vertex_indices\n");
  return header + "end_header\n";
}

void write_binary_faces(const ByteSink& sink, const Tensor& faces) {
  const int64_t* corner = faces.data_ptr<int64_t>();
  std::string block;
  for (int64_t k = 0; k < faces.size(0); ++k, corner += 3) {
    block += '\3';
    for (int64_t c = 0; c < 3; ++c) {
      const auto index = static_cast<int32_t>(corner[c]);
      block.append(reinterpret_cast<const char*>(&index), sizeof index);
    }
    if ((k + 1) % kFacesTogether != 0) continue;
    write_text(sink, block);
    block.clear();
  }
  write_text(sink, block);
}

}  // namespace

void write_ply(const std::filesystem::path& path, const PointCloud& cloud,
               const PointFileOptions& options) {
  if (cloud.faces.defined() && !std::in_range<int32_t>(cloud.size()))
    throw UserError(text::plain("cannot write '", path.string(), "': ", cloud.size(),
                                " points are too many for faces in PLY; write parts of the mesh"));
  std::vector<OutputField> fields = output_fields(cloud, options);
  for (OutputField& field : fields)
    if (field.type == NumberType::kInt64) field.type = narrow_type(field.values);
  write_file_atomically(path, [&](const ByteSink& sink) {
    write_text(sink, header_of(fields, cloud, options.encoding));
    if (options.encoding == FileEncoding::kBinary) {
      write_records(sink, fields);
      if (cloud.faces.defined()) write_binary_faces(sink, cloud.faces);
      return;
    }
    write_lines(sink, fields, ' ');
    if (cloud.faces.defined()) write_face_lines(sink, cloud.faces, "3 ", 0);
  });
}

}  // namespace equiframe::inline io
