#include "audit/verdict.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <c10/util/StringUtil.h>

#include "core/text.h"
#include "equiframe/audit/audit.h"
#include "equiframe/core/error.h"
#include "report/format.h"

namespace equiframe::audit {
namespace {

const std::vector<std::string> kRequirable{"translation", "rotation", "reflection", "permutation",
                                           "gradient",    "batch",    "continuity", "hard",
                                           "all",         "sound"};

Verdict::Kind kind_of(const SymmetryErrors& errors, double error) {
  if (!errors.measured) return Verdict::Kind::kNotMeasured;
  if (errors.not_finite() > 0) return Verdict::Kind::kNotFinite;
  if (error <= (errors.has_float64 ? kExact64 : kExact32)) return Verdict::Kind::kExact;
  return error <= kApproximateError ? Verdict::Kind::kApproximate : Verdict::Kind::kBroken;
}

std::string text_of(Verdict::Kind kind, bool claimed) {
  if (kind == Verdict::Kind::kNotMeasured) return "not measured";
  if (kind == Verdict::Kind::kNotFinite) return "not finite";
  if (!claimed) return kind == Verdict::Kind::kExact ? "holds, not claimed" : "not claimed";
  if (kind == Verdict::Kind::kExact) return "exact";
  return kind == Verdict::Kind::kApproximate ? "approximate" : "broken";
}

Requirement parse_one(const std::string& piece) {
  Requirement result;
  result.text = piece;
  const auto less = piece.find('<');
  result.name = text::trim(piece.substr(0, less));
  if (std::find(kRequirable.begin(), kRequirable.end(), result.name) == kRequirable.end())
    throw UserError(text::unknown_name("requirement", result.name, kRequirable));
  if (less == std::string::npos) return result;
  std::string number = text::trim(piece.substr(less + 1));
  if (number.starts_with('=')) number = text::trim(number.substr(1));
  const char* const last = number.data() + number.size();
  const auto [end, error] = std::from_chars(number.data(), last, result.limit);
  if (error != std::errc() || end != last || !(result.limit >= 0))
    throw UserError("'" + piece + "' has no number behind '<'; write for example rotation<1e-5");
  return result;
}

std::string too_large(const std::string& what, double error, double limit) {
  return c10::str(what, " misses by ", report::number(error), ", allowed is ",
                  report::number(limit));
}

void check_part(const AuditResult& result, Part part, const Requirement& required,
                std::vector<std::string>& unmet) {
  const SymmetryErrors& errors = result.of(part);
  const std::string name = to_string(part);
  if (!errors.measured) {
    unmet.push_back(c10::str(name, " was not measured: ", errors.reason));
  } else if (required.limit >= 0) {
    const double worst = std::max(errors.float32.max, errors.float64.max);
    if (!(worst <= required.limit)) unmet.push_back(too_large(name, worst, required.limit));
  } else if (result.verdict(part).kind != Verdict::Kind::kExact) {
    unmet.push_back(
        too_large(name, result.verdict(part).error, errors.has_float64 ? kExact64 : kExact32));
  }
}

void check_number(const std::string& name, double error, double usual, const Requirement& required,
                  std::vector<std::string>& unmet) {
  const double limit = required.limit >= 0 ? required.limit : usual;
  if (!(error <= limit)) unmet.push_back(too_large(name, error, limit));
}

void check(const AuditResult& result, const Requirement& required,
           std::vector<std::string>& unmet) {
  constexpr double kGradient = 1e-4, kJump = 1e-3;
  if (required.name == "gradient") {
    if (!result.gradient.measured)
      unmet.push_back("gradient was not measured: " + result.gradient.reason);
    else
      check_number("gradient", result.gradient.median, kGradient, required, unmet);
  } else if (required.name == "batch") {
    check_number("batch", std::max(result.batch.repeat, result.batch.alone), kExact64, required,
                 unmet);
  } else if (required.name == "continuity") {
    double jump = 0;
    for (const PathJump& path : result.paths) jump = std::max(jump, path.is_jump() ? path.jump : 0);
    check_number("continuity", jump, kJump, required, unmet);
  } else if (required.name == "hard") {
    for (const HardCase& hard : result.hard) {
      if (hard.outcome != HardCase::Outcome::kHolds && hard.outcome != HardCase::Outcome::kRefuses)
        unmet.push_back(c10::str("hard input '", hard.name, "': ", to_string(hard.outcome)));
    }
  } else if (required.name == "sound") {
    for (const Finding& finding : result.findings) {
      if (finding.severity == Severity::kFault) unmet.push_back("a sound model: " + finding.title);
    }
  } else {
    for (const Part part : kParts) {
      const bool wanted =
          required.name == "all" ? result.of(part).claimed : required.name == to_string(part);
      if (wanted) check_part(result, part, required, unmet);
    }
  }
}

}  // namespace

Verdict judge(const SymmetryErrors& errors) {
  Verdict verdict;
  verdict.part = errors.part;
  verdict.claimed = errors.claimed;
  verdict.error = errors.has_float64 ? errors.float64.max : errors.float32.max;
  verdict.kind = kind_of(errors, verdict.error);
  verdict.text = text_of(verdict.kind, errors.claimed);
  return verdict;
}

bool exceeds_rounding(const SymmetryErrors& errors) {
  return errors.measured && errors.has_float64 &&
         errors.float32.max > kRoundings * errors.rounding32;
}

std::vector<Requirement> parse_requirements(const std::string& text) {
  std::vector<Requirement> result;
  for (const std::string& piece : text::split(text, ',')) {
    if (!piece.empty()) result.push_back(parse_one(piece));
  }
  return result;
}

std::vector<std::string> unmet(const AuditResult& result,
                               const std::vector<Requirement>& required) {
  std::vector<std::string> sentences;
  if (!result.is_finite()) return {"finite answers; those to ordinary inputs are NaN or infinite"};
  for (const Requirement& one : required) check(result, one, sentences);
  return sentences;
}

}  // namespace equiframe::audit
