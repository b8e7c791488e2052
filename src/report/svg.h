#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// One-file reports: HTML pages with tables and drawings, without scripts and without a network.
namespace equiframe::report {

/// The colours of all drawings, by role: each has a light and a dark value (see palette.h).
enum class Colour { kInk, kMuted, kRule, kSurface, kWarm, kCool, kFresh };

struct Point {
  double x = 0;
  double y = 0;
};

struct Size {
  double width = 0;
  double height = 0;
};

enum class Dash { kNone, kDashed };

struct Stroke {
  Colour colour = Colour::kInk;
  double width = 1;
  double opacity = 1;
  Dash dash = Dash::kNone;
};

enum class Mark { kDot, kRing, kDiamond, kNone };
enum class Anchor { kStart, kMiddle, kEnd };
enum class Weight { kNormal, kBold };

struct TextStyle {
  Colour colour = Colour::kInk;
  double size = 13;
  Anchor anchor = Anchor::kStart;
  Weight weight = Weight::kNormal;
};

/// A grid of pixels.
struct Picture {
  static constexpr uint32_t kClear = 0xffffffff;  ///< nothing there

  int64_t width = 0;
  int64_t height = 0;
  std::vector<uint32_t> pixels;  ///< row by row from the top, 0xRRGGBB or kClear
};

/// A drawing in user units, y downwards. Shapes appear in the order they are added.
class Svg {
 public:
  /// `description` is what a reader who cannot see the drawing is told.
  Svg(Size size, std::string description);

  void line(Point from, Point to, const Stroke& stroke);
  void path(const std::vector<Point>& points, const Stroke& stroke);
  /// A line that ends in a head; a very short one is all head.
  void arrow(Point from, Point to, const Stroke& stroke);
  void rect(Point corner, Size size, Colour fill);
  /// The inside of a closed line.
  void area(const std::vector<Point>& outline, Colour fill, double opacity);
  /// `hint` is shown when the pointer rests on the mark.
  void mark(Mark mark, Point centre, Colour colour, std::string_view hint = {});
  /// A see-through circle with an edge, for marks that may cover one another.
  void disc(Point centre, double radius, Colour colour, std::string_view hint = {});
  void text(Point baseline, std::string_view text, const TextStyle& style = {});
  /// Pixels of this size, drawn as one path for each of their colours: a few colours make a small
  /// file.
  void picture(Point corner, double pixel, const Picture& picture, std::string_view hint = {});

  Size size() const { return size_; }
  /// The element for a page, which brings the colours.
  std::string element() const;
  /// A complete file with its own colours and background.
  std::string file() const;

 private:
  std::string open_tag(std::string_view attributes) const;

  Size size_;
  std::string description_;
  std::string shapes_;
};

}  // namespace equiframe::report
