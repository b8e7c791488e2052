// .ply: typed elements behind a header of text. Of them, "vertex" and "face" are read.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <c10/util/StringUtil.h>

#include "io/clouds/formats/ply_header.h"
#include "io/clouds/formats/ply_output.h"
#include "io/clouds/rows/face_list.h"
#include "io/clouds/rows/point_format.h"
#include "io/clouds/rows/point_rows.h"

namespace equiframe::inline io {
namespace {

/// Reads the elements of one file in turn.
class PlyReader {
 public:
  PlyReader(const std::filesystem::path& path, const PointReadOptions& options)
      : file_(path), header_(read_ply_header(file_)), options_(options), faces_(file_) {}

  PointCloud read() {
    const auto vertex = std::find_if(header_.elements.begin(), header_.elements.end(),
                                     [](const PlyElement& e) { return e.name == "vertex"; });
    if (vertex == header_.elements.end())
      file_.fail_file("the header has no element 'vertex'; expected one with x, y and z");
    vertices_ = vertex->count;
    PointRows points(file_, fields_of(*vertex), options_.invalid);
    for (const PlyElement& element : header_.elements) {
      if (&element == &*vertex) {
        points.reserve(credible_count(element));
        read_vertices(element, points);
      } else if (element.name == "face") {
        faces_.reserve(credible_count(element));
        read_faces(element);
      } else {
        pass_over(element);
      }
    }
    PointCloud cloud = points.finish();
    cloud.faces = faces_.finish();
    return cloud;
  }

 private:
  static std::vector<PointField> fields_of(const PlyElement& element) {
    std::vector<PointField> fields;
    fields.reserve(element.properties.size());
    for (const PlyProperty& property : element.properties)
      if (!property.count) fields.push_back({property.name, property.type});
    return fields;
  }

  bool is_text() const { return header_.format == PlyFormat::kText; }
  ByteOrder order() const {
    return header_.format == PlyFormat::kBigEndian ? ByteOrder::kBig : ByteOrder::kLittle;
  }

  /// As many as the rest of the file can hold, whatever the header says.
  int64_t credible_count(const PlyElement& element) const {
    const std::size_t least =
        is_text() ? 2 * element.properties.size() : element.record_bytes();  // a digit and a blank
    return std::min(element.count,
                    file_.remaining() / static_cast<int64_t>(std::max<std::size_t>(least, 1)) + 1);
  }

  [[noreturn]] void fail_short(const PlyElement& element, int64_t found) const {
    const std::string things = element.name == "vertex" ? "points"
                               : element.name == "face" ? "faces"
                                                        : c10::str("elements '", element.name, "'");
    const std::string what = c10::str("the file ends after ", found, " of ", element.count, " ",
                                      things, "; copy or export it again");
    if (is_text()) file_.fail(what);
    file_.fail_at_byte(file_.size(), what);
  }

  /// The next line that is not blank.
  FieldScanner next_row(const PlyElement& element, int64_t found) {
    while (const std::optional<std::string_view> line = file_.next_line()) {
      const FieldScanner scanner(*line);
      if (!scanner.at_end()) return scanner;
    }
    fail_short(element, found);
  }

  void read_vertices(const PlyElement& element, PointRows& points) {
    if (!is_text() && !element.has_list()) return read_records(element, points);
    for (int64_t k = 0; k < element.count; ++k) {
      if (is_text())
        read_text_vertex(element, next_row(element, k), points);
      else
        read_binary_vertex(element, k, points);
    }
  }

  void read_records(const PlyElement& element, PointRows& points) {
    const auto record = static_cast<int64_t>(element.record_bytes());
    if (element.count > file_.remaining() / record) fail_short(element, file_.remaining() / record);
    for (int64_t first = 0; first < element.count; first += kRowsTogether) {
      const int64_t rows = std::min(kRowsTogether, element.count - first);
      const int64_t byte = file_.position();
      char* const bytes = file_.take(static_cast<std::size_t>(rows * record));
      if (bytes == nullptr) fail_short(element, first);
      points.add_records(bytes, rows, order(), byte);
    }
  }

  void read_text_vertex(const PlyElement& element, FieldScanner scanner, PointRows& points) {
    points.begin_text();
    std::size_t field = 0;
    for (const PlyProperty& property : element.properties) {
      if (property.count)
        read_text_list(property, scanner);
      else
        points.add_text_field(field++, scanner);
    }
    points.end_text(scanner);
  }

  void read_binary_vertex(const PlyElement& element, int64_t k, PointRows& points) {
    const int64_t byte = file_.position();
    record_.clear();
    for (const PlyProperty& property : element.properties) {
      if (property.count) {
        read_binary_list(property, element, k);
        continue;
      }
      const char* const bytes = take(byte_size(property.type), element, k);
      record_.append(bytes, byte_size(property.type));
    }
    points.add_records(record_.data(), 1, order(), byte);
  }

  char* take(std::size_t count, const PlyElement& element, int64_t found) {
    char* const bytes = file_.take(count);
    if (bytes == nullptr) fail_short(element, found);
    return bytes;
  }

  int64_t binary_integer(char* bytes, NumberType type) const {
    return with_number_type(type, [&]<class T>(std::type_identity<T>) {
      if (order() == ByteOrder::kBig) std::reverse(bytes, bytes + sizeof(T));
      return static_cast<int64_t>(load_number<T>(bytes));
    });
  }

  /// The numbers of a list into list_, if they are corners.
  void read_binary_list(const PlyProperty& property, const PlyElement& element, int64_t found) {
    char* const count = take(byte_size(*property.count), element, found);
    const int64_t length = checked_length(binary_integer(count, *property.count));
    const auto size = static_cast<int64_t>(byte_size(property.type));
    if (length > file_.remaining() / size) fail_short(element, found);
    char* const bytes = take(static_cast<std::size_t>(length * size), element, found);
    if (!is_corners(property)) return;
    list_.resize(static_cast<std::size_t>(length));
    for (std::size_t k = 0; k < list_.size(); ++k)
      list_[k] = binary_integer(bytes + static_cast<int64_t>(k) * size, property.type);
  }

  void read_text_list(const PlyProperty& property, FieldScanner& scanner) {
    const auto next = [&] {
      const std::optional<int64_t> value = scanner.number<int64_t>();
      if (!value)
        file_.fail(c10::str(scanner.trouble(), "; expected a list '", property.name,
                            "': its length and so many numbers"));
      return *value;
    };
    const int64_t length = checked_length(next());
    list_.clear();
    for (int64_t k = 0; k < length; ++k) {
      if (is_corners(property))
        list_.push_back(next());
      else
        scanner.word();
    }
  }

  int64_t checked_length(int64_t length) const {
    if (length < 0) file_.fail(c10::str("a list of length ", length, "; expected 0 or more"));
    return length;
  }

  static bool is_corners(const PlyProperty& property) {
    return property.count && property.type < NumberType::kFloat32 &&
           (property.name == "vertex_indices" || property.name == "vertex_index");
  }

  void read_faces(const PlyElement& element) {
    if (std::none_of(element.properties.begin(), element.properties.end(), is_corners))
      file_.fail_file("faces have no list 'vertex_indices' of whole numbers; expected one");
    for (int64_t k = 0; k < element.count; ++k)
      walk(element, k, [&](const PlyProperty& property) {
        if (is_corners(property)) faces_.add(list_, vertices_);
      });
  }

  void pass_over(const PlyElement& element) {
    if (is_text() || element.has_list()) {
      for (int64_t k = 0; k < element.count; ++k) walk(element, k, [](const PlyProperty&) {});
      return;
    }
    const auto record = static_cast<int64_t>(element.record_bytes());
    const int64_t found = file_.remaining() / std::max<int64_t>(record, 1);
    if (record > 0 && (element.count > found || !file_.skip(element.count * record)))
      fail_short(element, found);
  }

  /// Reads element number k, and calls f(property) when the numbers of a list are in list_.
  template <class F>
  void walk(const PlyElement& element, int64_t k, const F& f) {
    std::optional<FieldScanner> scanner;
    if (is_text()) scanner = next_row(element, k);
    for (const PlyProperty& property : element.properties) {
      if (property.count) {
        if (scanner)
          read_text_list(property, *scanner);
        else
          read_binary_list(property, element, k);
        f(property);
      } else if (scanner) {
        scanner->word();
      } else {
        take(byte_size(property.type), element, k);
      }
    }
  }

  ChunkedFile file_;
  PlyHeader header_;
  PointReadOptions options_;
  FaceList faces_;
  int64_t vertices_ = 0;
  std::vector<int64_t> list_;
  std::string record_;
};

const bool kPlyRegistered = add_point_format(
    {{".ply"},
     [](const auto& path, const auto& options) { return PlyReader(path, options).read(); },
     write_ply});

}  // namespace
}  // namespace equiframe::inline io
