// .off: counts, vertices and faces in text; COFF with colours, NOFF with normals, CNOFF with both.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/plain_text.h"
#include "io/bytes/field_scanner.h"
#include "io/bytes/number_lines.h"
#include "io/clouds/rows/colour_columns.h"
#include "io/clouds/rows/face_list.h"
#include "io/clouds/rows/point_format.h"
#include "io/clouds/rows/point_output.h"
#include "io/clouds/rows/point_rows.h"

namespace equiframe::inline io {
namespace {

class OffReader {
 public:
  OffReader(const std::filesystem::path& path, const PointReadOptions& options)
      : file_(path), invalid_(options.invalid) {}

  PointCloud read() {
    read_header();
    if (vertices_ == 0) return {at::empty({0, 3}, at::kDouble), {}, {}, {}};
    FieldScanner first = next_row("points", 0, vertices_);
    PointRows points(file_, fields_of(first), invalid_);
    const auto shortest = static_cast<int64_t>(2 * points.fields());  // a digit and a blank each
    points.reserve(std::min(vertices_, file_.remaining() / shortest + 2));
    points.add_text(first);
    while (points.rows() < vertices_) points.add_text(next_row("points", points.rows(), vertices_));
    FaceList faces(file_);
    for (int64_t k = 0; k < faces_; ++k) read_face(next_row("faces", k, faces_), faces);
    PointCloud cloud = points.finish();
    colours_to_bytes(cloud, ColourScale::kFractions);
    cloud.faces = faces.finish();
    return cloud;
  }

 private:
  /// The next line that has something in it before a comment.
  std::optional<FieldScanner> next_line() {
    while (const std::optional<std::string_view> line = file_.next_line()) {
      const FieldScanner scanner(*line);
      if (!scanner.at_end()) return scanner;
    }
    return std::nullopt;
  }

  FieldScanner next_row(const char* what, int64_t found, int64_t promised) {
    const std::optional<FieldScanner> row = next_line();
    if (!row)
      file_.fail(c10::str("the file ends after ", found, " of ", promised, " ", what,
                          "; copy or export it again"));
    return *row;
  }

  /// "OFF", then three counts, on the same line or the next; some writers leave out the blank.
  void read_header() {
    std::optional<FieldScanner> row = next_line();
    const std::string word(row ? row->word() : "");
    const std::size_t end = word.find("OFF");
    const std::string kind = word.substr(0, end);
    if (end == std::string::npos || (!kind.empty() && kind != "C" && kind != "N" && kind != "CN"))
      file_.fail_file(c10::str("'", excerpt(word),
                               "' begins no OFF file that can be read; expected "
                               "OFF, COFF, NOFF or CNOFF"));
    coloured_ = kind.starts_with('C');
    has_normals_ = kind.ends_with('N');
    std::string rest = word.substr(end + 3);
    while (!row->at_end()) rest.append(" ").append(row->word());
    if (rest.find("BINARY") != std::string::npos)
      file_.fail_file("binary OFF cannot be read; export it as text, or as PLY");
    if (!rest.empty()) return read_counts(FieldScanner(rest));
    row = next_line();
    if (!row)
      file_.fail("the file ends inside the header; expected the numbers of vertices and faces");
    read_counts(*row);
  }

  void read_counts(FieldScanner row) {
    const std::optional<int64_t> vertices = row.number<int64_t>(), faces = row.number<int64_t>();
    if (!vertices || !faces || *vertices < 0 || *faces < 0)
      file_.fail("expected the numbers of vertices, faces and edges");
    vertices_ = *vertices;
    faces_ = *faces;
  }

  /// The header says what there is, the first vertex whether a colour has an alpha.
  std::vector<PointField> fields_of(FieldScanner first) const {
    std::vector<PointField> fields{
        {"x", NumberType::kFloat64}, {"y", NumberType::kFloat64}, {"z", NumberType::kFloat64}};
    if (has_normals_)
      for (const char* name : {"nx", "ny", "nz"}) fields.push_back({name, NumberType::kFloat32});
    if (!coloured_) return fields;
    for (const char* name : {"red", "green", "blue"})
      fields.push_back({name, NumberType::kFloat64});
    std::size_t width = 0;
    for (; !first.at_end(); first.word()) ++width;
    if (width > fields.size()) fields.push_back({"alpha", NumberType::kFloat64});
    return fields;
  }

  /// The number of corners, the corners, and a colour that is passed over.
  void read_face(FieldScanner row, FaceList& faces) {
    const auto next = [&] {
      const std::optional<int64_t> value = row.number<int64_t>();
      if (!value)
        file_.fail(c10::str(row.trouble(),
                            "; expected the number of corners of a face and so many "
                            "corners"));
      return *value;
    };
    corners_.clear();
    for (int64_t left = next(); left > 0; --left) corners_.push_back(next());
    faces.add(corners_, vertices_);
  }

  ChunkedFile file_;
  InvalidPoints invalid_;
  int64_t vertices_ = 0, faces_ = 0;
  bool coloured_ = false, has_normals_ = false;
  std::vector<int64_t> corners_;
};

void write_off(const std::filesystem::path& path, const PointCloud& cloud,
               const PointFileOptions& options) {
  const std::vector<Tensor> colours = colours_of(cloud);
  PointFileOptions wide = options;
  if (wide.coordinates == CoordinateType::kAutomatic) wide.coordinates = CoordinateType::kFloat64;
  std::vector<OutputField> fields = output_fields({cloud.points, cloud.normals, {}, {}}, wide);
  for (const Tensor& colour : colours) fields.push_back({"colour", NumberType::kUint8, colour});
  const std::string header =
      text::plain(colours.empty() ? "" : "C", cloud.normals.defined() ? "N" : "", "OFF\n",
                  cloud.size(), " ", cloud.faces.defined() ? cloud.faces.size(0) : 0, " 0\n");
  write_file_atomically(path, [&](const ByteSink& sink) {
    write_text(sink, header);
    write_lines(sink, fields, ' ');
    if (cloud.faces.defined()) write_face_lines(sink, cloud.faces, "3 ", 0);
  });
}

const bool kOffRegistered = add_point_format(
    {{".off"},
     [](const auto& path, const auto& options) { return OffReader(path, options).read(); },
     write_off});

}  // namespace
}  // namespace equiframe::inline io
