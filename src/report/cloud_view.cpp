#include "report/cloud_view.h"

#include <ATen/ATen.h>

#include "core/plain_text.h"
#include "report/assets/cloud_painters.js.h"
#include "report/assets/cloud_view.css.h"
#include "report/assets/cloud_view.js.h"
#include "report/cloud_figure.h"
#include "report/format.h"
#include "report/packed_cloud.h"

namespace equiframe::report {
namespace {

/// All digits.
std::string exact(double value) {
  return text::printed("%.17g", value);
}

std::string data(const char* name, const std::string& value) {
  return std::string(" data-") + name + "=\"" + value + "\"";
}

/// In attributes, so that no program that looks for words in the page finds any in them.
std::string data_attributes(const PackedCloud& cloud) {
  const auto& [x, y, z] = cloud.origin;
  std::string result = data("count", std::to_string(cloud.count)) +
                       data("origin", exact(x) + " " + exact(y) + " " + exact(z)) +
                       data("step", exact(cloud.step)) + data("points", base64(cloud.points)) +
                       data("normals", base64(cloud.normals));
  if (!cloud.confidence.empty()) result += data("confidence", base64(cloud.confidence));
  return result;
}

std::string choice(int number, const char* value, const char* checked) {
  return "<label><input type=\"radio\" name=\"colour-" + std::to_string(number) + "\" value=\"" +
         value + "\"" + checked + "/> " + value + "</label>\n";
}

/// What the colours mean, and the choice between the two meanings if there are two.
std::string bar(const PackedCloud& cloud, int number) {
  std::string result = "<div class=\"bar scripted\" hidden>\n";
  if (!cloud.confidence.empty())
    result += "<fieldset><legend>Colour by</legend>\n" + choice(number, "normal", " checked") +
              choice(number, "confidence", "") + "</fieldset>\n";
  result +=
      "<span class=\"key\" data-of=\"normal\">normal along <b class=\"swatch\">x</b> "
      "<b class=\"swatch\">y</b> <b class=\"swatch\">z</b></span>\n";
  if (!cloud.confidence.empty())
    result +=
        "<span class=\"key\" data-of=\"confidence\" hidden>confidence 0 <span class=\"ramp\">"
        "</span> 1</span>\n";
  return result + "</div>\n";
}

std::string stage(const CloudView& view) {
  std::string axes;
  for (const char* name : {"x", "y", "z"})
    axes += std::string("<g><line/><text>") + name + "</text></g>";
  return "<div class=\"stage scripted\" hidden tabindex=\"0\" role=\"img\" aria-label=\"" +
         escape("Point cloud that can be turned: " + view.title + ", " + shown_points(view)) +
         "\">\n<svg class=\"axes\" viewBox=\"-44 -44 88 88\" aria-hidden=\"true\">" + axes +
         "</svg>\n</div>\n";
}

}  // namespace

std::string shown_points(const CloudView& view) {
  const int64_t all = view.points.size(0), shown = shown_rows(view).size(0);
  if (shown < all) return whole_number(shown) + " of " + whole_number(all) + " points";
  return whole_number(all) + (all == 1 ? " point" : " points");
}

std::string cloud_figure(const CloudView& view, std::string_view caption, int number) {
  const PackedCloud cloud = pack(view);
  return "<figure class=\"cloud\"" + data_attributes(cloud) + ">\n" + bar(cloud, number) +
         stage(view) +
         "<noscript><p>The view of the cloud needs JavaScript; all else on this page does "
         "not.</p></noscript>\n<figcaption>" +
         escape(shown_points(view) + ". ") + escape(caption) +
         "<span class=\"scripted\" hidden><br/>Drag to turn, wheel or pinch to zoom, Shift and "
         "drag to move, double click to begin anew; or the arrow keys, +, − and 0.</span>"
         "</figcaption></figure>\n";
}

std::string cloud_style() {
  return text::plain("\n", embedded::kCloudViewCss);
}

std::string cloud_script() {
  return text::plain("<script>\n'use strict';\n(() => {\n", embedded::kCloudPaintersJs,
                     embedded::kCloudViewJs, "})();\n</script>\n");
}

}  // namespace equiframe::report
