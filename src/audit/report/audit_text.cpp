#include <algorithm>

#include <torch/types.h>

#include "audit/report/audit_tables.h"
#include "audit/verdict.h"
#include "core/text.h"
#include "report/format.h"

namespace equiframe::audit {
namespace {

using report::Align;
using report::number;

std::string part_error(const HardCase& hard, double error) {
  const bool has_numbers =
      hard.outcome == HardCase::Outcome::kHolds || hard.outcome == HardCase::Outcome::kBreaks;
  return has_numbers && hard.group != "not finite" ? number(error) : "";
}

std::string shortened(std::string text) {
  constexpr size_t kLongest = 90;
  if (text.size() <= kLongest) return text;
  text.resize(kLongest);
  return text.append("...");
}

std::string indented(const std::string& lines, const std::string& by) {
  std::string result;
  size_t from = 0;
  while (from < lines.size()) {
    const size_t end = std::min(lines.find('\n', from), lines.size());
    result += by + lines.substr(from, end - from) + "\n";
    from = end + 1;
  }
  return result;
}

std::string angular_line(const AngularPower& power) {
  std::vector<std::string> parts;
  for (size_t l = 0; l < power.share.size(); ++l)
    parts.push_back(c10::str("l=", l, " ", number(power.share[l])));
  return c10::str("angular orders  ", text::join(parts), ", above ", number(power.above), "\n");
}

std::string hard_line(const AuditResult& result) {
  using Outcome = HardCase::Outcome;
  std::string line = "hard inputs     ";
  std::vector<std::string> parts;
  for (const Outcome outcome : {Outcome::kHolds, Outcome::kBreaks, Outcome::kNotFinite,
                                Outcome::kSilentlyWrong, Outcome::kRefuses}) {
    std::vector<std::string> names;
    for (const HardCase& hard : result.hard) {
      if (hard.outcome == outcome) names.push_back(hard.name);
    }
    if (names.empty()) continue;
    const bool fine = outcome == Outcome::kHolds;
    parts.push_back(fine ? c10::str(names.size(), " of ", result.hard.size(), " hold")
                         : c10::str(to_string(outcome), ": ", text::join(names)));
  }
  return line + text::join(parts, "; ") + "\n";
}

std::string measured_lines(const AuditResult& result) {
  std::string text;
  if (result.angular.measured) text += angular_line(result.angular);
  double jump = 0;
  for (const PathJump& path : result.paths) jump = std::max(jump, path.is_jump() ? path.jump : 0);
  if (!result.paths.empty())
    text += c10::str("continuity      ", jump > 0 ? "jumps by " + number(jump) : "no jumps", " on ",
                     result.paths.size(), " paths through degenerate inputs\n");
  if (!result.hard.empty()) text += hard_line(result);
  if (result.gradient.measured)
    text += c10::str("gradient        off by ", number(result.gradient.median), " in the median, ",
                     number(result.gradient.max), " at most\n");
  else if (!result.gradient.reason.empty())
    text += c10::str("gradient        not measured: ", result.gradient.reason, "\n");
  if (result.has_float64 && result.is_finite())
    text += c10::str("batches         repeated ", number(result.batch.repeat), ", alone ",
                     number(result.batch.alone), "\n");
  return text;
}

}  // namespace

report::Table symmetry_table(const AuditResult& result) {
  report::Table table({{"symmetry"},
                       {"verdict"},
                       {"float64 max", Align::kRight},
                       {"median", Align::kRight},
                       {"99 %", Align::kRight},
                       {"float32 max", Align::kRight},
                       {"median", Align::kRight},
                       {"99 %", Align::kRight}});
  for (const SymmetryErrors& errors : result.symmetry) {
    const Verdict& verdict = result.verdict(errors.part);
    std::vector<std::string> cells{to_string(errors.part), verdict.text};
    const auto add = [&](const ErrorSummary& summary, bool there) {
      for (const double value : {summary.max, summary.median, summary.p99})
        cells.push_back(there ? number(value) : "");
    };
    add(errors.float64, errors.measured && errors.has_float64);
    add(errors.float32, errors.measured);
    table.add_row(cells);
  }
  return table;
}

report::Table hard_table(const AuditResult& result) {
  report::Table table({{"input"},
                       {"nodes", Align::kRight},
                       {"outcome"},
                       {"rotation", Align::kRight},
                       {"translation", Align::kRight},
                       {"permutation", Align::kRight},
                       {"the model says"}});
  for (const HardCase& hard : result.hard)
    table.add_row({hard.name, std::to_string(hard.nodes), to_string(hard.outcome),
                   part_error(hard, hard.rotation), part_error(hard, hard.translation),
                   part_error(hard, hard.permutation), shortened(hard.message)});
  return table;
}

report::Table path_table(const AuditResult& result) {
  report::Table table({{"path"},
                       {""},
                       {"answer changes by", Align::kRight},
                       {"over an input change of", Align::kRight}});
  for (const PathJump& path : result.paths)
    table.add_row({path.name,
                   !path.refused.empty() ? "refused" : (path.is_jump() ? "jumps" : "continuous"),
                   number(path.jump), number(path.input_change)});
  return table;
}

report::Table census_table(const Census& census) {
  report::Table table({{"inputs"}, {"how many", Align::kRight}});
  table.add_row({"all", std::to_string(census.items)});
  for (const auto& [stratum, count] : census.strata)
    table.add_row({stratum, std::to_string(count)});
  if (census.not_finite > 0) table.add_row({"not finite", std::to_string(census.not_finite)});
  table.add_row({"simple, margin below " + number(kNearTie), std::to_string(census.near_ties)});
  return table;
}

std::string rounding_line(const AuditResult& result) {
  if (!result.has_float64) return "The model runs in float32 only.";
  std::vector<std::string> exact, more;
  double rounding = 0;
  for (const SymmetryErrors& errors : result.symmetry) {
    if (result.verdict(errors.part).kind != Verdict::Kind::kExact) continue;
    rounding = errors.rounding32;
    (exceeds_rounding(errors) ? more : exact).emplace_back(to_string(errors.part));
  }
  if (exact.empty() && more.empty()) return {};
  const std::string scale =
      c10::str(" (rounding the input changes the answer by ", number(rounding), ", ",
               number(kRoundings), " times that is ordinary)");
  if (more.empty())
    return c10::str("In float32 rounding explains the errors of ", text::join(exact), scale, ".");
  return c10::str("In float32 the errors of ", text::join(more), " are more than rounding explains",
                  scale, ".");
}

std::string subject_line(const AuditResult& result) {
  return c10::str(result.group, ": ", result.in, " -> ", result.out, "; ", result.items,
                  " inputs of ", result.nodes, result.nodes == 1 ? " node" : " nodes");
}

std::string summary_of(const AuditResult& result) {
  std::vector<std::string> parts;
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.claimed && verdict.kind != Verdict::Kind::kNotMeasured &&
        verdict.kind != Verdict::Kind::kNotFinite)
      parts.push_back(c10::str(to_string(verdict.part), " is ", verdict.text, " (",
                               number(verdict.error), ")"));
  }
  const auto faults =
      std::count_if(result.findings.begin(), result.findings.end(),
                    [](const Finding& finding) { return finding.severity == Severity::kFault; });
  std::string text = c10::str(result.name, " claims ", result.group, parts.empty() ? "" : ": ",
                              text::join(parts), ". ");
  if (faults == 0) return text + "No fault was found.";
  const auto first = std::find_if(result.findings.begin(), result.findings.end(),
                                  [](const Finding& f) { return f.severity == Severity::kFault; });
  return text + first->title + (faults > 1 ? c10::str(" ", faults - 1, " more below.") : "");
}

std::string to_text(const AuditResult& result) {
  std::string text =
      c10::str(result.name, ", ", result.kind, ", ", subject_line(result), "\n\n",
               indented(symmetry_table(result).text(), "  "), indented(rounding_line(result), "  "),
               "\n", indented(measured_lines(result), "  "));
  if (result.census)
    text += "\n" + indented(census_table(*result.census).text(), "  ") +
            (result.census->margins.empty()
                 ? ""
                 : c10::str("  smallest margin ", number(result.census->margins.front()), ", item ",
                            result.census->smallest_item, "\n"));
  text += result.findings.empty() ? "\nno findings\n" : "\n";
  for (const Finding& finding : result.findings)
    text += c10::str(finding.severity == Severity::kFault ? "fault: " : "note: ", finding.title,
                     " [", finding.code, "]\n  ", finding.detail, "\n  ", finding.advice, "\n");
  return text;
}

}  // namespace equiframe::audit
