#include "experiments/normals/contact_sheet.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "datasets/shapes/shapes.h"
#include "experiments/normals/mesh_picture.h"

namespace equiframe {
namespace {

constexpr int64_t kSize = 64;

uint32_t pixel(const report::Picture& picture, int64_t x, int64_t y) {
  return picture.pixels.at(static_cast<size_t>(y * picture.width + x));
}

TEST(MeshPicture, ShowsASphereAsADisc) {
  const report::Picture picture = mesh_picture(named_shape("sphere")->mesh(), kSize);
  ASSERT_EQ(picture.pixels.size(), static_cast<size_t>(kSize * kSize));
  const auto covered = static_cast<double>(kSize * kSize) -
                       static_cast<double>(std::count(picture.pixels.begin(), picture.pixels.end(),
                                                      report::Picture::kClear));
  EXPECT_NEAR(covered / (kSize * kSize), 0.785 * 0.98 * 0.98, 0.02);
  EXPECT_EQ(pixel(picture, 1, 1), report::Picture::kClear);
  EXPECT_NE(pixel(picture, kSize / 2, 4), pixel(picture, kSize / 2, kSize - 5)) << "no shading";
}

/// The faces of a cube that are seen have a colour each, and hide those behind them.
TEST(MeshPicture, HidesWhatIsBehind) {
  const report::Picture picture = mesh_picture(named_shape("cube")->mesh(), kSize);
  const uint32_t top = pixel(picture, kSize / 2, kSize / 5);
  const uint32_t left = pixel(picture, kSize / 5, kSize * 3 / 5);
  const uint32_t right = pixel(picture, kSize * 4 / 5, kSize * 3 / 5);
  EXPECT_NE(top, left);
  EXPECT_NE(left, right);
  const auto count = [&](uint32_t colour) {
    return std::count(picture.pixels.begin(), picture.pixels.end(), colour);
  };
  EXPECT_GT(count(top) + count(left) + count(right), kSize * kSize / 2);
}

TEST(ContactSheet, HasAPictureAndACaptionForEachModel) {
  std::vector<SheetModel> models;
  for (const std::string& name : shape_names())
    models.push_back(
        {named_shape(name)->mesh(MeshDetail::kSketch), name + " & a long explanation of it"});
  const std::string svg = contact_sheet("Shapes", models, 3).file();
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<title>"), 5);
  EXPECT_EQ(count("capsule &amp; a long explanation"), 2);  // the hint and the caption
  EXPECT_EQ(count("…"), 5);
  EXPECT_LT(svg.size(), 300000U);
  EXPECT_NE(contact_sheet("Empty", {}, 4).file().find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace equiframe
