#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

/// How far a model is from f(gx) = g f(x), symmetry by symmetry. The group acts in float64 whatever
/// the model computes in.
namespace equiframe::audit {

enum class Part { kTranslation, kRotation, kReflection, kPermutation };
inline constexpr std::array kParts{Part::kTranslation, Part::kRotation, Part::kReflection,
                                   Part::kPermutation};
EQUIFRAME_API const char* to_string(Part part);

/// Inputs of one size, each float64 [items, ...], with values that float32 holds exactly.
using Inputs = std::vector<Tensor>;

struct MeasureOptions {
  int64_t items = 8;    ///< inputs
  int64_t draws = 25;   ///< group elements for each of them
  int64_t points = 16;  ///< nodes of an input, where the model does not say
  /// Items that the model gets at once. As many as `items` where answers depend on the batch.
  int64_t batch = 64;
  uint64_t seed = 1;
};

/// Group elements for the items of a batch, float64; an undefined part is the identity.
struct Motion {
  Tensor linear;       ///< [B, d, d]
  Tensor shift;        ///< [B, d]
  Tensor permutation;  ///< [B, N] int64, an element of SymmetricGroup
};

struct ErrorSummary {
  double max = 0;
  double median = 0;
  double p99 = 0;
};

/// The input and motion of the largest error, batch of one.
struct WorstCase {
  Inputs input;
  Motion motion;
  std::vector<Tensor> moved_first;  ///< f(gx)
  std::vector<Tensor> moved_after;  ///< g f(x)
  double error = 0;
};

/// An error is max |f(gx) - g f(x)| over the largest |f| of all probes; NaN counts as infinite.
struct SymmetryErrors {
  Part part = Part::kTranslation;
  bool claimed = false;   ///< the named group contains it
  bool measured = false;  ///< false: `reason` says why
  std::string reason;
  ErrorSummary float64, float32;
  bool has_float64 = true;  ///< false: the model does not run in float64
  bool vanishes = false;    ///< answers are zero up to rounding; errors are then not relative
  /// Inputs to which the answer is NaN or infinite before anything moves.
  int64_t not_finite64 = 0, not_finite32 = 0;
  int64_t not_finite() const { return has_float64 ? not_finite64 : not_finite32; }
  Tensor errors64, errors32;  ///< [items * draws]
  /// What rounding the input to float32 does to the answer: largest |f(x(1 + e)) - f(x)|, computed
  /// in float64, |e| of one float32 rounding. Times kRoundings it is what float32 may cost.
  double rounding32 = 0;
  WorstCase worst;  ///< in float64, or float32 where that is all
};

/// Roundings between an input and an answer that nobody need explain.
inline constexpr double kRoundings = 64;

}  // namespace equiframe::audit
