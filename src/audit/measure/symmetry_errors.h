#pragma once

#include <string>
#include <vector>

#include <ATen/core/Generator.h>

#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"

namespace equiframe::audit {

/// Random inputs of the subject's types: normal points and vectors, no symmetry, no ties. Of its
/// example, where it has one.
Inputs probe_inputs(const Subject& subject, const MeasureOptions& options);
/// Made anew with `points` nodes, whatever the subject came with.
Inputs random_inputs(const Subject& subject, int64_t items, int64_t points, uint64_t seed);

ErrorSummary summarise(const Tensor& errors);

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
