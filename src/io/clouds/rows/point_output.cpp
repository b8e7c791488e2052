#include "io/clouds/rows/point_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/parallel.h"
#include "io/clouds/rows/point_format.h"

namespace equiframe::inline io {
namespace {

/// Values of a field without the cost of asking a tensor.
struct FieldView {
  explicit FieldView(const OutputField& field)
      : to(field.type),
        from(field.values.scalar_type()),
        bytes(static_cast<const char*>(field.values.data_ptr())),
        stride(static_cast<std::size_t>(field.values.stride(0)) * field.values.element_size()) {}

  const char* at(int64_t row) const { return bytes + static_cast<std::size_t>(row) * stride; }

  NumberType to;
  at::ScalarType from;
  const char* bytes;
  std::size_t stride;
};

std::vector<FieldView> views_of(const std::vector<OutputField>& fields) {
  return {fields.begin(), fields.end()};
}

template <class From, class To>
void fill_records(const FieldView& field, int64_t first, int64_t rows, char* to,
                  std::size_t record_bytes) {
  for (int64_t k = 0; k < rows; ++k, to += record_bytes) {
    const To value = static_cast<To>(load_number<From>(field.at(first + k)));
    std::memcpy(to, &value, sizeof value);
  }
}

void append_value(std::string& text, const FieldView& field, int64_t row) {
  with_column_type(field.from, [&]<class From>(std::type_identity<From>) {
    const From value = load_number<From>(field.at(row));
    if (field.to == NumberType::kUint32)
      append_number(text, static_cast<uint32_t>(value));
    else if (field.to == NumberType::kFloat32)
      append_number(text, static_cast<float>(value));
    else
      append_number(text, value);
  });
}

std::string one_word(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return c <= ' ' || c == '#' || c == ',' || c == ';'; }, '_');
  return name;
}

}  // namespace

Float32Loss float32_loss(const Tensor& points) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::array<double, 3> low{kInfinity, kInfinity, kInfinity},
      high{-kInfinity, -kInfinity, -kInfinity};
  Float32Loss loss;
  const double* const x = points.data_ptr<double>();
  for (int64_t k = 0; k < points.size(0); ++k)
    for (size_t axis = 0; axis < 3; ++axis) {
      const double value = x[3 * k + static_cast<int64_t>(axis)];
      if (!std::isfinite(value)) continue;
      low[axis] = std::min(low[axis], value);
      high[axis] = std::max(high[axis], value);
      loss.moved =
          std::max(loss.moved, std::abs(value - static_cast<double>(static_cast<float>(value))));
    }
  for (size_t axis = 0; axis < 3; ++axis)
    if (high[axis] > low[axis]) loss.extent = std::hypot(loss.extent, high[axis] - low[axis]);
  return loss;
}

CoordinateType settled_type(const Tensor& points, const PointFileOptions& options) {
  if (options.coordinates != CoordinateType::kAutomatic) return options.coordinates;
  const Float32Loss loss = float32_loss(points);
  const bool wide = options.encoding == FileEncoding::kText ? loss.moved > 0 : loss.matters();
  return wide ? CoordinateType::kFloat64 : CoordinateType::kFloat32;
}

NumberType file_type(const Tensor& values) {
  switch (values.scalar_type()) {
    case at::kByte:
      return NumberType::kUint8;
    case at::kInt:
      return NumberType::kInt32;
    case at::kLong:
      return NumberType::kInt64;
    case at::kFloat:
      return NumberType::kFloat32;
    default:
      return NumberType::kFloat64;
  }
}

std::vector<OutputField> output_fields(const PointCloud& cloud, const PointFileOptions& options) {
  const bool narrow = settled_type(cloud.points, options) == CoordinateType::kFloat32;
  std::vector<OutputField> fields;
  fields.reserve(6 + cloud.columns.size());
  for (int64_t axis = 0; axis < 3; ++axis)
    fields.push_back({std::string{"xyz"[axis]},
                      narrow ? NumberType::kFloat32 : NumberType::kFloat64,
                      cloud.points.select(1, axis)});
  for (int64_t axis = 0; cloud.normals.defined() && axis < 3; ++axis)
    fields.push_back(
        {std::string{'n', "xyz"[axis]}, NumberType::kFloat32, cloud.normals.select(1, axis)});
  for (const auto& [name, values] : cloud.columns)
    fields.push_back({one_word(name), file_type(values), values});
  return fields;
}

std::vector<Tensor> colours_of(const PointCloud& cloud) {
  std::vector<Tensor> colours;
  for (const char* name : {"red", "green", "blue", "alpha"}) {
    const Tensor values = cloud.column(name);
    if (values.defined() && values.scalar_type() == at::kByte)
      colours.push_back(values);
    else if (colours.size() < 3)
      return {};
  }
  return colours;
}

void write_records(const ByteSink& sink, const std::vector<OutputField>& fields) {
  const int64_t rows = fields.front().values.size(0);
  std::size_t record_bytes = 0;
  for (const OutputField& field : fields) record_bytes += byte_size(field.type);
  const std::vector<FieldView> views = views_of(fields);
  std::vector<char> block(record_bytes * static_cast<std::size_t>(kRowsTogether));
  for (int64_t first = 0; first < rows; first += kRowsTogether) {
    const int64_t count = std::min(kRowsTogether, rows - first);
    char* to = block.data();
    for (const FieldView& view : views) {
      with_column_type(view.from, [&]<class From>(std::type_identity<From>) {
        with_number_type(view.to, [&]<class To>(std::type_identity<To>) {
          fill_records<From, To>(view, first, count, to, record_bytes);
        });
      });
      to += byte_size(view.to);
    }
    sink(block.data(), record_bytes * static_cast<std::size_t>(count));
  }
}

void write_lines(const ByteSink& sink, const std::vector<OutputField>& fields, char separator) {
  const std::vector<FieldView> views = views_of(fields);
  write_rows(sink, fields.front().values.size(0), [&](std::string& text, int64_t row) {
    for (const FieldView& view : views) {
      append_value(text, view, row);
      text += separator;
    }
    text.back() = '\n';
  });
}

void write_rows(const ByteSink& sink, int64_t rows,
                const std::function<void(std::string&, int64_t)>& append) {
  std::vector<std::string> parts(static_cast<size_t>(4 * at::get_num_threads()));
  const auto count = static_cast<int64_t>(parts.size());
  for (int64_t first = 0; first < rows; first += count * kRowsTogether) {
    for_each_part(count, [&](int64_t part) {
      std::string& text = parts[static_cast<size_t>(part)];
      text.clear();
      const int64_t begin = first + part * kRowsTogether;
      for (int64_t k = begin; k < std::min(rows, begin + kRowsTogether); ++k) append(text, k);
    });
    for (const std::string& text : parts) write_text(sink, text);
  }
}

void write_face_lines(const ByteSink& sink, const Tensor& faces, const std::string& before,
                      int64_t first) {
  const int64_t* const corners = faces.data_ptr<int64_t>();
  write_rows(sink, faces.size(0), [&](std::string& text, int64_t row) {
    text += before;
    for (int64_t k = 0; k < 3; ++k) {
      append_number(text, corners[3 * row + k] + first);
      text += k < 2 ? ' ' : '\n';
    }
  });
}

void write_text(const ByteSink& sink, const std::string& text) {
  sink(text.data(), text.size());
}

}  // namespace equiframe::inline io
