#include "audit/rotation_findings.h"

#include <cmath>

#include <torch/types.h>

#include "core/text.h"
#include "report/format.h"

namespace equiframe::audit {
namespace {

using report::number;

constexpr int64_t kFewAnswers = 32;  // sign choices and orders of three axes are 48 at most
constexpr double kExplained = 1e-5;  // of the error that a constant leaves

bool is_broken(const AuditResult& result, Part part) {
  const Verdict::Kind kind = result.verdict(part).kind;
  return result.of(part).claimed &&
         (kind == Verdict::Kind::kApproximate || kind == Verdict::Kind::kBroken);
}

std::string how_much(const AuditResult& result, Part part) {
  const SymmetryErrors& errors = result.of(part);
  const ErrorSummary& summary = errors.has_float64 ? errors.float64 : errors.float32;
  return c10::str("The error is ", number(summary.max), " of the answer's size at most, ",
                  number(summary.median), " in the median.");
}

std::string components(const Tensor& vector) {
  std::vector<std::string> parts;
  for (int64_t i = 0; i < vector.size(0); ++i) parts.push_back(number(vector[i].item<double>()));
  return "(" + text::join(parts) + ")";
}

/// "order 1 has 97 %, order 2 has 2.1 %" of what is not at order 0.
std::string spectrum(const AngularPower& angular) {
  if (!angular.measured) return {};
  const double moving = 1 - angular.share.at(0);
  if (!(moving > 0)) return {};
  std::vector<std::string> parts;
  constexpr double kWorthSaying = 0.02;
  for (size_t l = 1; l < angular.share.size(); ++l) {
    const double share = angular.share[l] / moving;
    if (share >= kWorthSaying)
      parts.push_back(c10::str("order ", l, " has ", number(std::round(100 * share)), " %"));
  }
  if (angular.above / moving >= kWorthSaying)
    parts.push_back(
        c10::str("higher ones ", number(std::round(100 * angular.above / moving)), " %"));
  return parts.empty() ? "" : " Of the part that varies with rotation, " + text::join(parts) + ".";
}

Finding rotation_finding(const AuditResult& result) {
  const LabFrame& lab = result.lab;
  const std::string detail = how_much(result, Part::kRotation);
  if (lab.measured && lab.distinct > 1 && lab.distinct <= kFewAnswers)
    return {Severity::kFault, "lab-sign",
            "A sign or an order of axes is chosen in the laboratory's frame.",
            c10::str(detail, " ", lab.rotations, " rotations of one input give only ", lab.distinct,
                     " different answers: the axes are found, but which way they point depends on "
                     "how the input lies."),
            "Average over all choices of sign (frame 'pca'), or decide by the shape itself (frame "
            "'minimal'); 'first component positive' is not equivariant."};
  if (lab.measured && lab.bias.defined() && lab.unexplained < kExplained)
    return {Severity::kFault, "vector-bias", "A vector channel has a bias.",
            c10::str(detail, " The constant vector ", components(lab.bias[0]),
                     " that does not turn with the input explains all of it."),
            "Set bias=False in layers that make vectors or points."};
  if (lab.measured && lab.from_nothing > kExact64)
    return {Severity::kFault, "lab-direction", "A direction of the laboratory enters.",
            c10::str(detail, " An input without any direction is answered by vectors of ",
                     number(lab.from_nothing), " of their usual size.", spectrum(result.angular)),
            "Look for biases on vectors, normalisation over x, y, z and coordinates used as plain "
            "numbers; or wrap the model with 'equiframe wrap'."};
  return {Severity::kFault, "rotation", "Rotating the input changes the answer.",
          detail + spectrum(result.angular),
          "Coordinates are used as plain numbers: wrap the model with 'equiframe wrap'."};
}

/// Whether an input differs from its mirror image at all.
bool can_be_chiral(const AuditResult& result) {
  return result.nodes > result.typing.dim();
}

}  // namespace

void find_broken_parts(const AuditResult& result, std::vector<Finding>& findings) {
  if (is_broken(result, Part::kTranslation))
    findings.push_back({Severity::kFault, "translation", "Shifting the input changes the answer.",
                        how_much(result, Part::kTranslation),
                        "Subtract the centroid of the points first, and add it again to results "
                        "that are points."});
  const bool turns = is_broken(result, Part::kRotation);
  if (turns) findings.push_back(rotation_finding(result));
  if (is_broken(result, Part::kReflection) && !turns)
    findings.push_back(
        {Severity::kFault, "reflection", "Mirror images are answered differently.",
         how_much(result, Part::kReflection) + " Rotations hold.",
         c10::str("Claim the group without reflections, or give cross products and signed volumes "
                  "their types, pseudovector and pseudoscalar.")});
  const Verdict& rotation = result.verdict(Part::kRotation);
  const Verdict& reflection = result.verdict(Part::kReflection);
  if (rotation.claimed && !reflection.claimed && rotation.kind == Verdict::Kind::kExact &&
      reflection.kind == Verdict::Kind::kExact && can_be_chiral(result))
    findings.push_back(
        {Severity::kNote, "handedness",
         c10::str("Left and right cannot be told apart, which ", result.group, " could."),
         c10::str("Reflections hold to ", number(reflection.error),
                  " although they are not claimed."),
         "If that is meant, name the group with reflections. Otherwise give each frame "
         "determinant +1: bases of eigenvectors come with either hand."});
}

}  // namespace equiframe::audit
