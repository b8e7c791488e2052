#include "audit/findings.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "audit/rotation_findings.h"
#include "audit/verdict.h"
#include "core/text.h"
#include "equiframe/audit/audit.h"
#include "report/format.h"

namespace equiframe::audit {
namespace {

using report::number;

constexpr double kVisibleError = 1e-6;  // an error nobody takes for rounding
constexpr double kGradient = 1e-4;      // of a typical derivative

bool has_multiplicity_fault(const AuditResult& result) {
  return result.repeated.measured && result.repeated.with_repeated > kVisibleError &&
         result.repeated.with_distinct <= kVisibleError;
}

void find_randomness(const AuditResult& result, std::vector<Finding>& findings) {
  const BatchChecks& batch = result.batch;
  const std::string detail =
      c10::str("The same batch gave answers ", number(batch.repeat),
               " apart; copies of one input differ by ", number(batch.within_call),
               " within a call and by ", number(batch.across_calls), " between calls.");
  if (batch.within_call <= kExact64 && batch.across_calls > kVisibleError) {
    findings.push_back({Severity::kFault, "batch-draw",
                        "One random choice is made for the whole batch.", detail,
                        "Draw for each item, from a seed and the item's own values, or average "
                        "over all choices."});
    return;
  }
  findings.push_back({Severity::kFault, "random", "The answers are random.", detail,
                      "Symmetry can hold in distribution at best. Call eval(), or average over all "
                      "choices instead of drawing one."});
}

void find_batch(const AuditResult& result, std::vector<Finding>& findings) {
  const BatchChecks& batch = result.batch;
  if (batch.alone > kVisibleError) {
    findings.push_back(
        {Severity::kFault, "batch-dependence", "An answer depends on the other items of its batch.",
         c10::str("Items alone and in their batch differ by ", number(batch.alone), "."),
         "Look for normalisation over the batch, a choice made once for all items, or a missing "
         "eval()."});
  } else if (batch.nan_measured && batch.beside_nan > kVisibleError) {
    findings.push_back({Severity::kFault, "nan-leak",
                        "NaN in one item changes the answer to another.",
                        c10::str("By ", number(batch.beside_nan), "."),
                        "Keep items apart in reductions and in eigenvalue solvers."});
  }
}

void find_order(const AuditResult& result, std::vector<Finding>& findings) {
  const OrderChecks& order = result.order;
  const Verdict& verdict = result.verdict(Part::kPermutation);
  if (has_multiplicity_fault(result)) {
    findings.push_back(
        {Severity::kFault, "multiplicity",
         "Eigenvalues that are equal are taken for different ones.",
         c10::str("On a graph without symmetry, relabelling changes the answer by ",
                  number(result.repeated.with_repeated),
                  " if its Laplacian has a repeated eigenvalue and by ",
                  number(result.repeated.with_distinct), " if it has none."),
         "Computed eigenvalues are never equal: cluster them by gaps relative to their size, and "
         "use the projector of each cluster, not its eigenvectors."});
  } else if (verdict.claimed && verdict.kind != Verdict::Kind::kExact &&
             verdict.kind != Verdict::Kind::kNotMeasured) {
    findings.push_back(
        {Severity::kFault, "permutation", "Relabelling the nodes changes the answer.",
         c10::str("By up to ", number(verdict.error), " of its size."),
         "Wrap the model with --group S_n, or pool with a sum, a mean or a maximum."});
  }
  if (verdict.claimed) return;
  if (order.first_broken > 0 && order.last_exact > 0) {
    findings.push_back(
        {Severity::kFault, "truncation",
         "A list of neighbours is cut off by the order of the points.",
         c10::str("With up to ", order.last_exact, " points the order does not matter, from ",
                  order.first_broken, " on it does."),
         "Raise the number of neighbours, or choose them by distance with ties kept together; no "
         "frame can repair it."});
  } else if (verdict.kind != Verdict::Kind::kExact && verdict.kind != Verdict::Kind::kNotMeasured) {
    findings.push_back({Severity::kNote, "order", "The order of the points matters.",
                        c10::str("Reordering changes the answer by up to ", number(verdict.error),
                                 " of its size. ", result.group, " does not claim otherwise."),
                        "If your points have no order, pool with a sum, a mean or a maximum."});
  }
}

void find_hard(const AuditResult& result, std::vector<Finding>& findings) {
  std::vector<std::string> broken, not_finite, silent;
  double worst = 0;
  for (const HardCase& hard : result.hard) {
    if (hard.outcome == HardCase::Outcome::kNotFinite) not_finite.push_back(hard.name);
    if (hard.outcome == HardCase::Outcome::kSilentlyWrong) silent.push_back(hard.name);
    if (hard.outcome != HardCase::Outcome::kBreaks) continue;
    broken.push_back(hard.name);
    worst = std::max({worst, hard.rotation, hard.translation, hard.permutation});
  }
  const bool holds_usually =
      std::all_of(result.verdicts.begin(), result.verdicts.end(), [](const Verdict& verdict) {
        return !verdict.claimed || verdict.kind == Verdict::Kind::kExact ||
               verdict.kind == Verdict::Kind::kNotMeasured;
      });
  const bool is_explained = has_multiplicity_fault(result);
  if (!broken.empty() && holds_usually && !is_explained)
    findings.push_back(
        {Severity::kFault, "hard-inputs", "The symmetry is lost on symmetric or degenerate inputs.",
         c10::str("Ordinary inputs are exact, but these miss by up to ", number(worst), ": ",
                  text::join(broken), "."),
         result.typing.is_euclidean()
             ? "Where extents tie, axes are arbitrary: use the frame 'minimal', which is exact "
               "there. Where distances tie, lists of neighbours are: keep ties together."
             : "Nodes that look alike are told apart by their order: average over all orders of "
               "them, or use the frame 'canonical'."});
  if (!not_finite.empty())
    findings.push_back({Severity::kFault, "not-finite", "Finite inputs give NaN or infinity.",
                        "These do: " + text::join(not_finite) + ".",
                        "Look for divisions by a distance, a norm or a gap between eigenvalues."});
  if (!silent.empty())
    findings.push_back({Severity::kNote, "nan-swallowed",
                        "NaN goes in and a plain number comes out.",
                        "A broken input is answered as if it were sound.",
                        "Check inputs, or let NaN through; maxima and clamps swallow it."});
}

void find_jumps(const AuditResult& result, std::vector<Finding>& findings) {
  std::vector<std::string> where;
  double largest = 0, change = 0;
  for (const PathJump& path : result.paths) {
    if (!path.is_jump()) continue;
    where.push_back(path.name);
    if (path.jump <= largest) continue;
    largest = path.jump;
    change = path.input_change;
  }
  if (where.empty()) return;
  findings.push_back(
      {Severity::kNote, "jump", "The answer jumps.",
       c10::str("By ", number(largest), " of its size over an input change of ", number(change),
                "; on the paths: ", text::join(where), "."),
       "No finite unweighted frame is continuous, nor is a cutoff without a smooth end. Take the "
       "census of your inputs (--data) to see how near to ties they come."});
}

void find_gradient(const AuditResult& result, std::vector<Finding>& findings) {
  const GradientError& gradient = result.gradient;
  if (gradient.measured && gradient.median > kGradient)
    findings.push_back(
        {Severity::kFault, "gradient", "The gradient is not the derivative of the answer.",
         c10::str("Autograd and difference quotients differ by ", number(gradient.median),
                  " of a typical derivative (median of ", gradient.directions, " directions)."),
         "Something the answer depends on is detached, usually the frame: forces would not be the "
         "derivative of the energy. Differentiate the frame, or take gradients with respect to "
         "parameters only."});
  else if (!gradient.measured && gradient.reason.starts_with("the backward"))
    findings.push_back({Severity::kNote, "no-gradient", "The gradient cannot be computed.",
                        gradient.reason + ".", "Forward answers are not affected."});
}

/// Answers to ordinary inputs; those to degenerate ones are among the hard inputs.
Finding not_finite(const AuditResult& result, const char* type, int64_t items) {
  return {Severity::kFault, "not-finite", "Finite inputs give NaN or infinity.",
          c10::str("In ", type, ", ", items, " of ", result.items,
                   " ordinary inputs do. Nothing can be said of the symmetry of such answers."),
          "Look at the weights, and for divisions, roots and logarithms; if the model needs inputs "
          "of a certain kind, give some with --input."};
}

void find_rounding(const AuditResult& result, std::vector<Finding>& findings) {
  const int64_t lost = result.symmetry.front().not_finite32;
  if (lost > 0) return findings.push_back(not_finite(result, "float32", lost));
  for (const SymmetryErrors& errors : result.symmetry) {
    if (!errors.claimed || result.verdict(errors.part).kind != Verdict::Kind::kExact) continue;
    if (!exceeds_rounding(errors)) continue;
    findings.push_back(
        {Severity::kNote, "float32", "In float32 the error is more than rounding explains.",
         c10::str(to_string(errors.part), ": ", number(errors.float32.max),
                  "; rounding the input changes the answer by ", number(errors.rounding32), ", ",
                  kRoundings, " times that would be ordinary."),
         "Look for differences of large numbers, such as E[x^2] - E[x]^2, and for inputs near a "
         "tie."});
    return;
  }
}

}  // namespace

std::vector<Finding> find_faults(const AuditResult& result) {
  std::vector<Finding> findings;
  if (!result.is_finite())
    return {not_finite(result, result.has_float64 ? "float64" : "float32",
                       result.symmetry.front().not_finite())};
  if (!result.has_float64) {
    findings.push_back({Severity::kNote, "float32-only", "The model does not run in float64.",
                        "Only the symmetries were measured, in float32.",
                        "Constants made inside forward keep their type: use the type of the "
                        "input."});
    find_broken_parts(result, findings);
    return findings;
  }
  if (result.vanishes()) {
    findings.push_back({Severity::kNote, "zero", "The answers are zero up to rounding.",
                        "Every symmetry holds for zero. Nothing else was measured.",
                        "What it computes cancels, as a pseudoscalar does over reflections and a "
                        "vector that does not change its sign under x -> -x: choose another type "
                        "or a smaller group."});
    return findings;
  }
  if (result.is_random()) {
    find_randomness(result, findings);
    return findings;
  }
  find_batch(result, findings);
  find_broken_parts(result, findings);
  find_order(result, findings);
  find_hard(result, findings);
  find_gradient(result, findings);
  find_jumps(result, findings);
  find_rounding(result, findings);
  return findings;
}

}  // namespace equiframe::audit
