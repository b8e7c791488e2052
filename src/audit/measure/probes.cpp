/// The inputs of the audit, the motions it applies to them, and how it runs a model on many.
#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "audit/measure/symmetry_errors.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/groups/symmetric.h"

namespace equiframe::audit {
namespace {

Tensor random_tensor(const Slot& slot, int64_t items, int64_t points, at::Generator& generator) {
  const int64_t channels = std::max<int64_t>(slot.channels, 1);
  const auto normal = [&](at::IntArrayRef shape) {  // what float32 holds exactly
    return torch::randn(shape, generator, torch::kFloat64).to(torch::kFloat32).to(torch::kFloat64);
  };
  switch (slot.layout) {
    case Layout::kSet:
      return normal({items, channels});
    case Layout::kNode:
      return normal({items, points, channels});
    case Layout::kMask:
      return torch::ones({items, points}, torch::kBool);
    case Layout::kUntouched:
      return {};
    case Layout::kPair:
      break;
  }
  const Tensor pair = normal({items, points, points, channels}).abs();
  return torch::maximum(pair, pair.transpose(1, 2));  // symmetric weights of a graph
}

bool has_kind(const Typing& typing, FieldType::Kind kind) {
  return std::any_of(typing.in.begin(), typing.in.end(),
                     [&](const Slot& slot) { return slot.field.has(kind); });
}

}  // namespace

Inputs random_inputs(const Subject& subject, int64_t items, int64_t points, uint64_t seed) {
  auto generator = make_generator(seed);
  const Typing& typing = subject.typing();
  if (typing.nodes > 0) points = typing.nodes;
  Inputs inputs;
  inputs.reserve(typing.in.size());
  for (const Slot& slot : typing.in)
    inputs.push_back(random_tensor(slot, items, points, generator));
  return inputs;
}

Inputs probe_inputs(const Subject& subject, const MeasureOptions& options) {
  const std::vector<Tensor>& example = subject.example();
  int64_t items = options.items, points = options.points;
  for (const Tensor& x : example) {
    if (x.defined()) items = std::min(items, x.size(0));
  }
  if (!example.empty() && nodes_of(subject.typing(), example) > 1)
    points = nodes_of(subject.typing(), example);
  Inputs inputs = random_inputs(subject, items, points, options.seed);
  for (size_t i = 0; i < example.size(); ++i) {
    if (!example[i].defined()) continue;
    inputs[i] = example[i].narrow(0, 0, items);
    if (inputs[i].is_floating_point())
      inputs[i] = inputs[i].to(torch::kFloat32).to(torch::kFloat64);
  }
  return inputs;
}

int64_t items_of(const Inputs& inputs) {
  for (const Tensor& x : inputs) {
    if (x.defined()) return x.size(0);
  }
  return 0;
}

int64_t nodes_of(const Typing& typing, const Inputs& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Layout layout = typing.in[i].layout;
    if (inputs[i].defined() && (layout == Layout::kNode || layout == Layout::kPair))
      return inputs[i].size(1);
  }
  return 1;
}

std::string why_not_measured(const Typing& typing, Part part, const Inputs& inputs) {
  using Kind = FieldType::Kind;
  if (part == Part::kPermutation) {
    if (nodes_of(typing, inputs) < 2) return "the inputs have no nodes to relabel";
    for (const Slot& slot : typing.in) {
      if (slot.given.defined())
        return "'" + slot.name + "' is passed as it is and may number the nodes";
    }
    return {};
  }
  if (!typing.is_euclidean()) return "S_n relabels only";
  if (part == Part::kTranslation)
    return has_kind(typing, Kind::kPoint) ? "" : "no input is a point, shifts move nothing";
  if (part == Part::kRotation && typing.dim() < 2) return "one dimension has no rotations";
  for (const Kind kind : {Kind::kPoint, Kind::kVector, Kind::kPseudovector, Kind::kTensor}) {
    if (has_kind(typing, kind)) return {};
  }
  const bool flips = part == Part::kReflection && has_kind(typing, Kind::kPseudoscalar);
  return flips ? "" : "all inputs are scalars";
}

Motion random_motion(const Typing& typing, Part part, int64_t count, int64_t nodes,
                     at::Generator& generator) {
  const int64_t dim = typing.dim();
  const auto options = torch::TensorOptions(torch::kFloat64);
  Motion g;
  switch (part) {
    case Part::kTranslation:
      g.shift = torch::randn({count, dim}, generator, options);
      break;
    case Part::kRotation:
      g.linear = haar_orthogonal(dim, EuclideanGroup::Linear::kRotations, count, generator);
      break;
    case Part::kReflection:
      if (dim % 2 == 1) {
        g.linear = -torch::eye(dim, options).expand({count, dim, dim}).contiguous();
      } else {
        Tensor normal = torch::randn({count, dim, 1}, generator, options);
        normal = normal / normal.norm(2, {1}, /*keepdim=*/true);
        g.linear = torch::eye(dim, options) - 2 * normal.matmul(normal.transpose(1, 2));
      }
      break;
    case Part::kPermutation:
      g.permutation = SymmetricGroup(nodes).sample(count, generator);
      break;
  }
  return g;
}

std::vector<Tensor> evaluate(const Subject& subject, const Inputs& inputs, at::ScalarType type,
                             int64_t batch) {
  std::vector<std::vector<Tensor>> parts;
  const int64_t items = items_of(inputs);
  for (int64_t first = 0; first < items; first += batch) {
    Inputs chunk = inputs;
    for (Tensor& x : chunk) {
      if (!x.defined()) continue;
      x = x.narrow(0, first, std::min(batch, items - first));
      if (x.is_floating_point()) x = x.to(type);
    }
    std::vector<Tensor> results = subject.run(chunk);
    parts.resize(results.size());
    for (size_t i = 0; i < results.size(); ++i) parts[i].push_back(results[i].to(torch::kFloat64));
  }
  std::vector<Tensor> joined;
  joined.reserve(parts.size());
  for (const auto& rows : parts) joined.push_back(torch::cat(rows));
  return joined;
}

Inputs repeat(const Inputs& inputs, int64_t times) {
  Inputs result = inputs;
  for (Tensor& x : result) {
    if (!x.defined()) continue;
    std::vector<int64_t> repeats(static_cast<size_t>(x.dim()), 1);
    repeats[0] = times;
    x = x.repeat(repeats);
  }
  return result;
}

Inputs select(const Inputs& inputs, const Tensor& items) {
  Inputs result = inputs;
  for (Tensor& x : result) {
    if (x.defined()) x = x.index_select(0, items);
  }
  return result;
}

Tensor differences(const std::vector<Tensor>& a, const std::vector<Tensor>& b,
                   const std::vector<double>& scales) {
  Tensor worst;
  for (size_t i = 0; i < a.size(); ++i) {
    const Tensor apart = (a[i] - b[i]).abs().flatten(1);
    const Tensor largest = std::get<0>(apart.max(1)) / scales[i];  // NaN stays NaN in max
    worst = worst.defined() ? torch::maximum(worst, largest) : largest;
  }
  return torch::nan_to_num(worst, INFINITY, INFINITY, INFINITY);
}

std::vector<double> scales_of(const std::vector<Tensor>& results) {
  constexpr double kNothing = 1e-30;  // a model that answers zero is not divided by it
  std::vector<double> scales;
  scales.reserve(results.size());
  for (const Tensor& y : results) {
    const double largest = torch::nan_to_num(y, 0, 0, 0).abs().max().item<double>();
    scales.push_back(largest > kNothing ? largest : 1.0);
  }
  return scales;
}

}  // namespace equiframe::audit
