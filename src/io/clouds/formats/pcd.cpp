// .pcd: the point clouds of PCL, version 0.7.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "io/bytes/lzf_stream.h"
#include "io/clouds/formats/pcd_header.h"
#include "io/clouds/formats/pcd_output.h"
#include "io/clouds/rows/packed_colour.h"
#include "io/clouds/rows/point_format.h"
#include "io/clouds/rows/point_rows.h"

namespace equiframe::inline io {
namespace {

/// One field for each number; those that come in groups are passed over.
std::vector<PointField> fields_of(const PcdHeader& header) {
  std::vector<PointField> fields;
  for (const PcdField& field : header.fields) {
    const bool kept = field.count == 1 && field.name != "_";
    for (int64_t k = 0; k < field.count; ++k)
      fields.push_back({kept ? field.name : "", field.type});
  }
  return fields;
}

/// Numbers that coordinates are made of; of random bits, few look so.
bool is_plausible(float value) {
  const float size = std::abs(value);
  return value == 0.0F || (size > 1e-9F && size < 1e9F) || std::isnan(value);
}

class PcdReader {
 public:
  PcdReader(const std::filesystem::path& path, const PointReadOptions& options)
      : file_(path),
        header_(read_pcd_header(file_)),
        fields_(fields_of(header_)),
        points_(file_, fields_, options.invalid) {}

  PointCloud read() {
    switch (header_.data) {
      case PcdData::kText:
        read_text();
        break;
      case PcdData::kBinary:
        read_records();
        break;
      case PcdData::kCompressed:
        read_compressed();
        break;
    }
    PointCloud cloud = points_.finish();
    unpack_colours(cloud);
    return cloud;
  }

 private:
  int64_t record_bytes() const { return static_cast<int64_t>(points_.record_bytes()); }

  [[noreturn]] void fail_short(int64_t byte, int64_t found) const {
    file_.fail_at_byte(byte, c10::str("the file ends after ", found, " of ", header_.points,
                                      " points; copy or export it again"));
  }

  void read_text() {
    const auto shortest = static_cast<int64_t>(2 * fields_.size());  // a digit and a blank each
    points_.reserve(std::min(header_.points, file_.remaining() / shortest + 1));
    while (points_.rows() < header_.points) {
      const std::optional<std::string_view> line = file_.next_line();
      if (!line)
        file_.fail(c10::str("the file ends after ", points_.rows(), " of ", header_.points,
                            " points; copy or export it again"));
      const FieldScanner scanner(*line);
      if (!scanner.at_end()) points_.add_text(scanner);
    }
  }

  void read_records() {
    if (header_.points > file_.remaining() / record_bytes())
      fail_short(file_.size(), file_.remaining() / record_bytes());
    points_.reserve(header_.points);
    for (int64_t first = 0; first < header_.points; first += kRowsTogether) {
      const int64_t rows = std::min(kRowsTogether, header_.points - first), byte = file_.position();
      char* const bytes = file_.take(static_cast<std::size_t>(rows * record_bytes()));
      if (bytes == nullptr) fail_short(file_.size(), first);
      if (first == 0) refuse_big_endian(bytes, rows);
      points_.add_records(bytes, rows, ByteOrder::kLittle, byte);
    }
  }

  /// The format has no mark for the order of bytes, so that the first points must tell.
  void refuse_big_endian(const char* records, int64_t rows) const {
    int64_t little = 0, big = 0, all = 0;
    std::size_t offset = 0;
    for (const PointField& field : fields_) {
      const bool tells = field.type == NumberType::kFloat32 &&
                         (field.name == "x" || field.name == "y" || field.name == "z");
      for (int64_t k = 0; tells && k < rows; ++k) {
        const char* const number = records + k * record_bytes() + offset;
        const std::array<char, 4> swapped{number[3], number[2], number[1], number[0]};
        little += is_plausible(load_number<float>(number)) ? 1 : 0;
        big += is_plausible(load_number<float>(swapped.data())) ? 1 : 0;
        ++all;
      }
      offset += byte_size(field.type);
    }
    if (all > 0 && big == all && little <= all / 2)
      file_.fail_file(
          "the points look as if they were written on a big-endian machine; expected "
          "little-endian numbers, export it as DATA ascii");
  }

  void read_compressed() {
    const char* const sizes = file_.take(2 * sizeof(uint32_t));
    if (sizes == nullptr) fail_short(file_.size(), 0);
    const int64_t packed = load_number<uint32_t>(sizes),
                  unpacked = load_number<uint32_t>(sizes + sizeof(uint32_t));
    if (header_.points > (int64_t{1} << 32) / record_bytes() ||
        unpacked != header_.points * record_bytes())
      file_.fail(c10::str("the compressed points have ", unpacked, " bytes; expected ",
                          record_bytes(), " for each of ", header_.points, " points"));
    if (packed > file_.remaining())
      file_.fail_at_byte(file_.size(),
                         c10::str("the file ends inside the compressed points: ", file_.remaining(),
                                  " of ", packed, " bytes are there; copy it again"));
    if (unpacked > packed * LzfStream::kMaxGain)
      file_.fail(c10::str(packed, " bytes cannot hold ", header_.points, " points"));
    points_.resize(header_.points);
    LzfStream stream(file_, packed);
    read_columns(stream);
    points_.check_points(0);
  }

  /// Compressed points stand field after field.
  void read_columns(LzfStream& stream) {
    std::vector<char> block;
    std::size_t field = 0;
    for (const PcdField& group : header_.fields) {
      const std::size_t stride = byte_size(group.type) * static_cast<std::size_t>(group.count);
      for (int64_t first = 0; first < header_.points; first += kRowsTogether) {
        const int64_t rows = std::min(kRowsTogether, header_.points - first);
        block.resize(static_cast<std::size_t>(rows) * stride);
        stream.read(block.data(), block.size());
        if (group.count == 1) points_.set_field(field, block.data(), stride, first, rows);
      }
      field += static_cast<std::size_t>(group.count);
    }
  }

  ChunkedFile file_;
  PcdHeader header_;
  std::vector<PointField> fields_;
  PointRows points_;
};

const bool kPcdRegistered = add_point_format(
    {{".pcd"},
     [](const auto& path, const auto& options) { return PcdReader(path, options).read(); },
     write_pcd});

}  // namespace
}  // namespace equiframe::inline io
