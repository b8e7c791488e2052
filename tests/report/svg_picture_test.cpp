#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/svg.h"

namespace equiframe::report {
namespace {

/// The pixels that the strokes of a drawing colour.
Picture parsed(const std::string& svg, int64_t width, int64_t height) {
  Picture picture{width, height, {}};
  picture.pixels.assign(static_cast<size_t>(width * height), Picture::kClear);
  const std::regex path("<path stroke=\"#([0-9a-f]{6})\" d=\"([^\"]*)\"/>");
  const std::regex stroke("m(-?\\d+) (-?\\d+)h(\\d+)");
  for (std::sregex_iterator p(svg.begin(), svg.end(), path), end; p != end; ++p) {
    const auto colour = static_cast<uint32_t>(std::stoul((*p)[1], nullptr, 16));
    const std::string strokes = (*p)[2];
    int64_t x = 0, y = 0;
    for (std::sregex_iterator s(strokes.begin(), strokes.end(), stroke); s != end; ++s) {
      x += std::stoll((*s)[1]);
      y += std::stoll((*s)[2]);
      for (int64_t k = std::stoll((*s)[3]); k > 0; --k, ++x)
        picture.pixels.at(static_cast<size_t>(y * width + x)) = colour;
    }
  }
  return picture;
}

TEST(SvgPicture, DrawsEveryPixel) {
  Picture picture{7, 5, {}};
  for (uint32_t k = 0; k < 35; ++k)
    picture.pixels.push_back(k % 4 == 0 ? Picture::kClear : (k * k % 3) * 0x10ff01U);
  Svg svg({20, 20}, "a picture");
  svg.picture({3, 4}, 2, picture, "a < b");
  EXPECT_EQ(parsed(svg.element(), 7, 5).pixels, picture.pixels);
  EXPECT_NE(svg.element().find("translate(3 5) scale(2)"), std::string::npos);
  EXPECT_NE(svg.element().find("<title>a &lt; b</title>"), std::string::npos);
}

TEST(SvgPicture, OfNothingIsNothing) {
  Svg svg({20, 20}, "a picture");
  svg.picture({0, 0}, 1, {2, 1, {Picture::kClear, Picture::kClear}});
  EXPECT_EQ(svg.element().find("<path"), std::string::npos);
}

}  // namespace
}  // namespace equiframe::report
