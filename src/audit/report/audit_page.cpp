#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "audit/report/audit_tables.h"
#include "audit/report/worst_case.h"
#include "report/chart.h"
#include "report/format.h"
#include "report/page.h"

namespace equiframe::audit {
namespace {

using report::Colour;
using report::LineChart;
using report::Mark;
using report::number;
using report::Scale;

Colour colour_of(Part part) {
  switch (part) {
    case Part::kTranslation:
      return Colour::kFresh;
    case Part::kRotation:
      return Colour::kWarm;
    case Part::kReflection:
      return Colour::kCool;
    case Part::kPermutation:
      return Colour::kMuted;
  }
  return Colour::kInk;
}

/// Errors in ascending order over the share of draws that are no larger.
LineChart::Series distribution(Part part, const Tensor& values) {
  LineChart::Series series;
  series.look = {to_string(part), colour_of(part), Mark::kNone};
  constexpr int64_t kMaxPoints = 100;
  const Tensor sorted = std::get<0>(values.sort());
  const int64_t count = sorted.size(0);
  const int64_t step = std::max<int64_t>(1, count / kMaxPoints);
  for (int64_t i = step - 1; i < count; i += step) {
    const double error = sorted[i].item<double>();
    if (!std::isfinite(error)) break;
    series.points.push_back({100 * static_cast<double>(i + 1) / static_cast<double>(count), error});
  }
  return series;
}

void add_distribution(report::Page& page, const AuditResult& result, at::ScalarType run_in) {
  const bool wide = run_in == at::kDouble;
  const std::string type = wide ? "float64" : "float32";
  LineChart chart;
  chart.description = "Errors of all draws in " + type + ", in ascending order, by symmetry";
  chart.x = {"per cent of the draws", Scale::kLinear};
  chart.y = {"error in " + type, Scale::kLog};
  for (const SymmetryErrors& errors : result.symmetry) {
    const Tensor& values = wide ? errors.errors64 : errors.errors32;
    if (values.defined()) chart.series.push_back(distribution(errors.part, values));
  }
  std::erase_if(chart.series, [](const LineChart::Series& s) { return s.points.empty(); });
  if (chart.series.empty()) return;
  chart.guides = {{kApproximateError, "broken above", report::Anchor::kStart}};
  if (wide) chart.guides.push_back({kExact64, "exact below", report::Anchor::kStart});
  page.figure({report::draw(chart)},
              "The errors |f(gx) − g f(x)| of each symmetry in ascending order, relative to the "
              "largest answer: so many of the draws are no worse than that. The model runs in " +
                  type + ", g acts in float64.");
}

void add_angles(report::Page& page, const AuditResult& result) {
  if (result.angles.degrees.empty()) return;
  LineChart chart;
  chart.description = "Error of rotations by their angle";
  chart.x = {"angle of the rotation, degrees", Scale::kLog};
  chart.y = {"error, relative to the answer", Scale::kLog};
  LineChart::Series median{{"median", Colour::kCool, Mark::kDot}, {}};
  LineChart::Series largest{{"largest", Colour::kWarm, Mark::kDiamond}, {}};
  for (size_t i = 0; i < result.angles.degrees.size(); ++i) {
    const double angle = result.angles.degrees[i];
    if (std::isfinite(result.angles.median[i]))
      median.points.push_back({angle, result.angles.median[i]});
    if (std::isfinite(result.angles.max[i]))
      largest.points.push_back({angle, result.angles.max[i]});
  }
  if (largest.points.empty()) return;
  chart.series = {median, largest};
  page.section("Error by angle");
  page.figure({report::draw(chart)},
              "A model that is merely not equivariant errs in proportion to the angle, a line that "
              "rises to the right. One that makes a choice in the laboratory's frame errs by the "
              "same amount at any angle, only less often. An exact one stays at rounding.");
}

void add_orders(report::Page& page, const AuditResult& result) {
  if (!result.angular.measured) return;
  report::DotChart chart;
  chart.description = "Share of the answer's variance over rotations by angular order";
  chart.axis = {"share of the whole", Scale::kLog};
  chart.looks = {{"share", Colour::kCool, Mark::kDot}};
  for (size_t l = 0; l < result.angular.share.size(); ++l)
    chart.rows.push_back(
        {c10::str("l = ", l), l == 0 ? "what turns as it should" : "", {result.angular.share[l]}});
  chart.rows.push_back({"above", "", {result.angular.above}});
  page.section("Angular orders");
  page.figure({report::draw(chart)},
              c10::str("g⁻¹ f(gx) as a function of the rotation g, by orders of Wigner functions, "
                       "from ",
                       result.angular.evaluations,
                       " rotations of a quadrature that is exact up to the last order shown. All "
                       "of an equivariant model is at order 0. A constant vector is of order 1, a "
                       "constant matrix of order 2, choices between axes reach far up."));
}

void add_findings(report::Page& page, const AuditResult& result) {
  page.section("What was found");
  if (result.findings.empty()) page.paragraph("Nothing: the model keeps what it claims.");
  for (const Finding& finding : result.findings) {
    page.paragraph((finding.severity == Severity::kFault ? "Fault: " : "Note: ") + finding.title);
    page.paragraph(finding.detail + " " + finding.advice);
  }
}

void add_behaviour(report::Page& page, const AuditResult& result) {
  if (!result.paths.empty()) {
    page.section("Continuity");
    page.paragraph(
        "Straight paths through degenerate inputs. The step that changes the answer most is halved "
        "again and again: a change that stays is a jump.");
    page.table(path_table(result));
  }
  if (!result.hard.empty()) {
    page.section("Hard inputs");
    page.table(hard_table(result));
  }
  if (result.census) {
    page.section("Your inputs");
    page.paragraph(
        "How near each input is to a place where axes tie. The margin is the distance to the "
        "nearest tie, relative to the size of the input.");
    page.table(census_table(*result.census));
  }
}

std::vector<std::pair<std::string, std::string>> facts(const AuditResult& result) {
  std::vector<std::pair<std::string, std::string>> list{
      {"model", c10::str(result.name, ", ", result.kind)},
      {"symmetry", subject_line(result)},
      {"same batch twice", number(result.batch.repeat)},
      {"alone or in a batch", number(result.batch.alone)}};
  if (result.gradient.measured)
    list.emplace_back("gradient against differences",
                      c10::str(number(result.gradient.median), " in the median of ",
                               result.gradient.directions, " directions"));
  else
    list.emplace_back("gradient", "not measured: " + result.gradient.reason);
  list.emplace_back("time", c10::str(number(std::round(10 * result.seconds) / 10), " s"));
  return list;
}

}  // namespace

std::string to_html(const AuditResult& result) {
  report::Page page("How symmetric is " + result.name + "?", summary_of(result));
  page.table(symmetry_table(result));
  page.paragraph(rounding_line(result));
  add_findings(page, result);
  page.section("Errors of all draws");
  add_distribution(page, result, at::kDouble);
  add_distribution(page, result, at::kFloat);
  for (const report::Svg& drawing : worst_case_drawings(result))
    page.figure(
        {drawing},
        "The worst case: the moved input gx, what the model answers, f(gx) in orange, and what "
        "it should answer, g f(x) in blue. Seen along the axis of least extent.");
  add_angles(page, result);
  add_orders(page, result);
  add_behaviour(page, result);
  page.section("The rest");
  page.facts(facts(result));
  page.paragraph(c10::str(
      "An error is the largest |f(gx) − g f(x)| over the largest |f| of all inputs. 'exact' is at "
      "most ",
      number(kExact64), " in float64, 'approximate' at most ", number(kApproximateError),
      "; more is 'broken'. Float32 is 'rounding' if it is at most ", number(kRoundings),
      " times what a rounding of the input does to the answer."));
  return page.html();
}

}  // namespace equiframe::audit
