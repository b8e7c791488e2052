// Networks on graphs: size, symmetry, padding, and what they can tell apart.
#include <map>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "datasets/graphs/graph_sets.h"
#include "equiframe/core/error.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"
#include "io/graphs/graph6.h"
#include "io/graphs/graph_batch.h"
#include "models/graphs/graph_model.h"
#include "tests/models/registered.h"

namespace equiframe {
namespace {

std::unique_ptr<Model> graph_model(const std::string& call,
                                   c10::ScalarType type = torch::kFloat64) {
  torch::manual_seed(1);
  auto model = make_model(call);
  model->to(type);
  model->eval();
  return model;
}

Batch as(c10::ScalarType type, Batch batch) {
  batch.x = batch.x.to(type);
  if (batch.pair.defined()) batch.pair = batch.pair.to(type);
  return batch;
}

const std::vector<SimpleGraph>& some_graphs() {
  static const std::vector<SimpleGraph> graphs = [] {
    std::vector<SimpleGraph> some = exp_like_pairs({.pairs = 3});
    for (const char* line : {"G???F{", "GCQbfW", "G~~~~{", "D?{", "A_"})
      some.push_back(parse_graph6(line));
    return some;
  }();
  return graphs;
}

/// The same network for graphs of up to 90 nodes.
std::string sized(const std::string& name, const std::string& task) {
  const bool fixed = name == "gin-id" || name == "graph-mlp";
  return name + "(task=" + task + (fixed ? ", nodes=90)" : ")");
}

/// Relative to values above one: the matrices of PPGN grow.
double difference(const Tensor& a, const Tensor& b) {
  return ((a - b) / b.abs().clamp_min(1)).abs().max().item<double>();
}

class GraphModels : public testing::TestWithParam<std::string> {};

TEST_P(GraphModels, DoNotSeeTheOrderOfNodes) {
  const torch::NoGradGuard guard;
  for (const char* task : {"embed", "classify"}) {
    const auto model = graph_model(sized(GetParam(), task));
    std::vector<SimpleGraph> moved;
    for (const SimpleGraph& graph : some_graphs()) {
      const Tensor order = torch::randperm(graph.nodes, torch::kLong);
      moved.push_back(
          relabel(graph, {order.data_ptr<int64_t>(), order.data_ptr<int64_t>() + graph.nodes}));
    }
    const Tensor y = model->forward(as(torch::kFloat64, graph_batch(some_graphs())));
    EXPECT_LT(difference(model->forward(as(torch::kFloat64, graph_batch(moved))), y), 1e-12);
    EXPECT_EQ(y.size(1), std::string(task) == "embed" ? 10 : 1);
  }
}

TEST_P(GraphModels, DoNotSeePadding) {
  const torch::NoGradGuard guard;
  for (const char* task : {"embed", "classify"}) {
    const auto model = graph_model(sized(GetParam(), task));
    const Tensor all = model->forward(as(torch::kFloat64, graph_batch(some_graphs(), 90)));
    for (size_t k = 0; k < some_graphs().size(); ++k) {
      const Tensor alone = model->forward(as(torch::kFloat64, graph_batch({some_graphs()[k]})));
      EXPECT_LT(difference(alone[0], all[static_cast<int64_t>(k)]), 1e-12) << k;
    }
  }
}

TEST_P(GraphModels, GiveGradientsToEveryParameterInUse) {
  const auto model = graph_model(sized(GetParam(), "embed"));
  model->forward(as(torch::kFloat64, graph_batch(some_graphs()))).square().sum().backward();
  for (const auto& parameter : model->named_parameters()) {
    if (parameter.key().find("unused") != std::string::npos) continue;
    ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
    EXPECT_GT(parameter.value().grad().abs().sum().item<double>(), 0) << parameter.key();
  }
}

TEST_P(GraphModels, ArePreparedOnceOrEachTime) {
  const torch::NoGradGuard guard;
  const auto model = graph_model(sized(GetParam(), "embed"));
  const Batch batch = as(torch::kFloat64, graph_batch(some_graphs()));
  const auto& graph_model = dynamic_cast<const GraphModel&>(*model);
  EXPECT_EQ(difference(model->forward(graph_model.prepare(batch)), model->forward(batch)), 0);
}

TEST_P(GraphModels, RefuseOtherInputs) {
  const auto model = graph_model(GetParam());
  EXPECT_THROW(model->forward(torch::zeros({1, 5, 7}, torch::kFloat64)), UserError);
  EXPECT_THROW(make_model(GetParam() + "(task=sing)"), UserError);
}

INSTANTIATE_TEST_SUITE_P(Registered, GraphModels,
                         testing::ValuesIn(registered_models(Input::kGraphs)), model_test_name);

TEST(GraphModelSizes, TheLargePerceptronHas25Million) {
  const std::string call = "graph-mlp(nodes=64, features=true, widths=2048-4096-2048";
  EXPECT_EQ(parameter_count(*make_model(call + ")")), 25456650);
  EXPECT_EQ(parameter_count(*make_model(call + ", task=classify)")), 25456661);
}

TEST(GraphModelSizes, AreThePublishedOnes) {
  const std::map<std::string, int64_t> known{{"gcn", 9162},
                                             {"gcn(task=classify)", 9173},
                                             {"gin", 9165},
                                             {"gin(task=classify)", 9176},
                                             {"gat", 35466},
                                             {"gat(task=classify)", 35477},
                                             {"chebnet", 25642},
                                             {"chebnet(task=classify)", 31861},
                                             {"ppgn", 11722},
                                             {"ppgn(width=20, bias=false)", 4990},
                                             {"ppgn(width=20, bias=false, task=classify)", 5001},
                                             {"gnnml1", 34698},
                                             {"gnnml1(task=classify)", 34709},
                                             {"gnnml3", 23714},
                                             {"gnnml3(task=classify)", 23725},
                                             {"gin-id", 9677},
                                             {"gin-id(nodes=64)", 13261},
                                             {"gin-id(nodes=64, task=classify)", 13272},
                                             {"graph-mlp", 17226}};
  for (const auto& [call, count] : known)
    EXPECT_EQ(parameter_count(*make_model(call)), count) << call;
}

/// A pair of EXP is equal for 1-WL, so for message passing; the others see the spectrum or more.
TEST(GraphModelPower, IsWhatIsKnown) {
  const torch::NoGradGuard guard;
  const auto pairs = exp_like_pairs({.pairs = 3, .seed = 2});
  for (const char* blind : {"gcn", "gin", "gat", "gnnml1"}) {
    const Tensor y = graph_model(blind)->forward(as(torch::kFloat64, graph_batch(pairs)));
    for (int64_t k = 0; k < y.size(0); k += 2) EXPECT_LT(difference(y[k], y[k + 1]), 1e-9) << blind;
  }
  for (const char* seeing : {"ppgn(width=20, bias=false)", "gnnml3"}) {
    const Tensor y = graph_model(seeing)->forward(as(torch::kFloat64, graph_batch(pairs)));
    for (int64_t k = 0; k < y.size(0); k += 2)
      EXPECT_GT(difference(y[k], y[k + 1]), 1e-9) << seeing;
  }
}

/// Lists of neighbours give what the matrix gives, forwards and backwards.
TEST(LargeGraphs, AreGivenAsListsOfNeighbours) {
  std::vector<SimpleGraph> small = exp_like_pairs({.pairs = 2});
  const Batch dense = as(torch::kFloat64, graph_batch(small));
  Batch sparse = as(torch::kFloat64, graph_batch(small, 1100));
  ASSERT_FALSE(sparse.pair.defined());
  EXPECT_TRUE(sparse.neighbors.ge(0).sum({1, 2}).equal(dense.pair.sum({1, 2, 3}).to(torch::kLong)));
  for (const char* name : {"gcn", "gin", "gin(task=classify)"}) {
    const auto model = graph_model(name);
    const auto gradients = [&](const Batch& batch) {
      model->zero_grad();
      const Tensor y = model->forward(batch);
      y.square().sum().backward();
      std::vector<Tensor> parts{y.detach().flatten()};
      for (const Tensor& p : model->parameters()) parts.push_back(p.grad().flatten().clone());
      return torch::cat(parts);
    };
    EXPECT_LT(difference(gradients(sparse), gradients(dense)), 1e-11) << name;
  }
  EXPECT_THROW(graph_model("gat")->forward(sparse), UserError);
}

/// A cycle of 5,000 nodes: nothing of order n^2 is graph_model, and relabelling does not show.
TEST(LargeGraphs, RunAndAreInvariant) {
  SimpleGraph cycle;
  cycle.nodes = 5000;
  for (int32_t u = 0; u < 5000; ++u) cycle.edges.push_back({u, (u + 1) % 5000});
  for (int32_t u = 0; u < 50; ++u) cycle.edges.push_back({u, u * u + 100});
  tidy(cycle);
  const torch::NoGradGuard guard;
  const Tensor order = torch::randperm(cycle.nodes, torch::kLong);
  const SimpleGraph moved =
      relabel(cycle, {order.data_ptr<int64_t>(), order.data_ptr<int64_t>() + cycle.nodes});
  for (const char* name : {"gcn", "gin"}) {
    const auto model = graph_model(name);
    const Tensor y = model->forward(as(torch::kFloat64, graph_batch({cycle})));
    EXPECT_LT(difference(model->forward(as(torch::kFloat64, graph_batch({moved}))), y), 1e-9);
  }
}

/// What canonical keeps, group averaging by draws does not: a relabelled copy is seen as another.
TEST(AveragedGraphModels, AreInvariantByTheirFrameAlone) {
  const torch::NoGradGuard guard;
  const SimpleGraph graph = parse_graph6("GCQbfW");
  const SimpleGraph moved = relabel(graph, {3, 1, 4, 0, 5, 2, 7, 6});
  const auto error = [&](const std::string& call) {
    const auto model = graph_model(call);
    return difference(model->forward(as(torch::kFloat64, graph_batch({moved}))),
                      model->forward(as(torch::kFloat64, graph_batch({graph}))));
  };
  for (const std::string name : {"gin-id", "graph-mlp"}) {
    EXPECT_EQ(error(name), 0) << name;
    EXPECT_LT(error(name + "(frame=laplacian)"), 1e-12) << name;
    EXPECT_GT(error(name + "(frame=whole(samples=2))"), 1e-4) << name;
    EXPECT_GT(error(name + "(frame=identity)"), 1e-4) << name;
    EXPECT_EQ(make_model(name)->signature().group, "S(n)");
    EXPECT_EQ(make_model(name + "(frame=identity)")->signature().group, "none");
  }
}

/// Eq. 2 and 7: the mean of what the network answers for each element, however many there are and
/// whether they are all of the frame or draws from it.
TEST(AveragedGraphModels, AverageTheirOutputs) {
  const torch::NoGradGuard guard;
  const SimpleGraph path{8, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}, {}, 0};
  const Batch x = as(torch::kFloat64, graph_batch({path, parse_graph6("GCQbfW")}));
  const SymmetricGroup group(8);
  const auto node = PermutationType::Kind::kNode;
  for (const std::string frame :
       {"laplacian", "laplacian(max_elements=1, draws=4)", "whole(samples=3)"}) {
    const FrameSet<SymmetricGroup> set = (*make_frame(frame, group, node))(x);
    for (const std::string name : {"gin-id", "graph-mlp"}) {
      for (const std::string task : {"embed", "classify"}) {
        const auto plain = graph_model(name + "(frame=identity, task=" + task + ")");
        Tensor mean;
        for (int64_t k = 0; k < set.size(); ++k) {
          const Tensor y = plain->forward(group.act_inverse(node, set.elements.select(1, k), x)) *
                           set.weights.select(1, k).unsqueeze(1);
          mean = mean.defined() ? mean + y : y;
        }
        const auto error = [&](const std::string& more) {
          const auto model = graph_model(name + "(frame=" + frame + ", task=" + task + more + ")");
          return difference(model->forward(x), mean);
        };
        EXPECT_LT(error(""), 1e-12) << name << " " << frame << " " << task;
        EXPECT_LT(error(", average=outputs"), 1e-12) << name << " " << frame << " " << task;
        if (task == "embed") {  // tanh; a ReLU can be linear where it is used
          EXPECT_GT(error(", average=features"), 1e-9) << name << " " << frame;
        }
      }
    }
  }
}

/// A promise is what the frame returned: K_8 has 40,320 orders that tie, GCQbfW a few.
TEST(AveragedGraphModels, PromiseWhatTheirFrameReturned) {
  const Batch x = graph_batch({parse_graph6("G~~~~{"), parse_graph6("GCQbfW")});
  const auto promised = [&](const std::string& call) {
    const auto model = graph_model(call, torch::kFloat32);
    return std::pair{model->signature().group,
                     dynamic_cast<const GraphModel&>(*model).invariant_items(x)};
  };
  for (const std::string name : {"gin-id", "graph-mlp"}) {
    const auto [group, items] = promised(name + "(frame=laplacian)");
    EXPECT_EQ(group, "none");
    EXPECT_TRUE(items.equal(torch::tensor({false, true})));
    EXPECT_TRUE(promised(name).second.all().item<bool>());
    EXPECT_FALSE(promised(name + "(frame=identity)").second.any().item<bool>());
    EXPECT_FALSE(promised(name + "(frame=whole(samples=2))").second.any().item<bool>());
  }
  EXPECT_TRUE(promised("gin").second.all().item<bool>());
}

TEST(AveragedGraphModels, RefuseGraphsThatAreTooLarge) {
  const auto model = graph_model("graph-mlp");
  EXPECT_THROW(model->forward(as(torch::kFloat64, graph_batch(some_graphs()))), UserError);
  EXPECT_THROW(make_model("graph-mlp(widths=wide)"), UserError);
}

/// Entries and sums of the supports of two graphs of GRAPH8c, computed elsewhere.
TEST(GnnMl3, HasThePublishedSupports) {
  const auto model = graph_model("gnnml3");
  const auto& spectral = dynamic_cast<const GraphModel&>(*model);
  const Tensor star =
      spectral.prepare(as(torch::kFloat64, graph_batch({parse_graph6("G???F{")}))).pair[0];
  const double self[] = {0.187454, 0.564001, 0.876476, 0.564000, 0.187454, 1};
  const double hub[] = {0.188919, 0.112524, 0, -0.112524, -0.188919, 0};
  const Tensor other =
      spectral.prepare(as(torch::kFloat64, graph_batch({parse_graph6("GCQbfW")}))).pair[0];
  const double traces[] = {2.410171, 3.820866, 4.606355, 4.797146, 3.857040};
  const double sums[] = {6.969862, 8.208778, 5.497413, 0.930965, -1.497079};
  for (int64_t s = 0; s < 6; ++s) {
    EXPECT_NEAR(star[0][0][1 + s].item<double>(), self[s], 2e-6) << s;
    EXPECT_NEAR(star[0][7][1 + s].item<double>(), hub[s], 2e-6) << s;
    if (s == 5) continue;
    EXPECT_NEAR(other.select(-1, 1 + s).trace().item<double>(), traces[s], 2e-6) << s;
    EXPECT_NEAR(other.select(-1, 1 + s).sum().item<double>(), sums[s], 2e-6) << s;
  }
}

}  // namespace
}  // namespace equiframe
