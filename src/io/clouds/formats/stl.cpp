// .stl: triangles, each with its own corners. Corners in the same place become one point.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "io/bytes/field_scanner.h"
#include "io/bytes/number_lines.h"
#include "io/bytes/number_type.h"
#include "io/clouds/rows/face_list.h"
#include "io/clouds/rows/point_format.h"
#include "io/clouds/rows/point_output.h"
#include "io/clouds/rows/point_rows.h"
#include "io/clouds/rows/welded_points.h"

namespace equiframe::inline io {
namespace {

// Binary: 80 bytes of anything, the number of triangles, and for each the normal, three corners and
// two bytes of attributes.
constexpr std::size_t kTitleBytes = 80, kHeaderBytes = 84, kTriangleBytes = 50;
constexpr int64_t kTrianglesTogether = 4096;

class StlReader {
 public:
  StlReader(const std::filesystem::path& path, const PointReadOptions& options)
      : file_(path), invalid_(options.invalid), faces_(file_) {}

  PointCloud read() {
    if (is_text())
      read_text();
    else
      read_binary();
    PointCloud cloud;
    cloud.points = points_.finish();
    cloud.faces = faces_.finish();
    return cloud;
  }

 private:
  /// Many binary files begin with the word "solid", so that the length decides; only a file of
  /// another length is text if it says so and has no zero bytes.
  bool is_text() {
    const std::string_view start = file_.peek(512);
    if (start.size() >= kHeaderBytes) {
      const int64_t triangles = load_number<uint32_t>(start.data() + kTitleBytes);
      if (file_.size() == static_cast<int64_t>(kHeaderBytes + kTriangleBytes * triangles))
        return false;
    }
    const std::size_t word = start.find_first_not_of(" \t\r\n");
    if (word == std::string_view::npos || start.find('\0') != std::string_view::npos) return false;
    std::string begin(start.substr(word, 5));
    for (char& c : begin) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return begin == "solid";
  }

  void read_binary() {
    const std::size_t found_bytes = static_cast<std::size_t>(file_.size());
    const char* const header = file_.take(kHeaderBytes);
    if (header == nullptr)
      file_.fail_file(c10::str("this is no STL file: expected 'solid' or a header of ",
                               kHeaderBytes, " bytes, found ", found_bytes, " bytes in all"));
    const int64_t triangles = load_number<uint32_t>(header + kTitleBytes);
    const int64_t found = file_.remaining() / static_cast<int64_t>(kTriangleBytes);
    if (found < triangles)
      file_.fail_at_byte(file_.size(), c10::str("the file ends after ", found, " of ", triangles,
                                                " triangles; copy or export it again"));
    if (file_.remaining() != triangles * static_cast<int64_t>(kTriangleBytes))
      file_.fail_file(c10::str("the file is longer than its ", triangles, " triangles; expected ",
                               kTriangleBytes, " bytes for each"));
    faces_.reserve(triangles);
    for (int64_t first = 0; first < triangles; first += kTrianglesTogether) {
      const int64_t count = std::min(kTrianglesTogether, triangles - first);
      const int64_t byte = file_.position();
      const char* const bytes = file_.take(static_cast<std::size_t>(count) * kTriangleBytes);
      if (bytes == nullptr) file_.fail("the file became shorter while it was read; read it again");
      for (int64_t k = 0; k < count; ++k)
        read_triangle(bytes + k * static_cast<int64_t>(kTriangleBytes),
                      byte + k * static_cast<int64_t>(kTriangleBytes));
    }
  }

  void read_triangle(const char* bytes, int64_t byte) {
    corners_.clear();
    for (std::size_t corner = 1; corner <= 3; ++corner) {  // number 0 is the normal
      std::array<double, 3> point{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        point[axis] = load_number<float>(bytes + (3 * corner + axis) * sizeof(float));
      if (!is_allowed(point)) file_.fail_at_byte(byte, invalid_point(points_.size(), point.data()));
      corners_.push_back(points_.add(point.data()));
    }
    faces_.add(corners_, points_.size());
  }

  bool is_allowed(const std::array<double, 3>& point) const {
    return invalid_ == InvalidPoints::kKeep ||
           std::all_of(point.begin(), point.end(), [](double x) { return std::isfinite(x); });
  }

  void read_text() {
    bool inside = false;  // a solid that has not ended
    int64_t facets = 0;
    while (const std::optional<std::string_view> line = file_.next_line()) {
      FieldScanner words(*line);
      if (words.at_end()) continue;
      std::string word(words.word());
      for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (word == "vertex") {
        read_corner(words);
      } else if (word == "endloop") {
        faces_.add(corners_, points_.size());
      } else if (word == "facet") {
        corners_.clear();
        ++facets;
      } else if (word == "solid" || word == "endsolid") {
        inside = word == "solid";
      } else if (word != "outer" && word != "endfacet") {
        file_.fail(c10::str("'", excerpt(word),
                            "'; expected solid, facet, outer loop, vertex, "
                            "endloop, endfacet or endsolid"));
      }
    }
    if (inside)
      file_.fail(c10::str("the file ends after ", facets,
                          " triangles, the last may be cut; expected 'endsolid'"));
  }

  void read_corner(FieldScanner& words) {
    std::array<double, 3> point{};
    for (double& coordinate : point) {
      const std::optional<double> value = words.number<double>();
      if (!value) file_.fail(c10::str(words.trouble(), "; expected 'vertex x y z'"));
      coordinate = *value;
    }
    if (!is_allowed(point)) file_.fail(invalid_point(points_.size(), point.data()));
    corners_.push_back(points_.add(point.data()));
  }

  ChunkedFile file_;
  InvalidPoints invalid_;
  WeldedPoints points_;
  FaceList faces_;
  std::vector<int64_t> corners_;
};

using Corners = std::array<const double*, 3>;

/// Unit normal by the right-hand rule; zero if the triangle has no area.
std::array<double, 3> normal_of(const Corners& p) {
  std::array<double, 3> u{}, v{};
  for (std::size_t k = 0; k < 3; ++k) {
    u[k] = p[1][k] - p[0][k];
    v[k] = p[2][k] - p[0][k];
  }
  std::array<double, 3> n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                          u[0] * v[1] - u[1] * v[0]};
  const double length = std::hypot(n[0], n[1], n[2]);
  for (double& x : n) x = length > 0 ? x / length : 0.0;
  return n;
}

void append_binary(std::string& bytes, const Corners& corners) {
  const auto append = [&bytes](const double* numbers) {
    for (int k = 0; k < 3; ++k) {
      const auto number = static_cast<float>(numbers[k]);
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
  };
  append(normal_of(corners).data());
  for (const double* corner : corners) append(corner);
  bytes.append(2, '\0');
}

void append_text(std::string& text, const Corners& corners, bool narrow) {
  const auto append = [&](const char* word, const double* numbers, bool as_float) {
    text += word;
    for (int k = 0; k < 3; ++k) {
      text += ' ';
      if (as_float)
        append_number(text, static_cast<float>(numbers[k]));
      else
        append_number(text, numbers[k]);
    }
    text += '\n';
  };
  append("facet normal", normal_of(corners).data(), true);
  text += "outer loop\n";
  for (const double* corner : corners) append("vertex", corner, narrow);
  text += "endloop\nendfacet\n";
}

void refuse_loss(const std::filesystem::path& path, const PointCloud& cloud) {
  const Float32Loss loss = float32_loss(cloud.points);
  if (!loss.matters()) return;
  throw UserError(c10::str("cannot write '", path.string(), "': float32, all that binary STL has, ",
                           "moves points by up to ", loss.moved, " in a mesh of extent ",
                           loss.extent, "; write .ply or text, or ask for float32"));
}

void write_stl(const std::filesystem::path& path, const PointCloud& cloud,
               const PointFileOptions& options) {
  if (!cloud.faces.defined())
    throw UserError(c10::str("cannot write '", path.string(),
                             "': the cloud has no faces and STL has nothing else; write .ply"));
  const bool text = options.encoding == FileEncoding::kText;
  const bool narrow = options.coordinates == CoordinateType::kFloat32;
  if (!text && !narrow) refuse_loss(path, cloud);
  const double* const points = cloud.points.data_ptr<double>();
  const int64_t* const faces = cloud.faces.data_ptr<int64_t>();
  write_file_atomically(path, [&](const ByteSink& sink) {
    std::string header(kHeaderBytes, '\0');
    const auto count = static_cast<uint32_t>(cloud.faces.size(0));
    std::memcpy(header.data(), "written by equiframe", 20);
    std::memcpy(header.data() + kTitleBytes, &count, sizeof count);
    write_text(sink, text ? "solid equiframe\n" : header);
    write_rows(sink, cloud.faces.size(0), [&](std::string& out, int64_t row) {
      const int64_t* const face = faces + 3 * row;
      const Corners corners{points + 3 * face[0], points + 3 * face[1], points + 3 * face[2]};
      text ? append_text(out, corners, narrow) : append_binary(out, corners);
    });
    if (text) write_text(sink, "endsolid equiframe\n");
  });
}

const bool kStlRegistered = add_point_format(
    {{".stl"},
     [](const auto& path, const auto& options) { return StlReader(path, options).read(); },
     write_stl});

}  // namespace
}  // namespace equiframe::inline io
