#include <cmath>

#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "audit/verdict.h"
#include "equiframe/audit/audit.h"

namespace equiframe::audit {
namespace {

using nlohmann::ordered_json;

ordered_json finite(double value) {  // JSON has no infinity
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json summary(const ErrorSummary& errors) {
  return {
      {"max", finite(errors.max)}, {"median", finite(errors.median)}, {"p99", finite(errors.p99)}};
}

ordered_json symmetries(const AuditResult& result) {
  ordered_json all = ordered_json::object();
  for (const SymmetryErrors& errors : result.symmetry) {
    ordered_json one{{"verdict", result.verdict(errors.part).text}, {"claimed", errors.claimed}};
    if (!errors.measured) {
      one["reason"] = errors.reason;
    } else {
      if (errors.has_float64) one["float64"] = summary(errors.float64);
      one["float32"] = summary(errors.float32);
      if (errors.has_float64) one["float32_rounding"] = finite(errors.rounding32);
      if (errors.has_float64 && result.verdict(errors.part).kind == Verdict::Kind::kExact) {
        one["float32_is_rounding"] = !exceeds_rounding(errors);
      }
    }
    all[to_string(errors.part)] = one;
  }
  return all;
}

ordered_json angular(const AngularPower& power) {
  if (!power.measured) return nullptr;
  return {{"share", power.share},
          {"above", power.above},
          {"exact_to_order", power.share.size() - 1},
          {"evaluations", power.evaluations}};
}

ordered_json angles(const AngleErrors& errors) {
  ordered_json all = ordered_json::array();
  for (size_t i = 0; i < errors.degrees.size(); ++i)
    all.push_back({{"degrees", errors.degrees[i]},
                   {"median", finite(errors.median[i])},
                   {"max", finite(errors.max[i])}});
  return all;
}

ordered_json paths(const std::vector<PathJump>& jumps) {
  ordered_json all = ordered_json::array();
  for (const PathJump& path : jumps) {
    ordered_json one{{"path", path.name},
                     {"jump", finite(path.jump)},
                     {"input_change", finite(path.input_change)},
                     {"position", path.position},
                     {"jumps", path.is_jump()}};
    if (!path.refused.empty()) one["refused"] = path.refused;
    all.push_back(one);
  }
  return all;
}

ordered_json hard_set(const std::vector<HardCase>& cases) {
  ordered_json all = ordered_json::array();
  for (const HardCase& hard : cases) {
    ordered_json one{{"input", hard.name},
                     {"nodes", hard.nodes},
                     {"outcome", to_string(hard.outcome)},
                     {"rotation", finite(hard.rotation)},
                     {"translation", finite(hard.translation)},
                     {"permutation", finite(hard.permutation)}};
    if (!hard.message.empty()) one["message"] = hard.message;
    all.push_back(one);
  }
  return all;
}

ordered_json gradient(const GradientError& error) {
  if (!error.measured) return {{"measured", false}, {"reason", error.reason}};
  return {{"measured", true},
          {"median", finite(error.median)},
          {"max", finite(error.max)},
          {"directions", error.directions},
          {"left_out", error.left_out}};
}

ordered_json census(const std::optional<Census>& found) {
  if (!found) return nullptr;
  ordered_json one{{"items", found->items},
                   {"not_finite", found->not_finite},
                   {"strata", found->strata},
                   {"near_ties", found->near_ties}};
  if (!found->margins.empty()) {
    one["smallest_margin"] = found->margins.front();
    one["smallest_item"] = found->smallest_item;
    one["median_margin"] = found->margins[found->margins.size() / 2];
  }
  return one;
}

ordered_json findings(const AuditResult& result) {
  ordered_json all = ordered_json::array();
  for (const Finding& finding : result.findings)
    all.push_back({{"severity", finding.severity == Severity::kFault ? "fault" : "note"},
                   {"code", finding.code},
                   {"title", finding.title},
                   {"detail", finding.detail},
                   {"advice", finding.advice}});
  return all;
}

}  // namespace

std::string to_json(const AuditResult& result, const std::vector<std::string>& unmet) {
  const ordered_json json{
      {"model", result.name},
      {"kind", result.kind},
      {"group", result.group},
      {"in", result.in},
      {"out", result.out},
      {"inputs", result.items},
      {"nodes", result.nodes},
      {"symmetry", symmetries(result)},
      {"findings", findings(result)},
      {"angular_power", angular(result.angular)},
      {"error_by_angle", angles(result.angles)},
      {"continuity", paths(result.paths)},
      {"hard_set", hard_set(result.hard)},
      {"gradient", gradient(result.gradient)},
      {"batch", {{"repeat", finite(result.batch.repeat)}, {"alone", finite(result.batch.alone)}}},
      {"census", census(result.census)},
      {"unmet", unmet},
      {"pass", unmet.empty()},
      {"seconds", result.seconds}};
  return json.dump(2);
}

}  // namespace equiframe::audit
