#pragma once

#include <functional>
#include <string>
#include <vector>

#include <c10/core/ScalarType.h>

namespace equiframe::inline laws {

/// One measured law.
struct LawResult {
  std::string law;      ///< "equivariance of the average"
  std::string subject;  ///< "E(3) pca | point + vector -> point | cube"
  std::string dtype;    ///< "float64" or "float32"
  double error = 0;
  double tolerance = 0;
  bool pass() const { return error <= tolerance; }  // NaN fails
};

/// Which laws to measure; an empty text means all.
struct LawFilter {
  std::string group = {};
  std::string frame = {};
  std::string dtype = {};

  bool wants_group(const std::string& name) const { return group.empty() || group == name; }
  /// By the frame's name or by its full call.
  bool wants_frame(const std::string& call) const;
  bool wants_dtype(c10::ScalarType type) const;
};

using LawSink = std::function<void(const LawResult&)>;

/// Every law on every registered group, representation and frame the filter lets through, in a
/// fixed order and with fixed seeds. Throws UserError for a filter that names nothing known.
void check_laws(const LawFilter& filter, const LawSink& sink);

}  // namespace equiframe::inline laws
