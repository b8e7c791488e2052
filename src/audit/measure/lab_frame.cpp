#include "audit/measure/lab_frame.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "audit/measure/symmetry_errors.h"
#include "audit/subjects/typing.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"

namespace equiframe::audit {
namespace {

using Kind = FieldType::Kind;

/// Rows of `f` [K, D] further apart than `tolerance`: the number of clusters, greedily.
int64_t count_distinct(const Tensor& f, double tolerance) {
  const Tensor apart = torch::cdist(f, f, INFINITY);
  std::vector<int64_t> centres;
  for (int64_t i = 0; i < f.size(0); ++i) {
    const bool is_known = std::any_of(centres.begin(), centres.end(), [&](int64_t c) {
      return apart[i][c].item<double>() <= tolerance;
    });
    if (!is_known) centres.push_back(i);
  }
  return static_cast<int64_t>(centres.size());
}

/// Vectors and points of the results, [M, n, k, d] with n nodes; undefined if there are none.
Tensor directions_of(const Typing& typing, const std::vector<Tensor>& results) {
  std::vector<Tensor> parts;
  for (size_t i = 0; i < results.size(); ++i) {
    for (const Kind kind : {Kind::kVector, Kind::kPoint}) {
      if (!typing.out[i].field.has(kind)) continue;
      const Tensor found = typing.out[i].field.select(kind, typing.dim(), results[i]);
      parts.push_back(found.dim() == 3 ? found.unsqueeze(1) : found);
    }
  }
  return parts.empty() ? Tensor() : parts.front();
}

/// Least squares for b in (1 - R_m) b = D_m, one b for each vector of a node.
void fit_bias(LabFrame& result, const Tensor& rotations, const Tensor& apart) {
  const int64_t dim = rotations.size(-1), nodes = apart.size(1);
  const Tensor a = torch::eye(dim, torch::kFloat64) - rotations;  // [M, d, d]
  const Tensor mean = apart.mean(1);                              // [M, k, d]
  const Tensor left = a.transpose(1, 2).matmul(a).sum(0);         // [d, d]
  const Tensor right = a.transpose(1, 2).unsqueeze(1).matmul(mean.unsqueeze(-1)).sum(0);
  result.bias = torch::linalg_solve(left, right.squeeze(-1).t()).t();  // [k, d]
  const Tensor explained = a.unsqueeze(1).matmul(result.bias.unsqueeze(-1)).squeeze(-1);
  const Tensor left_over = apart - explained.unsqueeze(1).expand({-1, nodes, -1, -1});
  const double whole = apart.norm().item<double>();
  result.unexplained = whole > 0 ? left_over.norm().item<double>() / whole : 1;
}

double answer_to_nothing(const Subject& subject, const Inputs& inputs, double usual) {
  Inputs nothing = inputs;
  for (size_t i = 0; i < nothing.size(); ++i) {
    const FieldType& field = subject.typing().in[i].field;
    if (!nothing[i].defined() || field.fields().empty()) continue;
    Tensor keep = nothing[i].clone();
    int64_t first = 0;
    for (const FieldType::Field& part : field.fields()) {
      const int64_t width = FieldType({part}).channels(subject.typing().dim());
      if (part.kind != Kind::kScalar) keep.narrow(-1, first, width).zero_();
      first += width;
    }
    nothing[i] = keep;
  }
  try {
    const auto results = evaluate(subject, nothing, torch::kFloat64, items_of(nothing));
    const Tensor vectors = directions_of(subject.typing(), results);
    return vectors.defined() ? vectors.abs().max().item<double>() / usual : 0;
  } catch (const UserError&) {
    return NAN;
  }
}

}  // namespace

LabFrame measure_lab_frame(const Subject& subject, const Inputs& inputs,
                           const MeasureOptions& options) {
  const Typing& typing = subject.typing();
  LabFrame result;
  if (!typing.is_euclidean() || !why_not_measured(typing, Part::kRotation, inputs).empty())
    return result;
  constexpr int64_t kRotations = 96;
  constexpr double kSame = 1e-6;
  auto generator = make_generator(options.seed + 3);
  const Inputs item = select(inputs, torch::tensor({0}));
  Motion g;
  g.linear =
      haar_orthogonal(typing.dim(), EuclideanGroup::Linear::kRotations, kRotations, generator);
  const auto answers = evaluate(subject, item, torch::kFloat64, 1);
  const auto scales = scales_of(answers);
  const auto moved =
      evaluate(subject, move(typing, g, repeat(item, kRotations)), torch::kFloat64, options.batch);
  std::vector<Tensor> back, errors;
  for (size_t i = 0; i < moved.size(); ++i) {
    back.push_back(move_back(typing, typing.out[i], g, moved[i]).flatten(1) / scales[i]);
    errors.push_back(moved[i] -
                     move(typing, typing.out[i], g, repeat({answers[i]}, kRotations).front()));
  }
  result.rotations = kRotations;
  result.distinct = count_distinct(torch::nan_to_num(torch::cat(back, 1)), kSame);
  const Tensor apart = directions_of(typing, errors);
  if (apart.defined()) {
    fit_bias(result, g.linear, apart);
    const double usual = directions_of(typing, answers).abs().max().item<double>();
    result.from_nothing = usual > 0 ? answer_to_nothing(subject, inputs, usual) : 0;
  }
  result.measured = true;
  return result;
}

}  // namespace equiframe::audit
