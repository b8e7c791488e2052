#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "equiframe/audit/angular_power.h"
#include "equiframe/audit/batch_checks.h"
#include "equiframe/audit/census.h"
#include "equiframe/audit/continuity.h"
#include "equiframe/audit/findings.h"
#include "equiframe/audit/gradient_error.h"
#include "equiframe/audit/hard_set.h"
#include "equiframe/audit/lab_frame.h"
#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"
#include "equiframe/audit/verdict.h"

namespace equiframe::audit {

struct AuditOptions {
  MeasureOptions measure;
  int64_t angular_order = 4;  ///< the quadrature is exact up to here
  std::vector<Tensor> data;   ///< the user's items for the census, each [N, C]; see read_items
  /// Told how far it has come, 0 .. 1, and what is being measured.
  std::function<void(double, const std::string&)> progress;
};

/// Everything that was measured of one subject.
struct AuditResult {
  std::string name, kind, group, in, out;
  Typing typing;
  int64_t items = 0, nodes = 0;
  /// False: only `symmetry` was measured, as where it vanishes() or is not is_finite().
  bool has_float64 = true;
  std::vector<SymmetryErrors> symmetry;
  std::vector<Verdict> verdicts;  ///< one for each of `symmetry`
  AngularPower angular;
  AngleErrors angles;
  LabFrame lab;
  std::vector<PathJump> paths;
  std::optional<Census> census;
  std::vector<HardCase> hard;
  RepeatedEigenvalue repeated;
  GradientError gradient;
  BatchChecks batch;
  OrderChecks order;
  std::vector<Finding> findings;
  double seconds = 0;

  const SymmetryErrors& of(Part part) const { return symmetry.at(static_cast<size_t>(part)); }
  const Verdict& verdict(Part part) const { return verdicts.at(static_cast<size_t>(part)); }
  bool is_random() const { return batch.repeat > kExact64; }
  /// Whether all answers to ordinary inputs are, in the type the verdicts are of.
  bool is_finite() const {
    return std::all_of(symmetry.begin(), symmetry.end(),
                       [](const auto& e) { return e.not_finite() == 0; });
  }
  bool vanishes() const {
    return std::any_of(symmetry.begin(), symmetry.end(), [](const auto& e) { return e.vanishes; });
  }
};

/// Throws UserError if the subject does not answer ordinary inputs. LibTorch's default generator,
/// which models draw from, is seeded for the time of the audit and then as it was.
AuditResult audit(const Subject& subject, const AuditOptions& options = {});

/// The requirements that are not met, each as a sentence. Finite answers are always required.
std::vector<std::string> unmet(const AuditResult& result, const std::vector<Requirement>& required);

std::string to_json(const AuditResult& result, const std::vector<std::string>& unmet);
/// For a terminal.
std::string to_text(const AuditResult& result);
/// One file, no network.
std::string to_html(const AuditResult& result);

}  // namespace equiframe::audit
