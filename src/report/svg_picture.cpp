#include <cstdio>
#include <map>
#include <string>

#include "core/plain_text.h"
#include "report/format.h"
#include "report/svg.h"

namespace equiframe::report {
namespace {

/// Horizontal strokes, each placed from where the one before it ended.
class Strokes {
 public:
  void add(int64_t x, int64_t y, int64_t width) {
    path_ +=
        "m" + std::to_string(x - x_) + " " + std::to_string(y - y_) + "h" + std::to_string(width);
    x_ = x + width;
    y_ = y;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int64_t x_ = 0, y_ = 0;
};

std::map<uint32_t, Strokes> strokes_by_colour(const Picture& picture) {
  std::map<uint32_t, Strokes> strokes;
  for (int64_t y = 0; y < picture.height; ++y) {
    const uint32_t* row = picture.pixels.data() + y * picture.width;
    for (int64_t x = 0, end = 0; x < picture.width; x = end) {
      for (end = x + 1; end < picture.width && row[end] == row[x];) ++end;
      if (row[x] != Picture::kClear) strokes[row[x]].add(x, y, end - x);
    }
  }
  return strokes;
}

}  // namespace

void Svg::picture(Point corner, double pixel, const Picture& picture, std::string_view hint) {
  // Strokes run along the middle of their row and are a little wider, so that no seams show.
  shapes_ += text::plain("<g transform=\"translate(", corner.x, " ", corner.y + pixel / 2,
                         ") scale(", pixel, ")\" stroke-width=\"1.08\">");
  if (!hint.empty()) shapes_ += "<title>" + escape(hint) + "</title>";
  for (const auto& [colour, strokes] : strokes_by_colour(picture)) {
    char text[32];
    std::snprintf(text, sizeof text, "<path stroke=\"#%06x\" d=\"", colour);
    shapes_ += text + strokes.path() + "\"/>";
  }
  shapes_ += "</g>\n";
}

}  // namespace equiframe::report
