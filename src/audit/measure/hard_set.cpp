#include "audit/measure/hard_set.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "audit/measure/places.h"
#include "audit/subjects/typing.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/laws/zoo.h"

namespace equiframe::audit {
namespace {

constexpr double kHolds = 1e-6;  // more than rounding costs a thousand units from the origin
constexpr int64_t kDraws = 5;

struct Hard {
  std::string name, group;
  Tensor points;  // [N, d]
};

std::vector<Hard> hard_clouds(int64_t dim, int64_t points, uint64_t seed) {
  auto generator = make_generator(seed + 4);
  std::vector<Hard> result;
  for (const auto& cloud : laws::symmetric_clouds(dim))
    result.push_back({cloud.name, "symmetric", cloud.points});
  for (const auto& cloud : laws::generic_clouds(dim, generator)) {
    if (cloud.name != "random") result.push_back({cloud.name, cloud.name, cloud.points});
  }
  for (const auto& cloud : laws::infinite_clouds(dim))
    result.push_back({cloud.name, "flat", cloud.points});
  const Tensor cloud = torch::randn({points, dim}, generator, torch::kFloat64);
  result.push_back({"one point", "few", cloud.narrow(0, 0, 1)});
  if (points > dim) {
    const Whitened shape = whiten(cloud);
    result.push_back({"equal extents", "symmetric", shape.unit.matmul(shape.axes.t())});
  }
  Tensor broken = cloud.clone();
  broken[0][0] = NAN;
  result.push_back({"one NaN", "not finite", broken});
  return result;
}

bool all_finite(const std::vector<Tensor>& results) {
  return std::all_of(results.begin(), results.end(),
                     [](const Tensor& y) { return torch::isfinite(y).all().item<bool>(); });
}

/// Error of a part on one item, relative to the larger of its own and the usual scale.
double error_of(const Subject& subject, Part part, const Inputs& item,
                const std::vector<double>& usual, uint64_t seed) {
  const Typing& typing = subject.typing();
  if (!why_not_measured(typing, part, item).empty()) return 0;
  auto generator = make_generator(seed);
  const Motion g = random_motion(typing, part, kDraws, nodes_of(typing, item), generator);
  const auto answers = evaluate(subject, item, torch::kFloat64, 1);
  const auto moved =
      evaluate(subject, move(typing, g, repeat(item, kDraws)), torch::kFloat64, kDraws);
  std::vector<Tensor> expected = repeat(answers, kDraws);
  std::vector<double> scales = scales_of(answers);
  for (size_t i = 0; i < expected.size(); ++i) {
    expected[i] = move(typing, typing.out[i], g, expected[i]);
    scales[i] = std::max(scales[i], usual[i]);
  }
  return differences(moved, expected, scales).max().item<double>();
}

HardCase judge(const Subject& subject, HardCase hard, const Inputs& item,
               const std::vector<double>& usual, Relabelling relabelling) {
  const Typing& typing = subject.typing();
  try {
    const bool finite = all_finite(evaluate(subject, item, torch::kFloat64, 1));
    if (hard.group == "not finite") {
      hard.outcome = finite ? HardCase::Outcome::kSilentlyWrong : HardCase::Outcome::kHolds;
      return hard;
    }
    hard.outcome = HardCase::Outcome::kNotFinite;
    if (!finite) return hard;
    constexpr uint64_t kSeed = 5;
    const auto error = [&](Part part) { return error_of(subject, part, item, usual, kSeed); };
    if (typing.is_euclidean()) {
      if (typing.group->linear() != EuclideanGroup::Linear::kIdentity)
        hard.rotation = error(Part::kRotation);
      if (typing.group->has_reflections())
        hard.rotation = std::max(hard.rotation, error(Part::kReflection));
      if (typing.group->has_shifts()) hard.translation = error(Part::kTranslation);
    }
    if (relabelling == Relabelling::kJudged) hard.permutation = error(Part::kPermutation);
    const double worst = std::max({hard.rotation, hard.translation, hard.permutation});
    hard.outcome = worst <= kHolds ? HardCase::Outcome::kHolds : HardCase::Outcome::kBreaks;
  } catch (const UserError& failure) {
    hard.outcome = HardCase::Outcome::kRefuses;
    hard.message = failure.what();
  }
  return hard;
}

Inputs graph_inputs(const Subject& subject, const Tensor& adjacency) {
  const int64_t n = adjacency.size(0);
  Inputs inputs = random_inputs(subject, 1, n, 0);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Slot& slot = subject.typing().in[i];
    if (slot.layout == Layout::kNode) inputs[i] = torch::ones_like(inputs[i]);
    if (slot.layout == Layout::kPair)
      inputs[i] = adjacency.view({1, n, n, 1}).expand({1, n, n, slot.channels}).contiguous();
  }
  return inputs;
}

bool has_pairs(const Typing& typing) {
  return std::any_of(typing.in.begin(), typing.in.end(),
                     [](const Slot& slot) { return slot.layout == Layout::kPair; });
}

}  // namespace

const char* to_string(HardCase::Outcome outcome) {
  switch (outcome) {
    case HardCase::Outcome::kHolds:
      return "holds";
    case HardCase::Outcome::kBreaks:
      return "breaks";
    case HardCase::Outcome::kNotFinite:
      return "not finite";
    case HardCase::Outcome::kRefuses:
      return "refuses";
    case HardCase::Outcome::kSilentlyWrong:
      return "answers a NaN with a number";
  }
  return "";
}

std::vector<HardCase> measure_hard_set(const Subject& subject, Relabelling relabelling,
                                       const MeasureOptions& options) {
  const Typing& typing = subject.typing();
  const Inputs ordinary = probe_inputs(subject, options);
  const auto usual = scales_of(evaluate(subject, ordinary, torch::kFloat64, options.batch));
  std::vector<HardCase> result;
  const auto add = [&](const std::string& name, const std::string& group, const Inputs& item) {
    HardCase hard;
    hard.name = name;
    hard.group = group;
    hard.nodes = nodes_of(typing, item);
    result.push_back(judge(subject, hard, item, usual, relabelling));
  };
  if (typing.is_euclidean()) {
    if (!find_places(typing)) return result;
    const int64_t points = nodes_of(typing, ordinary);
    for (const Hard& hard : hard_clouds(typing.dim(), points, options.seed))
      add(hard.name, hard.group, cloud_inputs(subject, hard.points));
  } else if (has_pairs(typing)) {
    auto generator = make_generator(options.seed + 4);
    for (const auto& graph : laws::graphs(generator)) {
      if (typing.nodes == 0 || typing.nodes == graph.adjacency.size(0))
        add(graph.name, "graph", graph_inputs(subject, graph.adjacency));
    }
  }
  return result;
}

RepeatedEigenvalue measure_repeated_eigenvalue(const Subject& subject,
                                               const MeasureOptions& options) {
  const Typing& typing = subject.typing();
  RepeatedEigenvalue result;
  const int64_t n = typing.nodes > 0 ? typing.nodes : options.points;
  constexpr int64_t kMin = 5;  // the constant vector, a triple and one more
  if (typing.is_euclidean() || !has_pairs(typing) || n < kMin) return result;
  auto generator = make_generator(options.seed + 6);
  Tensor columns = torch::randn({n, n}, generator, torch::kFloat64);
  columns.select(1, 0).fill_(1);  // the Laplacian's kernel; QR keeps the first direction
  const Tensor basis = std::get<0>(torch::linalg_qr(columns));
  const Tensor distinct = static_cast<double>(n) + torch::linspace(0, 2, n, torch::kFloat64);
  Tensor repeated = distinct.clone();
  repeated.narrow(0, 2, 2).fill_(distinct[1].item<double>());  // a triple
  const auto adjacency = [&](Tensor values) {
    values = values.clone();
    values[0] = 0;
    const Tensor laplacian = (basis * values).matmul(basis.t());
    const Tensor weights = -(laplacian + laplacian.t()) / 2;
    return weights - torch::diag(weights.diagonal());
  };
  try {
    const Inputs plain = graph_inputs(subject, adjacency(distinct));
    const auto usual = scales_of(evaluate(subject, plain, torch::kFloat64, 1));
    result.with_distinct = error_of(subject, Part::kPermutation, plain, usual, options.seed);
    result.with_repeated =
        error_of(subject, Part::kPermutation, graph_inputs(subject, adjacency(repeated)), usual,
                 options.seed);
    result.measured = true;
  } catch (const UserError&) {
    result.measured = false;
  }
  return result;
}

}  // namespace equiframe::audit
