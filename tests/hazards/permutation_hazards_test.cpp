/// The hazards of permutation frames (S1-S13 of the specification), one test each. S11 and S12
/// (pair matrices, caches) belong to the experiments and are tested there.
#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/equiframe.h"
#include "equiframe/laws/laws.h"
#include "equiframe/laws/zoo.h"
#include "frames/permutation/labelling/automorphisms.h"

namespace equiframe {
namespace {

laws::NamedGraph graph_named(const std::string& name) {
  auto generator = make_generator(34);
  for (const auto& graph : laws::graphs(generator)) {
    if (graph.name == name) return graph;
  }
  ADD_FAILURE() << "no graph " << name;
  return {};
}

FrameSet<SymmetricGroup> frame_of(const std::string& call, const Batch& x, const Rng& rng = {}) {
  const SymmetricGroup group(x.nodes());
  return (*make_frame(call, group, group.type("node")))(x, rng);
}

/// The largest error of the framed set over 20 relabellings.
double relabelling_error(const std::string& call, const Batch& x) {
  auto generator = make_generator(1);
  const SymmetricGroup group(x.nodes());
  const auto frame = make_frame(call, group, group.type("node"));
  double worst = 0;
  for (int round = 0; round < 20; ++round)
    worst =
        std::max(worst, laws::framed_set_error(group, *frame, group.type("node"), x, generator));
  return worst;
}

TEST(Hazards, S01_EigenvaluesAreClusteredNotCompared) {
  const Batch x = laws::as_batch(graph_named("two triangles"));  // zero twice, three four times
  EXPECT_EQ(relabelling_error("laplacian", x), 0.0);
  EXPECT_GT(relabelling_error("laplacian(tolerance=0)", x), 0.0)
      << "exact equality should split eigenspaces";
}

TEST(Hazards, S02_EntriesAreClusteredNotRounded) {
  // Long paths have many distinct entries, some near any rounding boundary.
  const int64_t n = 15;
  Batch x(torch::ones({1, n, 1}, torch::kFloat64));
  const Tensor path = torch::diag(torch::ones({n - 1}, torch::kFloat64), 1);
  x.pair = (path + path.t()).unsqueeze(0).unsqueeze(-1);
  EXPECT_DOUBLE_EQ(frame_of("laplacian", x).log_sizes()[0].item<double>(), 7 * std::log(2.0));
  EXPECT_EQ(relabelling_error("laplacian", x), 0.0);
}

TEST(Hazards, S03_RefinementShrinksTheFrame) {
  Batch x = laws::as_batch(graph_named("cycle"));
  x.x[0][0][0] = 2.0;  // one marked node
  const auto size = [&](const char* call) {
    return frame_of(call, x).log_sizes()[0].item<double>();
  };
  EXPECT_GT(size("laplacian"), size("laplacian(refine=features)"));
  EXPECT_GT(size("laplacian(refine=features)"), size("laplacian(refine=features+wl)"));
  EXPECT_NEAR(size("canonical"), std::log(2.0), 1e-12);
}

TEST(Hazards, S04_WeightsLoopsAndIsolatedNodes) {
  Batch x = laws::as_batch(graph_named("random"));
  const Tensor plain = x.pair.clone();
  x.pair = plain * 0.37;
  EXPECT_EQ(relabelling_error("laplacian", x), 0.0);
  x.pair = plain.clone();
  const auto without = frame_of("laplacian", x);
  for (const int64_t i : {0, 2, 3, 7}) x.pair[0][i][i] = 1.0 + static_cast<double>(i);
  const auto with = frame_of("laplacian", x);  // self loops do not enter L
  EXPECT_TRUE(with.elements.equal(without.elements));
  EXPECT_TRUE(with.margin.equal(without.margin));
  Batch lonely(torch::ones({1, 4, 1}, torch::kFloat64));
  lonely.pair = torch::zeros({1, 4, 4, 1}, torch::kFloat64);
  lonely.pair[0][0][1] = lonely.pair[0][1][0] = 1.0;
  EXPECT_EQ(relabelling_error("laplacian", lonely), 0.0);
  EXPECT_NEAR(frame_of("canonical", lonely).log_sizes()[0].item<double>(), std::log(4.0), 1e-12);
}

TEST(Hazards, S05_DirectedGraphsAreRefusedOrServed) {
  Batch x(torch::ones({1, 4, 1}, torch::kFloat64));
  x.pair = torch::diag(torch::ones({3}, torch::kFloat64), 1).unsqueeze(0).unsqueeze(-1);
  EXPECT_THROW(frame_of("laplacian", x), UserError);
  EXPECT_EQ(relabelling_error("canonical(cells=none)", x), 0.0);
}

TEST(Hazards, S06_HugeFramesAreCountedInLogarithms) {
  Batch x(torch::ones({1, 60, 1}, torch::kFloat64));
  x.pair = torch::zeros({1, 60, 60, 1}, torch::kFloat64);
  EXPECT_NEAR(frame_of("laplacian(max_elements=4)", x).log_sizes()[0].item<double>(),
              std::lgamma(61.0), 1e-9);
  EXPECT_NEAR(frame_of("canonical", x).log_sizes()[0].item<double>(), std::lgamma(61.0), 1e-6);
}

TEST(Hazards, S07_StabilisersOfKnownGraphs) {
  auto generator = make_generator(34);
  for (const auto& graph : laws::graphs(generator)) {
    if (graph.automorphisms == 0) continue;
    EXPECT_NEAR(std::exp(automorphisms(laws::as_batch(graph), 0).log_order), graph.automorphisms,
                1e-6)
        << graph.name;
  }
}

TEST(Hazards, S08_GraphsWithAndWithoutTiesShareABatch) {
  Batch x(torch::ones({2, 6, 1}, torch::kFloat64));
  x.pair = torch::zeros({2, 6, 6, 1}, torch::kFloat64);
  x.pair[0] = graph_named("cycle").adjacency.unsqueeze(-1);  // all tie: 720
  for (const auto& [i, j] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 4}, {1, 5}, {2, 5}})
    x.pair[1][i][j] = x.pair[1][j][i] = 1.0;
  const auto frame = frame_of("laplacian", x);
  EXPECT_EQ((frame.weights[0] > 0).sum().item<int64_t>(), 720);
  EXPECT_LT((frame.weights[1] > 0).sum().item<int64_t>(), 3);
  EXPECT_LT(laws::weight_error(frame), 1e-12);
}

TEST(Hazards, S09_DrawsAreAlwaysAveraged) {
  const Batch x = laws::as_batch(graph_named("petersen"));
  const SymmetricGroup group(10);
  const Symmetry<SymmetricGroup> type{group, group.type("node"), group.type("set")};
  const auto constant = [](const Batch& b) { return torch::ones({b.size(), 1}, torch::kFloat64); };
  for (const char* call : {"sampled(k=1)", "sampled(k=5)", "whole(samples=7)", "laplacian"})
    EXPECT_NEAR(equivariant_average(type, frame_of(call, x), constant, x).item<double>(), 1.0,
                1e-12)
        << call;
}

TEST(Hazards, S10_DrawsComeFromTheGivenRandomness) {
  const Batch x = laws::as_batch(graph_named("petersen"));
  const auto draw = [&](uint64_t seed, uint64_t stream) {
    return frame_of("sampled(k=3)", x, {seed, stream}).elements;
  };
  torch::manual_seed(1);
  const Tensor first = draw(5, 6);
  torch::manual_seed(2);
  EXPECT_TRUE(first.equal(draw(5, 6)));
  EXPECT_FALSE(first.equal(draw(5, 7)));
  EXPECT_FALSE(first.equal(draw(6, 6)));
}

TEST(Hazards, S13_TheGroupMustFitTheGraph) {
  const Batch x = laws::as_batch(graph_named("petersen"));
  const SymmetricGroup small(8);
  for (const char* call : {"laplacian", "canonical"})
    EXPECT_ANY_THROW((*make_frame(call, small, small.type("node")))(x)) << call;
}

}  // namespace
}  // namespace equiframe
