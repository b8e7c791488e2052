#include "report/cloud_view.h"

#include <ATen/ATen.h>

#include "core/plain_text.h"
#include "report/cloud_figure.h"
#include "report/cloud_painters_script.h"
#include "report/cloud_view_script.h"
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
  return R"css(
.cloud .bar{display:flex;flex-wrap:wrap;gap:.4rem 1.5rem;align-items:center;font-size:.9rem;
  margin-bottom:.9rem}
.cloud fieldset{border:0;margin:0;padding:0;display:flex;gap:1rem}
.cloud legend{float:left;padding:0;color:var(--muted)}
.cloud label{cursor:pointer}
.cloud .key{color:var(--muted);margin-left:auto}
.cloud .swatch::before{content:"";display:inline-block;width:.75em;height:.75em;
  margin:0 .3em 0 .5em;border-radius:50%;background:currentColor}
.cloud .ramp{display:inline-block;width:8rem;height:.75em;margin:0 .3em;border-radius:3px}
.cloud .stage{position:relative;width:100%;aspect-ratio:8/5;max-height:80vh;cursor:grab;
  touch-action:none;user-select:none;border-radius:4px}
.cloud .stage:active{cursor:grabbing}
.cloud .stage:focus-visible{outline:2px solid currentColor;outline-offset:2px}
.cloud canvas{position:absolute;inset:0;width:100%;height:100%;display:block}
.cloud .axes{position:absolute;left:0;bottom:0;width:88px;height:88px;pointer-events:none}
.cloud .axes line{stroke:currentColor;stroke-width:2;stroke-linecap:round}
.cloud .axes text{fill:currentColor;font-size:13px;font-weight:600;text-anchor:middle}
.cloud [hidden]{display:none}
)css";
}

std::string cloud_script() {
  std::string result = "<script>\n'use strict';\n(() => {";
  for (const char* part : {kCloudPaintersScript, kCloudViewScript}) result += part;
  return result + "})();\n</script>\n";
}

}  // namespace equiframe::report
