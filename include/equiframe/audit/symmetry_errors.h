#pragma once

#include <array>
#include <string>
#include <vector>

#include "equiframe/audit/subject.h"

/// How far a model is from f(gx) = g f(x), symmetry by symmetry. The group acts in float64 whatever
/// the model computes in.
namespace equiframe::audit {

enum class Part { kTranslation, kRotation, kReflection, kPermutation };
inline constexpr std::array kParts{Part::kTranslation, Part::kRotation, Part::kReflection,
                                   Part::kPermutation};
const char* to_string(Part part);

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

/// Random inputs of the subject's types: normal points and vectors, no symmetry, no ties. Of its
/// example, where it has one.
Inputs probe_inputs(const Subject& subject, const MeasureOptions& options);
/// Made anew with `points` nodes, whatever the subject came with.
Inputs random_inputs(const Subject& subject, int64_t items, int64_t points, uint64_t seed);

struct ErrorSummary {
  double max = 0;
  double median = 0;
  double p99 = 0;
};
ErrorSummary summarise(const Tensor& errors);

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

/// All four parts; those that move nothing in this model are not measured.
std::vector<SymmetryErrors> measure_symmetry(const Subject& subject, const Inputs& inputs,
                                             const MeasureOptions& options = {});
/// One part, on as many draws as the options say.
SymmetryErrors measure_part(const Subject& subject, Part part, const Inputs& inputs,
                            const MeasureOptions& options = {});

/// Random elements of a part for `count` inputs of `nodes` nodes. Reflections are x -> -x in odd
/// dimensions, which commutes with rotations and so is told from them, mirrors in even ones.
Motion random_motion(const Typing& typing, Part part, int64_t count, int64_t nodes,
                     at::Generator& generator);

/// Whether the part changes anything in inputs of these types; otherwise why not.
std::string why_not_measured(const Typing& typing, Part part, const Inputs& inputs);

/// Nodes of the inputs, 1 if they have no node axis.
int64_t nodes_of(const Typing& typing, const Inputs& inputs);
/// How many items all arguments have that are not passed as they are.
int64_t items_of(const Inputs& inputs);

/// The subject on all items, `batch` at a time, results in float64.
std::vector<Tensor> evaluate(const Subject& subject, const Inputs& inputs, at::ScalarType type,
                             int64_t batch);
/// All items `times` times over: item i comes again at i + items, i + 2 items, ... so that chunks
/// of as many items as there are have the same companions.
Inputs repeat(const Inputs& inputs, int64_t times);
/// Rows of all inputs.
Inputs select(const Inputs& inputs, const Tensor& items);
/// Largest difference of each item over all results, relative to `scales`, [B].
Tensor differences(const std::vector<Tensor>& a, const std::vector<Tensor>& b,
                   const std::vector<double>& scales);
/// Largest |y| of each result.
std::vector<double> scales_of(const std::vector<Tensor>& results);

}  // namespace equiframe::audit
