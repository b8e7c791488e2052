// .obj: vertices, normals and faces in text. Textures, groups and materials are passed over.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "io/bytes/field_scanner.h"
#include "io/bytes/number_lines.h"
#include "io/clouds/formats/obj_normals.h"
#include "io/clouds/rows/colour_columns.h"
#include "io/clouds/rows/face_list.h"
#include "io/clouds/rows/point_format.h"
#include "io/clouds/rows/point_output.h"
#include "io/clouds/rows/point_rows.h"

namespace equiframe::inline io {
namespace {

constexpr std::size_t kMaxVertexNumbers = 7;

class ObjReader {
 public:
  ObjReader(const std::filesystem::path& path, const PointReadOptions& options)
      : file_(path), invalid_(options.invalid), faces_(file_), normals_(file_) {}

  PointCloud read() {
    while (const std::optional<std::string_view> line = next_line()) {
      FieldScanner words(*line);
      const std::string_view word = words.word();
      if (word == "v")
        read_vertex(words);
      else if (word == "vn")
        normals_.add(words);
      else if (word == "f")
        read_face(words);
    }
    if (points_.rows() == 0) file_.fail_file("no vertex; expected lines 'v x y z'");
    if (largest_ >= points_.rows())
      file_.fail_line(largest_line_, c10::str("a face with vertex ", largest_ + 1, "; there are ",
                                              points_.rows(), " vertices"));
    PointCloud cloud;
    cloud.normals = normals_.finish(points_.rows());
    cloud.points = points_.finish();
    if (colours_.rows() > 0) {
      const Tensor colours = colours_.finish();  // [N, 3]
      for (int64_t c = 0; c < 3; ++c)
        cloud.columns.push_back(
            {std::vector<std::string>{"red", "green", "blue"}[static_cast<size_t>(c)],
             colours.select(1, c).contiguous()});
      colours_to_bytes(cloud, ColourScale::kFractions);
    }
    cloud.faces = faces_.finish();
    return cloud;
  }

 private:
  /// A backslash at its end makes a line go on in the next.
  std::optional<std::string_view> next_line() {
    std::optional<std::string_view> line = file_.next_line();
    if (!line || !line->ends_with('\\')) return line;
    joined_.clear();
    while (line && line->ends_with('\\')) {
      joined_.append(line->substr(0, line->size() - 1)) += ' ';
      line = file_.next_line();
    }
    if (line) joined_ += *line;
    return joined_;
  }

  /// x y z, x y z w, x y z r g b or x y z w r g b.
  void read_vertex(FieldScanner& words) {
    double numbers[kMaxVertexNumbers] = {};
    std::size_t count = 0;
    for (; !words.at_end() && count < kMaxVertexNumbers; ++count) {
      const std::optional<double> value = words.number<double>();
      if (!value) file_.fail(c10::str(words.trouble(), "; expected 'v x y z'"));
      numbers[count] = *value;
    }
    if (!words.at_end() || count < 3 || count == 5)
      file_.fail(c10::str("a vertex of ", count, " numbers; expected 'v x y z' or with r g b"));
    if ((count == 4 || count == 7) && numbers[3] != 1)
      file_.fail("a vertex with a weight; expected none, or 1");
    auto* const point = points_.add_row<double>();
    std::copy(numbers, numbers + 3, point);
    if (invalid_ == InvalidPoints::kRefuse &&
        !(std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2])))
      file_.fail(invalid_point(points_.rows() - 1, point));
    const bool coloured = count >= 6;
    if (colours_.rows() != (coloured ? points_.rows() - 1 : 0))
      file_.fail("some vertices have a colour and some have none; expected the same for all");
    if (coloured) std::copy(numbers + count - 3, numbers + count, colours_.add_row<double>());
  }

  void read_face(FieldScanner& words) {
    corners_.clear();
    corner_normals_.clear();
    while (!words.at_end()) read_corner(words.word());
    for (const int64_t corner : corners_)
      if (corner > largest_) {
        largest_ = corner;
        largest_line_ = file_.line_number();
      }
    faces_.add(corners_, std::numeric_limits<int64_t>::max());
    for (std::size_t k = 0; k < corners_.size(); ++k)
      normals_.use(corners_[k], corner_normals_[k], points_.rows());
  }

  /// v, v/t, v//n or v/t/n; counted from 1, or backwards from -1.
  void read_corner(std::string_view word) {
    const std::size_t slash = word.find('/');
    corners_.push_back(index(word.substr(0, slash), points_.rows(), word));
    const std::size_t second = slash == std::string_view::npos ? slash : word.find('/', slash + 1);
    corner_normals_.push_back(second == std::string_view::npos || second + 1 == word.size()
                                  ? ObjNormals::kNone
                                  : index(word.substr(second + 1), normals_.count(), word));
  }

  int64_t index(std::string_view digits, int64_t count, std::string_view word) const {
    const std::optional<int64_t> value = FieldScanner(digits).number<int64_t>();
    if (!value || *value == 0 || *value < -count)
      file_.fail(c10::str("corner '", excerpt(word),
                          "' of a face; expected v, v/t, v//n or v/t/n, counted ",
                          "from 1, or backwards from -1 to -", count));
    return *value > 0 ? *value - 1 : count + *value;
  }

  ChunkedFile file_;
  InvalidPoints invalid_;
  GrowingRows points_{at::kDouble, 3}, colours_{at::kDouble, 3};
  FaceList faces_;
  ObjNormals normals_;
  std::vector<int64_t> corners_, corner_normals_;
  int64_t largest_ = -1, largest_line_ = 0;
  std::string joined_;
};

void append_after_blank(std::string& text, auto value) {
  text += ' ';
  append_number(text, value);
}

/// Each corner with the normal of the same number.
void write_faces_with_normals(const ByteSink& sink, const Tensor& faces) {
  const int64_t* const corners = faces.data_ptr<int64_t>();
  write_rows(sink, faces.size(0), [&](std::string& text, int64_t row) {
    text += 'f';
    for (int64_t k = 3 * row; k < 3 * row + 3; ++k) {
      append_after_blank(text, corners[k] + 1);
      text += "//";
      append_number(text, corners[k] + 1);
    }
    text += '\n';
  });
}

void write_normals(const ByteSink& sink, const Tensor& normals) {
  const float* const numbers = normals.data_ptr<float>();
  write_rows(sink, normals.size(0), [&](std::string& text, int64_t row) {
    text += "vn";
    for (int64_t k = 3 * row; k < 3 * row + 3; ++k) append_after_blank(text, numbers[k]);
    text += '\n';
  });
}

void write_vertices(const ByteSink& sink, const PointCloud& cloud, CoordinateType type) {
  constexpr float kMaxByte = 255;
  const std::vector<Tensor> colours = colours_of(cloud);
  const double* const points = cloud.points.data_ptr<double>();
  write_rows(sink, cloud.size(), [&](std::string& text, int64_t row) {
    text += 'v';
    for (int64_t k = 3 * row; k < 3 * row + 3; ++k) {
      if (type == CoordinateType::kFloat32)
        append_after_blank(text, static_cast<float>(points[k]));
      else
        append_after_blank(text, points[k]);
    }
    for (std::size_t c = 0; c < 3 && !colours.empty(); ++c)
      append_after_blank(text, static_cast<float>(colours[c].data_ptr<uint8_t>()[row]) / kMaxByte);
    text += '\n';
  });
}

void write_obj(const std::filesystem::path& path, const PointCloud& cloud,
               const PointFileOptions& options) {
  write_file_atomically(path, [&](const ByteSink& sink) {
    write_text(sink, "# written by equiframe\n");
    write_vertices(sink, cloud, options.coordinates);
    if (cloud.normals.defined()) write_normals(sink, cloud.normals);
    if (!cloud.faces.defined()) return;
    if (cloud.normals.defined())
      write_faces_with_normals(sink, cloud.faces);
    else
      write_face_lines(sink, cloud.faces, "f ", 1);
  });
}

const bool kObjRegistered = add_point_format(
    {{".obj"},
     [](const auto& path, const auto& options) { return ObjReader(path, options).read(); },
     write_obj});

}  // namespace
}  // namespace equiframe::inline io
