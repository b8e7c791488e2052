#include "demo_measure.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <torch/types.h>

#include "equiframe/averaging/average.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/laws/laws.h"
#include "equiframe/laws/zoo.h"

namespace equiframe::app {
namespace {

using laws::RandomMlp;

/// A symmetry in words, and the input to try it on.
struct Trial {
  const char* group;
  const char* in;
  const char* out;
  const char* frame;
  const char* input;
};

constexpr Trial kTrials[] = {{"T(3)", "point", "point", "mean", "random cloud"},
                             {"O(3)", "point", "vector", "pca", "random cloud"},
                             {"SO(3)", "point", "vector", "pca", "random cloud"},
                             {"E(3)", "point", "vector", "pca", "random cloud"},
                             {"SE(3)", "point", "vector", "pca", "random cloud"},
                             {"E(2)", "point", "vector", "pca", "random cloud"},
                             {"O(3)", "point", "vector", "minimal", "cube"},
                             {"SO(3)", "point", "vector", "minimal", "cube"},
                             {"E(3)", "point", "vector", "minimal", "cube"},
                             {"SE(3)", "point", "vector", "minimal", "cube"},
                             {"E(2)", "point", "vector", "minimal", "square"},
                             {"D(6)", "vector", "vector", "whole", "random vectors"},
                             {"flips(3)", "vector", "vector", "whole", "random vectors"},
                             {"S(8)", "node", "node", "canonical", "random graph"},
                             {"S(8)", "node", "node", "canonical", "cube graph"}};

/// Draws of g for each error; it is the largest over them.
constexpr int64_t kDraws = 16;

int64_t dimension(const EuclideanGroup& group) {
  return group.dim();
}
int64_t dimension(const PlanarGroup&) {
  return 2;
}
int64_t dimension(const SignFlips& group) {
  return static_cast<int64_t>(std::lround(std::log2(group.order())));
}

/// A point set by name, [1, n, d]. Symmetric ones are centred, so that groups that fix the origin
/// see their symmetry too.
Batch cloud(const std::string& name, int64_t dim, at::Generator& generator) {
  if (name.starts_with("random"))
    return laws::generic_clouds(dim, generator).front().points.unsqueeze(0);
  const auto known = laws::symmetric_clouds(dim);
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const auto& cloud) { return cloud.name == name; });
  TORCH_CHECK(found != known.end(), "no symmetric cloud named ", name);
  return (found->points - found->points.mean(0, /*keepdim=*/true)).unsqueeze(0);
}

Batch graph(const std::string& name, int64_t nodes, at::Generator& generator) {
  constexpr double kDensity = 0.4;
  if (name == "random graph") {
    const Tensor upper =
        (torch::rand({nodes, nodes}, generator, torch::kFloat64) < kDensity).triu(1);
    const Tensor adjacency = upper.logical_or(upper.t()).to(torch::kFloat64);
    return laws::as_batch({name, adjacency, 0});
  }
  const auto known = laws::graphs(generator);
  const auto found = std::find_if(known.begin(), known.end(),
                                  [](const auto& graph) { return graph.name == "cube"; });
  return laws::as_batch(*found);
}

/// `f`, computing in `type`, as a map of float64: the group always acts in float64.
template <class Map>
auto in_type(torch::ScalarType type, const Map& f) {
  return [type, &f](const Batch& batch) {
    Batch cast = batch.with_x(batch.x.to(type));
    if (batch.pair.defined()) cast.pair = batch.pair.to(type);
    return Tensor(f(cast)).to(torch::kFloat64);
  };
}

template <Group G>
DemoRow measure(const G& group, const Trial& trial, const Batch& item, int64_t out_channels,
                at::Generator& generator) {
  const Symmetry<G> symmetry{group, group.type(trial.in), group.type(trial.out)};
  const auto frame = make_frame(trial.frame, group, symmetry.in);
  const int64_t edges = item.pair.defined() ? item.pair.numel() : 0;
  const RandomMlp network(item.x.numel() + edges, {item.nodes(), out_channels}, generator);
  const auto averaged = [&](const Batch& batch) {
    return equivariant_average(symmetry, (*frame)(batch), network, batch);
  };
  const Batch x = item.map([](const Tensor& part) { return part.repeat_interleave(kDraws, 0); });
  const uint64_t draws = generator.current_seed() + 1;
  const auto error = [&](const auto& f) {
    auto same_draws = make_generator(draws);
    return laws::equivariance_error(symmetry, f, x, same_draws);
  };
  const bool by_moving = std::string(trial.frame) == "canonical";
  const auto tolerance = by_moving ? laws::kExactTolerance : laws::kAverageTolerance;
  DemoRow row{trial.group, trial.input, symmetry.in.str() + " → " + symmetry.out.str(),
              trial.frame};
  row.elements = std::round(std::exp((*frame)(item).log_sizes()[0].template item<double>()));
  row.before = error(network);
  row.after_float64 = error(in_type(torch::kFloat64, averaged));
  row.after_float32 = error(in_type(torch::kFloat32, averaged));
  row.tolerance_float64 = tolerance.float64;
  row.tolerance_float32 = tolerance.float32;
  return row;
}

}  // namespace

std::vector<DemoRow> measure_groups(uint64_t seed) {
  const torch::NoGradGuard no_gradients;
  constexpr int64_t kNodeOutputs = 3;
  std::vector<DemoRow> rows;
  for (const Trial& trial : kTrials) {
    auto generator = make_generator(seed);
    rows.push_back(std::visit(
        [&]<Group G>(const G& group) {
          if constexpr (std::is_same_v<G, SymmetricGroup>) {
            const Batch item = graph(trial.input, group.size(), generator);
            return measure(group, trial, item, kNodeOutputs, generator);
          } else {
            const Batch item = cloud(trial.input, dimension(group), generator);
            return measure(group, trial, item, dimension(group), generator);
          }
        },
        parse_group(trial.group)));
  }
  return rows;
}

SamplingCurve measure_sampling(uint64_t seed) {
  const torch::NoGradGuard no_gradients;
  constexpr int64_t kMaxDraws = 4096, kCopies = 4;
  auto generator = make_generator(seed);
  const EuclideanGroup group = EuclideanGroup::SO(3);
  const Symmetry<EuclideanGroup> symmetry{group, group.type("point"), group.type("vector")};
  const Batch item = cloud("random cloud", 3, generator);
  const RandomMlp network(item.x.numel(), {item.nodes(), 3}, generator);
  const Tensor x = item.x.repeat_interleave(kCopies, 0);
  const auto error = [&](const std::string& call) {
    const auto frame = make_frame(call, group, symmetry.in);
    const auto model = [&](const Batch& batch) {
      return equivariant_average(symmetry, (*frame)(batch), network, batch);
    };
    auto same_draws = make_generator(seed + 1);
    return laws::equivariance_error(symmetry, model, x, same_draws);
  };
  SamplingCurve curve;
  for (int64_t k = 1; k <= kMaxDraws; k *= 4)
    curve.random.push_back({static_cast<double>(k), error(c10::str("whole(samples=", k, ")"))});
  curve.frame = {static_cast<double>((*make_frame("pca", group, symmetry.in))(item).size()),
                 error("pca")};
  return curve;
}

double Fan::spread() const {
  const Tensor apart = answers.unsqueeze(0) - answers.unsqueeze(1);  // [R, R, N, 2]
  return apart.norm(2, -1).max().item<double>();
}

namespace {

/// Seven places without symmetry, far enough apart for the arrows at them, [1, 7, 2].
Tensor picture_cloud() {
  const Tensor places =
      torch::tensor({-2.9, 0.4, -1.5, 2.1, -0.9, -1.9, 0.3, 0.3, 1.6, -1.6, 1.9, 1.6, 3.3, -0.1},
                    torch::kFloat64)
          .view({1, 7, 2});
  return places - places.mean(1, /*keepdim=*/true);
}

}  // namespace

DemoPicture measure_picture(uint64_t seed) {
  const torch::NoGradGuard no_gradients;
  constexpr int64_t kTurns = 12;
  auto generator = make_generator(seed);
  const EuclideanGroup group = EuclideanGroup::E(2);
  const Symmetry<EuclideanGroup> symmetry{group, group.type("point"), group.type("vector")};
  const Tensor x = picture_cloud();
  const RandomMlp network(x.numel(), {x.size(1), 2}, generator);
  const auto frame = make_frame("minimal", group, symmetry.in);
  const auto averaged = [&](const Batch& batch) {
    return equivariant_average(symmetry, (*frame)(batch), network, batch);
  };
  const EuclideanGroup::Element turns{PlanarGroup::C(kTurns).matrix(torch::arange(kTurns)),
                                      torch::zeros({kTurns, 2}, torch::kFloat64)};
  const Batch turned = group.act(symmetry.in, turns, Batch(x.expand({kTurns, -1, -1})));
  const auto fan = [&](const auto& f) {
    return Fan{x[0], group.act_inverse(symmetry.out, turns, f(turned))};
  };
  return {fan(network), fan(averaged)};
}

}  // namespace equiframe::app
