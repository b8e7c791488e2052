#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

/// What an audit measures beside the errors of the symmetries.
namespace equiframe::audit {

/// The variance of g -> rho_out(g)^-1 f(rho_in(g) x) by angular order (Peter-Weyl): all at order 0
/// for an equivariant model, order 1 for a constant vector that does not turn with the input, high
/// orders for anything with jumps. In shares of the whole, mean over the items.
struct AngularPower {
  bool measured = false;      ///< dimensions 2 and 3 only
  std::vector<double> share;  ///< [order + 1]
  double above = 0;           ///< what is beyond the last order
  int64_t evaluations = 0;    ///< of the model, for each item
};

/// Errors of rotations by growing angles about random axes, in float64 (float32 where that is all).
struct AngleErrors {
  std::vector<double> degrees;
  std::vector<double> median, max;  ///< [angles]
};

/// What kind of dependence on the laboratory's axes a model has.
struct LabFrame {
  bool measured = false;
  /// How many different answers f gives to the rotations of one input, turned back. Few of many: a
  /// choice is made by the laboratory's axes. One: equivariant.
  int64_t distinct = 0;
  int64_t rotations = 0;
  /// The best constant b in f(gx) - g f(x) = (1 - R) b for vector results, and how much of the
  /// error it leaves unexplained, 0 .. 1.
  Tensor bias;  ///< [vectors, d]; undefined = no vector or point among the results
  double unexplained = 1;
  /// Largest vector in the answer to an input without any direction, all points at the origin and
  /// all vectors zero, relative to its usual size; NaN if the model does not answer there.
  double from_nothing = 0;
};

/// The largest jump of the answer along a straight path through a degenerate input.
struct EQUIFRAME_API PathJump {
  std::string name;          ///< "two extents cross", "through a plane", ...
  double input_change = 0;   ///< over the last step, relative to the size of the input
  double jump = 0;           ///< of the answer over that step, relative to its largest
  double position = 0;       ///< where on the path, -1 .. 1, the degenerate input at 0
  std::string refused = {};  ///< what the model said where it did not answer
  bool is_jump() const;
};

/// How degenerate the user's inputs are, as frames see them.
struct Census {
  int64_t items = 0;
  int64_t not_finite = 0;                 ///< items with NaN or infinite numbers, not judged
  std::map<std::string, int64_t> strata;  ///< "simple", "planar", "repeated", ...
  std::vector<double> margins;            ///< relative distance to the nearest tie, ascending
  int64_t near_ties = 0;                  ///< of the simple items, margin below kNearTie
  int64_t smallest_item = 0;              ///< the item of the smallest margin
};
inline constexpr double kNearTie = 1e-2;

/// What a model does with one input that is known to be hard.
struct HardCase {
  enum class Outcome {
    kHolds,         ///< answers, and the claimed symmetries hold
    kBreaks,        ///< answers, and they do not
    kNotFinite,     ///< answers NaN or infinity to finite input
    kRefuses,       ///< throws, with `message`
    kSilentlyWrong  ///< answers finite numbers to NaN
  };
  std::string name;   ///< "cube", "planar", "one point", ...
  std::string group;  ///< "symmetric", "flat", "far", "few", "not finite"
  int64_t nodes = 0;
  Outcome outcome = Outcome::kHolds;
  double rotation = 0;     ///< largest error of the claimed linear part, float64
  double translation = 0;  ///< of shifts, if claimed
  double permutation = 0;  ///< of relabelling, if it holds on ordinary inputs
  std::string message = {};
};
EQUIFRAME_API const char* to_string(HardCase::Outcome outcome);

/// A graph without symmetry that has a repeated Laplacian eigenvalue, against one that has none but
/// is otherwise alike: whether multiplicities are taken by equality of rounded numbers.
struct RepeatedEigenvalue {
  bool measured = false;
  double with_distinct = 0;  ///< error of relabelling
  double with_repeated = 0;
};

/// Directional derivatives of the summed results by autograd against central differences, float64.
/// Directions in which two step sizes disagree (kinks, jumps) are left out.
struct GradientError {
  bool measured = false;
  std::string reason;  ///< why not
  double median = 0;   ///< |autograd - differences| / the typical derivative
  double max = 0;
  int64_t directions = 0;  ///< that were compared
  int64_t left_out = 0;
};

/// Whether an answer depends on anything but its own input.
struct BatchChecks {
  double repeat = 0;        ///< the same batch twice: 0 = deterministic
  double alone = 0;         ///< an item alone against the item in a batch
  double across_calls = 0;  ///< copies of one item: how far answers of different calls are apart
  double within_call = 0;   ///< and those of one call
  double beside_nan = 0;    ///< an item whose neighbour in the batch is NaN, against its answer
  bool nan_measured = false;
};

/// Errors of relabelling by the number of points. A list of neighbours that is cut off shows as an
/// error that begins with a certain number.
struct OrderChecks {
  struct Size {
    int64_t points = 0;
    double error = 0;
    double spread = 1;  ///< factor on the coordinates
  };
  std::vector<Size> sizes;  ///< only those that the model takes
  bool measured = false;
  int64_t first_broken = 0;  ///< fewest points with an error; 0 = none
  int64_t last_exact = 0;    ///< most points below that without one; 0 = none
};

}  // namespace equiframe::audit
