// The points of a file on their way into a cloud.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "equiframe/io/point_files.h"
#include "io/bytes/chunked_file.h"
#include "io/bytes/field_scanner.h"
#include "io/bytes/growing_rows.h"
#include "io/bytes/number_type.h"

namespace equiframe::inline io {

/// A number that each point of a file has.
struct PointField {
  std::string name;  ///< empty: passed over
  NumberType type = NumberType::kFloat32;
};

/// More numbers for each point are a mistake, such as all points in one line.
constexpr std::size_t kMaxFields = 10000;

enum class ByteOrder { kLittle, kBig };

/// Takes points in the order and the types of the file and puts each number where it ends up:
/// x, y, z into points; nx, ny, nz (or normal_x, ...) into normals if all three are there; the
/// others into columns.
class PointRows {
 public:
  /// Throws UserError if x, y or z is missing, two fields have the same name or there are too many.
  /// `file` is where errors are, and must outlive this.
  PointRows(const ChunkedFile& file, std::vector<PointField> fields, InvalidPoints invalid);
  PointRows(const PointRows&) = delete;
  PointRows& operator=(const PointRows&) = delete;

  int64_t rows() const { return points_.rows(); }
  std::size_t fields() const { return fields_.size(); }
  std::size_t record_bytes() const { return record_bytes_; }

  void reserve(int64_t rows);

  /// Adds points that stand one after the other in binary; `bytes` may be changed. `byte` is where
  /// they stand in the file.
  void add_records(char* bytes, int64_t rows, ByteOrder order, int64_t byte);

  /// Adds the point of a line of text, which has one number for each field.
  void add_text(FieldScanner scanner);

  /// The same field by field: `begin_text`, each field once in order, `end_text`.
  void begin_text() { resize(rows() + 1); }
  void add_text_field(std::size_t field, FieldScanner& scanner);
  void end_text(const FieldScanner& scanner);

  /// For files that hold field after field: makes room, then sets `rows` values of one field from
  /// point `first` on, then looks for invalid points.
  void resize(int64_t rows);
  void set_field(std::size_t field, const char* bytes, std::size_t stride, int64_t first,
                 int64_t rows);
  void check_points(int64_t first) const;

  /// Leaves nothing behind. Faces are for the caller to add.
  PointCloud finish();

 private:
  struct Target {
    GrowingRows* rows = nullptr;  // null: passed over
    std::size_t offset = 0;       // in a row
    at::ScalarType type = at::kDouble;
    std::size_t record_offset = 0;  // in a record of the file
  };

  Target target_of(const std::string& name, NumberType type);
  void check_points(int64_t first, int64_t byte) const;
  [[noreturn]] void fail_text(std::size_t field, const FieldScanner& scanner) const;

  const ChunkedFile& file_;
  std::vector<PointField> fields_;
  InvalidPoints invalid_;
  GrowingRows points_, normals_;
  bool has_normals_ = false;
  std::vector<std::string> column_names_;
  std::vector<GrowingRows> columns_;
  std::vector<Target> targets_;  // one for each field
  std::size_t record_bytes_ = 0;
};

/// The text of the error about a coordinate that is not finite.
std::string invalid_point(int64_t row, const double* point);

}  // namespace equiframe::inline io
