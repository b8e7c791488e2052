#include "io/clouds/rows/point_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include <ATen/ATen.h>

#include "core/text.h"
#include "io/bytes/number_lines.h"

namespace equiframe::inline io {
namespace {

constexpr int64_t kNoByte = -1;

bool has_field(const std::vector<PointField>& fields, std::string_view name) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const PointField& field) { return field.name == name; });
}

/// The axis 0, 1, 2 that `name` is `prefix` and x, y, z of.
std::optional<std::size_t> axis_of(std::string_view name, std::string_view prefix) {
  if (name.size() != prefix.size() + 1 || !name.starts_with(prefix)) return std::nullopt;
  const char axis = name.back();
  if (axis < 'x' || axis > 'z') return std::nullopt;
  return static_cast<std::size_t>(axis - 'x');
}

void refuse_bad_fields(const ChunkedFile& file, const std::vector<PointField>& fields) {
  if (fields.size() > kMaxFields)
    file.fail(c10::str(fields.size(), " numbers for each point; expected at most ", kMaxFields));
  std::set<std::string> names;
  for (const PointField& field : fields)
    if (!field.name.empty() && !names.insert(field.name).second)
      file.fail(c10::str("points have '", excerpt(field.name), "' twice; rename one"));
  for (const char* axis : {"x", "y", "z"})
    if (!names.contains(axis))
      file.fail(c10::str("points have no '", axis, "', only ",
                         excerpt(text::join({names.begin(), names.end()})),
                         "; expected x, y and z"));
}

/// One value of a line as a T; nothing if there is no number or it does not fit.
template <class T>
std::optional<T> scan(FieldScanner& scanner) {
  if constexpr (std::is_floating_point_v<T>) {
    return scanner.number<T>();
  } else {
    FieldScanner before = scanner;
    std::optional<int64_t> value = scanner.number<int64_t>();
    if (!value) {  // 3.0 and 3e2 are whole, too
      const std::optional<double> real = scanner.number<double>();
      if (real && std::abs(*real) < 0x1p53 && std::trunc(*real) == *real)
        value = static_cast<int64_t>(*real);
    }
    if (value && std::in_range<T>(*value)) return static_cast<T>(*value);
    scanner = before;
    return std::nullopt;
  }
}

template <class From, class To>
void copy_strided(const char* from, std::size_t from_stride, char* to, std::size_t to_stride,
                  int64_t count) {
  for (int64_t k = 0; k < count; ++k, from += from_stride, to += to_stride) {
    const To value =
        static_cast<To>(load_number<From>(from));  // NOLINT(bugprone-signed-char-misuse)
    std::memcpy(to, &value, sizeof value);
  }
}

template <class T>
void swap_bytes(char* bytes, std::size_t stride, int64_t count) {
  for (int64_t k = 0; k < count; ++k, bytes += stride) std::reverse(bytes, bytes + sizeof(T));
}

}  // namespace

std::string invalid_point(int64_t row, const double* point) {
  return c10::str("point ", row, " is (", point[0], ", ", point[1], ", ", point[2],
                  "); expected finite coordinates, remove it or allow invalid points");
}

PointRows::PointRows(const ChunkedFile& file, std::vector<PointField> fields, InvalidPoints invalid)
    : file_(file),
      fields_(std::move(fields)),
      invalid_(invalid),
      points_(at::kDouble, 3),
      normals_(at::kFloat, 3) {
  for (PointField& field : fields_)
    if (const auto axis = axis_of(field.name, "normal_")) field.name = {'n', "xyz"[*axis]};
  refuse_bad_fields(file_, fields_);
  has_normals_ = has_field(fields_, "nx") && has_field(fields_, "ny") && has_field(fields_, "nz");
  columns_.reserve(fields_.size());  // targets point into it
  targets_.reserve(fields_.size());
  for (const PointField& field : fields_) {
    targets_.push_back(target_of(field.name, field.type));
    targets_.back().record_offset = record_bytes_;
    record_bytes_ += byte_size(field.type);
  }
}

PointRows::Target PointRows::target_of(const std::string& name, NumberType type) {
  if (name.empty()) return {};
  if (const auto axis = axis_of(name, "")) return {&points_, *axis * sizeof(double), at::kDouble};
  const auto axis = axis_of(name, "n");
  if (has_normals_ && axis) return {&normals_, *axis * sizeof(float), at::kFloat};
  column_names_.push_back(name);
  return {&columns_.emplace_back(column_type(type), 1), 0, column_type(type)};
}

void PointRows::reserve(int64_t rows) {
  points_.reserve(rows);
  if (has_normals_) normals_.reserve(rows);
  for (GrowingRows& column : columns_) column.reserve(rows);
}

void PointRows::resize(int64_t rows) {
  points_.resize(rows);
  if (has_normals_) normals_.resize(rows);
  for (GrowingRows& column : columns_) column.resize(rows);
}

void PointRows::set_field(std::size_t field, const char* bytes, std::size_t stride, int64_t first,
                          int64_t rows) {
  const Target& target = targets_[field];
  if (target.rows == nullptr) return;
  char* const to = target.rows->row(first) + target.offset;
  const std::size_t to_stride = target.rows->row_bytes();
  with_number_type(fields_[field].type, [&]<class From>(std::type_identity<From>) {
    with_column_type(target.type, [&]<class To>(std::type_identity<To>) {
      copy_strided<From, To>(bytes, stride, to, to_stride, rows);
    });
  });
}

void PointRows::add_records(char* bytes, int64_t rows, ByteOrder order, int64_t byte) {
  const int64_t first = this->rows();
  resize(first + rows);
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    char* const from = bytes + targets_[k].record_offset;
    if (order == ByteOrder::kBig)
      with_number_type(fields_[k].type, [&]<class T>(std::type_identity<T>) {
        swap_bytes<T>(from, record_bytes_, rows);
      });
    set_field(k, from, record_bytes_, first, rows);
  }
  check_points(first, byte);
}

void PointRows::check_points(int64_t first) const {
  check_points(first, kNoByte);
}

void PointRows::check_points(int64_t first, int64_t byte) const {
  if (invalid_ == InvalidPoints::kKeep) return;
  for (int64_t k = first; k < rows(); ++k) {
    const auto* point = reinterpret_cast<const double*>(points_.row(k));
    // A sum of finite numbers may overflow, but zero times each is zero.
    if (0.0 * point[0] + 0.0 * point[1] + 0.0 * point[2] == 0.0) continue;
    if (byte == kNoByte) file_.fail(invalid_point(k, point));
    file_.fail_at_byte(byte + (k - first) * static_cast<int64_t>(record_bytes_),
                       invalid_point(k, point));
  }
}

void PointRows::add_text(FieldScanner scanner) {
  begin_text();
  for (std::size_t k = 0; k < fields_.size(); ++k) add_text_field(k, scanner);
  end_text(scanner);
}

void PointRows::add_text_field(std::size_t field, FieldScanner& scanner) {
  const Target& target = targets_[field];
  if (target.rows == nullptr) {
    if (scanner.at_end()) fail_text(field, scanner);
    scanner.word();
    return;
  }
  char* const to = target.rows->row(rows() - 1) + target.offset;
  const bool found = with_column_type(target.type, [&]<class To>(std::type_identity<To>) {
    const std::optional<To> value = scan<To>(scanner);
    if (value) std::memcpy(to, &*value, sizeof(To));
    return value.has_value();
  });
  if (!found) fail_text(field, scanner);
}

void PointRows::end_text(const FieldScanner& scanner) {
  if (!scanner.at_end())
    file_.fail(c10::str("more than ", fields_.size(), " numbers; expected one for each of ",
                        excerpt(fields_.front().name), " ... ", excerpt(fields_.back().name)));
  check_points(rows() - 1, kNoByte);
}

void PointRows::fail_text(std::size_t field, const FieldScanner& scanner) const {
  const std::string name = fields_[field].name.empty() ? "field " + std::to_string(field + 1)
                                                       : excerpt(fields_[field].name);
  if (scanner.at_end())
    file_.fail(c10::str("the line has ", field, field == 1 ? " number" : " numbers", "; expected ",
                        fields_.size(), ", one for each of ", excerpt(fields_.front().name),
                        " ... ", excerpt(fields_.back().name)));
  const at::ScalarType type = targets_[field].type;
  const char* wanted = type == at::kByte                       ? "a whole number from 0 to 255"
                       : type == at::kInt || type == at::kLong ? "a whole number"
                                                               : "a number";
  FieldScanner value = scanner;
  if (value.number<double>())
    file_.fail(c10::str("'", excerpt(FieldScanner(scanner).word()), "' for ", name, "; expected ",
                        wanted));
  file_.fail(c10::str(scanner.trouble(), "; expected ", wanted, " for ", name));
}

PointCloud PointRows::finish() {
  PointCloud cloud;
  cloud.points = points_.finish();
  if (has_normals_) cloud.normals = normals_.finish();
  cloud.columns.reserve(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k)
    cloud.columns.push_back({column_names_[k], columns_[k].finish()});
  return cloud;
}

}  // namespace equiframe::inline io
