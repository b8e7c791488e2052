/// Small sets of meshes in the layout of ABC.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/datasets/loading.h"

namespace equiframe::datasets_test {

using Sides = std::array<double, 3>;

/// A box with one corner at `corner`, faces of four corners that look out, and vertex normals that
/// are wrong.
inline std::string box_obj(const Sides& sides, const Sides& corner = {7, -3, 11}) {
  std::string text = "# a box\nvn 0 0 1\n";
  for (int k = 0; k < 8; ++k) {
    text += "v";
    for (size_t axis = 0; axis < 3; ++axis)
      text += c10::str(" ", corner[axis] + ((k >> axis) & 1) * sides[axis]);
    text += "\n";
  }
  for (const auto& face : std::vector<std::array<int, 4>>{
           {1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}})
    text += c10::str("f ", face[0], "//1 ", face[1], "//1 ", face[2], "//1 ", face[3], "//1\n");
  return text;
}

inline std::string octahedron_obj() {
  return "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
         "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
}

inline std::string list_json(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return R"({"scans": {"all": [)" + text + "]}}\n";
}

/// Training: cube, octahedron, tower (1 x 1 x 10) and plate, which validates; test: box and bar.
class AbcFolder {
 public:
  AbcFolder() {
    add("train/512/cube", box_obj({1, 1, 1}));
    add("train/512/octahedron", octahedron_obj());
    add("train/512/tower", box_obj({1, 1, 10}));
    add("train/512/plate", box_obj({3, 2, 0.5}));
    add("test/512/box", box_obj({1, 2, 3}));
    add("test/512/bar", box_obj({4, 1, 2}));
    write("train.json", list_json({"cube", "octahedron", "tower", "plate"}));
    write("test.json", list_json({"box", "bar"}));
  }

  void add(const std::string& name, const std::string& obj) const { write(name + ".obj", obj); }
  void write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_file(folder_ / name, bytes);
  }
  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

  Splits load(const std::string& options = "") const {
    return datasets_test::load("abc(" + options + ")", path());
  }
  std::string refusal(const std::string& options = "") const {
    return datasets_test::refusal("abc(" + options + ")", path());
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace equiframe::datasets_test
