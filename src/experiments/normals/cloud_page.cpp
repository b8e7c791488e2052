#include "experiments/normals/cloud_page.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "core/plain_text.h"
#include "experiments/nbody/nbody_figures.h"
#include "report/chart.h"
#include "report/cloud_view.h"
#include "report/format.h"
#include "report/page.h"

namespace equiframe::inline experiments {
namespace {

using report::Anchor;
using report::Colour;
using report::Ruler;
using report::Scale;
using report::Svg;
using report::whole_number;
using text::printed;

std::string points_text(int64_t count) {
  return whole_number(count) + (count == 1 ? " point" : " points");
}

std::string seconds_text(double seconds) {
  return printed(seconds < 10 ? "%.2f s" : "%.0f s", seconds);
}

/// "16 neighbours (chosen from the cloud)"
std::string neighbours_text(const CloudPage& page) {
  return whole_number(page.k) + " neighbours" + (page.k_chosen ? " (chosen from the cloud)" : "");
}

std::string summary(const CloudPage& page) {
  return "Normals of " + points_text(page.points.size(0)) + " by " + page.method +
         (page.k > 0 ? " with " + neighbours_text(page) : "") + " in " +
         seconds_text(page.seconds) + ".";
}

Svg confidence_chart(const Tensor& confidence) {
  constexpr double kLeft = 62, kRight = 858, kTop = 34, kBottom = 214;
  constexpr int64_t kBars = 40;
  const Histogram bars = histogram(confidence, 0, 1, kBars);
  const auto most = *std::max_element(bars.counts.begin(), bars.counts.end());
  Svg svg({880, 260}, "Histogram of the confidence, from 0 to 1");
  const Ruler across(Scale::kLinear, {0, 1}, kLeft, kRight);
  const Ruler up(Scale::kLinear, {0, static_cast<double>(most)}, kBottom, kTop);
  for (const report::Tick& tick : up.ticks()) {
    svg.line({kLeft, tick.position}, {kRight, tick.position}, {Colour::kRule, 1});
    svg.text({kLeft - 8, tick.position + 4}, tick.label, {Colour::kMuted, 12, Anchor::kEnd});
  }
  for (int64_t i = 0; i < kBars; ++i) {
    const auto count = static_cast<double>(bars.counts.at(static_cast<size_t>(i)));
    const double from = across.at(static_cast<double>(i) / kBars);
    const double to = across.at(static_cast<double>(i + 1) / kBars), top = up.at(count);
    svg.rect({from + 1, top}, {to - from - 2, kBottom - top}, Colour::kCool);
  }
  for (const report::Tick& tick : across.ticks())
    svg.text({tick.position, kBottom + 18}, tick.label, {Colour::kMuted, 12, Anchor::kMiddle});
  svg.text({(kLeft + kRight) / 2, kBottom + 40}, "confidence",
           {Colour::kMuted, 12, Anchor::kMiddle});
  svg.text({0, 16}, "points", {Colour::kMuted, 12});
  return svg;
}

void add_confidence(report::Page& page, const Tensor& confidence) {
  if (!confidence.defined()) return;
  const Tensor known = confidence.masked_select(confidence.isfinite()).to(at::kDouble).clamp(0, 1);
  if (known.numel() == 0) return;
  page.section("Confidence");
  const double low = known.lt(0.5).to(at::kDouble).mean().item<double>();
  page.figure({confidence_chart(known)},
              "Median " + printed("%.2f", known.median().item<double>()) + "; " +
                  printed(low > 0 && low < 0.1 ? "%.1f" : "%.0f", 100 * low) +
                  "% of the points are below 0.5.");
}

/// Names of files only: a page may be passed on, and folders are nobody's business.
report::Table facts(const CloudPage& page) {
  report::Table table({{"fact", report::Align::kLeft}, {"value", report::Align::kLeft}});
  table.add_row({"cloud", page.in.filename().string()});
  table.add_row({"cloud with normals", page.out.filename().string()});
  table.add_row({"points", whole_number(page.points.size(0))});
  table.add_row({"left out, coordinates not finite", whole_number(page.dropped)});
  table.add_row({"degenerate, any normal will do", whole_number(page.degenerate)});
  table.add_row({"method", page.method});
  if (page.k > 0) table.add_row({"k", neighbours_text(page)});
  table.add_row({"orientation", page.orientation});
  if (page.parts > 0) table.add_row({"connected parts", whole_number(page.parts)});
  table.add_row({"time for reading", seconds_text(page.reading_seconds)});
  table.add_row({"time for the normals", seconds_text(page.seconds)});
  return table;
}

}  // namespace

std::string cloud_page(const CloudPage& page) {
  const std::string name = page.in.filename().string();
  report::Page result("Normals of " + name, summary(page));
  result.view({name, page.points, page.normals, page.confidence},
              "The colour by normal depends on its direction, not on its sign; points without a "
              "normal are grey.");
  add_confidence(result, page.confidence);
  result.section("Facts");
  result.table(facts(page));
  return result.html();
}

}  // namespace equiframe::inline experiments
