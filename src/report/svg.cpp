#include "report/svg.h"

#include <algorithm>
#include <cmath>

#include "core/plain_text.h"
#include "report/format.h"
#include "report/palette.h"

namespace equiframe::report {
namespace {

constexpr const char* kFonts =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/// Two decimals are a hundredth of a pixel; more would only make files longer.
std::string coordinate(double value) {
  std::string text = text::printed("%.2f", value == 0 ? 0.0 : value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string attribute(const char* key, double value) {
  return std::string(" ") + key + "=\"" + coordinate(value) + "\"";
}

std::string pair(Point p) {
  return coordinate(p.x) + "," + coordinate(p.y);
}

std::string list(const std::vector<Point>& points) {
  std::string result;
  for (const Point& p : points) result += (result.empty() ? "" : " ") + pair(p);
  return result;
}

/// What is shown when the pointer rests on a shape.
std::string title(std::string_view hint) {
  return hint.empty() ? "" : "<title>" + escape(hint) + "</title>";
}

std::string stroke_attributes(const Stroke& stroke) {
  std::string result = std::string(" class=\"s-") + name(stroke.colour) + "\"" +
                       attribute("stroke-width", stroke.width);
  if (stroke.opacity < 1) result += attribute("opacity", stroke.opacity);
  if (stroke.dash == Dash::kDashed) result += " stroke-dasharray=\"4 4\"";
  return result;
}

}  // namespace

Svg::Svg(Size size, std::string description) : size_(size), description_(std::move(description)) {}

void Svg::line(Point from, Point to, const Stroke& stroke) {
  shapes_ += "<line" + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
             attribute("y2", to.y) + stroke_attributes(stroke) + "/>\n";
}

void Svg::path(const std::vector<Point>& points, const Stroke& stroke) {
  shapes_ += "<polyline points=\"" + list(points) + "\" fill=\"none\" stroke-linejoin=\"round\"" +
             stroke_attributes(stroke) + "/>\n";
}

void Svg::arrow(Point from, Point to, const Stroke& stroke) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length == 0) return;
  const Point along{(to.x - from.x) / length, (to.y - from.y) / length};
  const double head = std::min(length, 3.0 + 3.0 * stroke.width), half = 0.42 * head;
  const Point neck{to.x - head * along.x, to.y - head * along.y};
  const auto corner = [&](double side) {
    return pair({neck.x - side * half * along.y, neck.y + side * half * along.x});
  };
  std::string group = "<g";
  if (stroke.opacity < 1) group += attribute("opacity", stroke.opacity);
  Stroke shaft = stroke;
  shaft.opacity = 1;
  shapes_ += group + ">";
  // The shaft reaches into the head, so that no seam shows between them.
  line(from, {to.x - 0.6 * head * along.x, to.y - 0.6 * head * along.y}, shaft);
  shapes_ += "<polygon points=\"" + pair(to) + " " + corner(1) + " " + corner(-1) +
             "\" class=\"f-" + name(stroke.colour) + "\"/></g>\n";
}

void Svg::rect(Point corner, Size size, Colour fill) {
  shapes_ += "<rect" + attribute("x", corner.x) + attribute("y", corner.y) +
             attribute("width", size.width) + attribute("height", size.height) + " class=\"f-" +
             name(fill) + "\"/>\n";
}

void Svg::area(const std::vector<Point>& outline, Colour fill, double opacity) {
  shapes_ += "<polygon points=\"" + list(outline) + "\" class=\"f-" + name(fill) + "\"" +
             attribute("opacity", opacity) + "/>\n";
}

void Svg::mark(Mark mark, Point centre, Colour colour, std::string_view hint) {
  constexpr double kRadius = 5, kRing = 4.2, kDiamond = 6.2;
  if (mark == Mark::kNone) return;
  const std::string place = attribute("cx", centre.x) + attribute("cy", centre.y);
  const std::string fill = std::string(" class=\"f-") + name(colour) + "\"";
  if (mark == Mark::kDot) {
    shapes_ +=
        "<circle" + place + attribute("r", kRadius) + fill + ">" + title(hint) + "</circle>\n";
  } else if (mark == Mark::kRing) {
    shapes_ += "<circle" + place + attribute("r", kRing) + " class=\"f-surface s-" + name(colour) +
               "\" stroke-width=\"2\">" + title(hint) + "</circle>\n";
  } else {
    const double r = kDiamond;
    shapes_ += "<polygon points=\"" + pair({centre.x, centre.y - r}) + " " +
               pair({centre.x + r, centre.y}) + " " + pair({centre.x, centre.y + r}) + " " +
               pair({centre.x - r, centre.y}) + "\"" + fill + ">" + title(hint) + "</polygon>\n";
  }
}

void Svg::disc(Point centre, double radius, Colour colour, std::string_view hint) {
  shapes_ += "<circle" + attribute("cx", centre.x) + attribute("cy", centre.y) +
             attribute("r", radius) + " class=\"f-" + name(colour) + " s-" + name(colour) +
             "\" fill-opacity=\"0.3\">" + title(hint) + "</circle>\n";
}

void Svg::text(Point baseline, std::string_view text, const TextStyle& style) {
  std::string attributes =
      std::string(" class=\"f-") + name(style.colour) + "\"" + attribute("font-size", style.size);
  if (style.anchor == Anchor::kMiddle) attributes += " text-anchor=\"middle\"";
  if (style.anchor == Anchor::kEnd) attributes += " text-anchor=\"end\"";
  if (style.weight == Weight::kBold) attributes += " font-weight=\"600\"";
  shapes_ += "<text" + attribute("x", baseline.x) + attribute("y", baseline.y) + attributes + ">" +
             escape(text) + "</text>\n";
}

std::string Svg::open_tag(std::string_view attributes) const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + coordinate(size_.width) +
         " " + coordinate(size_.height) + "\"" + std::string(attributes) +
         " role=\"img\" aria-label=\"" + escape(description_) + "\" font-family=\"" + kFonts +
         "\">\n";
}

std::string Svg::element() const {
  return open_tag(" style=\"max-width:" + coordinate(size_.width) + "px\"") + shapes_ + "</svg>\n";
}

std::string Svg::file() const {
  return open_tag(attribute("width", size_.width) + attribute("height", size_.height)) + "<style>" +
         palette_rules() +
         "</style>\n<rect width=\"100%\" height=\"100%\" class=\"f-surface\"/>\n" + shapes_ +
         "</svg>\n";
}

}  // namespace equiframe::report
