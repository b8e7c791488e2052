// A cloud on its way into a file.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "equiframe/io/point_files.h"
#include "io/bytes/atomic_file.h"
#include "io/bytes/number_type.h"

namespace equiframe::inline io {

/// A number that each point of a file is to have.
struct OutputField {
  std::string name;
  NumberType type = NumberType::kFloat32;  ///< in the file
  Tensor values;                           ///< [N], a view with any stride
};

/// The coordinates, normals and columns as files with names and types hold them. A name becomes
/// one word.
std::vector<OutputField> output_fields(const PointCloud& cloud, const PointFileOptions& options);

/// The type of file that holds the numbers of a column.
NumberType file_type(const Tensor& values);

/// What float32 does to points: `moved` is how far the worst coordinate goes, `extent` the diagonal
/// of the box around them. Points that are not finite do not count.
struct Float32Loss {
  double moved = 0, extent = 0;
  /// More than rounding at the scale of the cloud itself would.
  bool matters() const { return moved > extent * 0x1p-23; }
};
Float32Loss float32_loss(const Tensor& points);

/// kFloat64 or kFloat32: what is asked for, or else float32 if its loss does not matter in a binary
/// file, or if there is none in text.
CoordinateType settled_type(const Tensor& points, const PointFileOptions& options);

/// Columns red, green, blue if the cloud has them as uint8, and alpha behind them; else nothing.
std::vector<Tensor> colours_of(const PointCloud& cloud);

/// Appends the shortest digits that read back as `value`.
template <class T>
void append_number(std::string& text, T value) {
  std::array<char, 32> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

/// Writes N records of the fields one after the other, little-endian.
void write_records(const ByteSink& sink, const std::vector<OutputField>& fields);

/// Writes N lines of the fields.
void write_lines(const ByteSink& sink, const std::vector<OutputField>& fields, char separator);

/// Writes what `append(text, row)` appends for each row, on all threads and in order.
void write_rows(const ByteSink& sink, int64_t rows,
                const std::function<void(std::string&, int64_t)>& append);

/// Writes lines of the corners of each face, counted from `first`, with `before` in front.
void write_face_lines(const ByteSink& sink, const Tensor& faces, const std::string& before,
                      int64_t first);

void write_text(const ByteSink& sink, const std::string& text);

}  // namespace equiframe::inline io
