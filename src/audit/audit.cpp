#include "equiframe/audit/audit.h"

#include <chrono>

#include <torch/types.h>

#include "audit/findings.h"
#include "audit/measure/angular_power.h"
#include "audit/measure/batch_checks.h"
#include "audit/measure/census.h"
#include "audit/measure/continuity.h"
#include "audit/measure/gradient_error.h"
#include "audit/measure/hard_set.h"
#include "audit/measure/lab_frame.h"
#include "audit/measure/symmetry_errors.h"
#include "audit/verdict.h"
#include "core/default_generator.h"
#include "core/text.h"
#include "equiframe/core/error.h"

namespace equiframe::audit {
namespace {

/// LibTorch's default generator: models that draw use it, and a report must come out again.
class SeededDefault {
 public:
  explicit SeededDefault(uint64_t seed)
      : generator_(default_generator()), state_(generator_.get_state()) {
    generator_.set_current_seed(seed);
  }
  SeededDefault(const SeededDefault&) = delete;
  SeededDefault& operator=(const SeededDefault&) = delete;
  ~SeededDefault() {
    try {
      generator_.set_state(state_);
    } catch (const std::exception&) {  // no memory for it: the audit ends with that error
    }
  }

 private:
  at::Generator generator_;
  Tensor state_;
};

std::string written(const std::vector<Slot>& slots) {
  std::vector<std::string> parts;
  parts.reserve(slots.size());
  for (const Slot& slot : slots) {
    const std::string type = slot.layout == Layout::kMask ? "mask" : slot.text;
    parts.push_back(slot.name.empty() ? type : slot.name + "=" + type);
  }
  return text::join(parts);
}

AuditResult describe(const Subject& subject, const Inputs& inputs) {
  AuditResult result;
  result.name = subject.name();
  result.kind = subject.kind();
  result.typing = subject.typing();
  result.group = result.typing.name();
  result.in = written(result.typing.in);
  result.out = written(result.typing.out);
  result.nodes = nodes_of(result.typing, inputs);
  result.items = items_of(inputs);
  return result;
}

/// Constants of float32 inside a model can be in the way. If it does not run at all, that is said
/// where it runs in float32.
bool runs_in_float64(const Subject& subject, const Inputs& inputs) {
  try {
    evaluate(subject, select(inputs, torch::tensor({0})), torch::kFloat64, 1);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

/// What needs float64.
void measure_rest(AuditResult& result, const Subject& subject, const Inputs& inputs,
                  const AuditOptions& options,
                  const std::function<void(double, const char*)>& say) {
  const MeasureOptions& measure = options.measure;
  say(0.35, "rotations by angle");
  result.angles = measure_angle_errors(subject, inputs, measure);
  result.lab = measure_lab_frame(subject, inputs, measure);
  say(0.45, "angular orders");
  result.angular = measure_angular_power(subject, inputs, options.angular_order, measure);
  say(0.70, "paths through degenerate inputs");
  result.paths = measure_continuity(subject, inputs, measure);
  say(0.80, "hard inputs");
  const SymmetryErrors& order = result.of(Part::kPermutation);
  const bool judge_order =
      order.measured &&
      (order.claimed || result.verdict(Part::kPermutation).kind == Verdict::Kind::kExact);
  result.hard = measure_hard_set(
      subject, judge_order ? Relabelling::kJudged : Relabelling::kIgnored, measure);
  result.repeated = measure_repeated_eigenvalue(subject, measure);
  say(0.90, "the order of the points");
  if (!result.is_random()) result.order = measure_order(subject, result.nodes, measure);
  say(0.95, "gradients");
  if (!result.is_random()) result.gradient = measure_gradient(subject, inputs, measure);
}

}  // namespace

AuditResult audit(const Subject& subject, const AuditOptions& wanted) {
  AuditOptions options = wanted;
  const auto start = std::chrono::steady_clock::now();
  const SeededDefault seeded(options.measure.seed);
  const auto say = [&](double done, const char* what) {
    if (options.progress) options.progress(done, what);
  };
  say(0, "batches");
  const Inputs inputs = probe_inputs(subject, options.measure);
  AuditResult result = describe(subject, inputs);
  result.has_float64 = runs_in_float64(subject, inputs);
  if (result.has_float64) result.batch = measure_batch(subject, inputs, options.measure);
  if (result.batch.alone > kExact64) options.measure.batch = result.items;
  say(0.05, "symmetries");
  result.symmetry = measure_symmetry(subject, inputs, options.measure);
  result.verdicts.reserve(result.symmetry.size());
  for (const SymmetryErrors& errors : result.symmetry) result.verdicts.push_back(judge(errors));
  if (result.has_float64 && result.is_finite() && !result.vanishes())
    measure_rest(result, subject, inputs, options, say);
  if (!options.data.empty()) result.census = take_census(subject.typing(), options.data);
  result.findings = find_faults(result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace equiframe::audit
