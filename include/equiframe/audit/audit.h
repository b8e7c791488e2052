#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "equiframe/audit/measurements.h"
#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"
#include "equiframe/export.h"

namespace equiframe::audit {

/// Errors relative to the largest answer. kExact32 judges models that run in float32 only.
inline constexpr double kExact64 = 1e-9;
inline constexpr double kExact32 = 1e-4;
inline constexpr double kApproximateError = 1e-2;

struct Verdict {
  enum class Kind {
    kExact,        ///< largest error at most kExact64: rounding
    kApproximate,  ///< at most kApproximateError
    kBroken,       ///< more
    kNotFinite,    ///< answers are NaN or infinite: there is nothing to compare
    kNotMeasured   ///< nothing in this model moves
  };
  Part part = Part::kTranslation;
  Kind kind = Kind::kNotMeasured;
  bool claimed = false;
  double error = 0;  ///< the largest in float64, in float32 where that is all
  /// "exact", "broken", "not claimed", "holds, not claimed", "not finite", "not measured"
  std::string text;
};

/// A fault breaks what the model claims; a note is worth knowing.
enum class Severity { kFault, kNote };

struct Finding {
  Severity severity = Severity::kFault;
  std::string code;    ///< "lab-sign", for programs
  std::string title;   ///< a plain sentence: what is wrong
  std::string detail;  ///< what was measured
  std::string advice;  ///< what to do
};

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

/// The items of a .npy file [items, N, C], or the clouds of a folder of point files in the order of
/// their names, each [N, C]. Throws UserError for channels that do not fit the first typed
/// argument.
EQUIFRAME_API std::vector<Tensor> read_items(const std::filesystem::path& data,
                                             const Typing& typing);

/// Throws UserError if the subject does not answer ordinary inputs. LibTorch's default generator,
/// which models draw from, is seeded for the time of the audit and then as it was.
EQUIFRAME_API AuditResult audit(const Subject& subject, const AuditOptions& options = {});

/// One thing of `--require "rotation, translation<1e-5, permutation"`.
struct Requirement {
  /// A part, "gradient", "batch", "continuity", "hard", "all" (parts that are claimed) or "sound"
  /// (no fault found).
  std::string name;
  double limit = -1;  ///< largest error allowed in float32 and float64; negative = exact
  std::string text;   ///< as it was written
};
/// Throws UserError that names what can be required.
EQUIFRAME_API std::vector<Requirement> parse_requirements(const std::string& text);

/// The requirements that are not met, each as a sentence. Finite answers are always required.
EQUIFRAME_API std::vector<std::string> unmet(const AuditResult& result,
                                             const std::vector<Requirement>& required);

EQUIFRAME_API std::string to_json(const AuditResult& result, const std::vector<std::string>& unmet);
/// For a terminal.
EQUIFRAME_API std::string to_text(const AuditResult& result);
/// One file, no network.
EQUIFRAME_API std::string to_html(const AuditResult& result);

}  // namespace equiframe::audit
