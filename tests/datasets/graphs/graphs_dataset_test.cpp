/// The data set `graphs`: files with labels, and pairs like those of EXP.
#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/datasets/dataset.h"
#include "io/graphs/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace equiframe {
namespace {

/// Paths of 2 to count + 1 nodes, labelled 7 and 3 in turn.
std::vector<SimpleGraph> paths(int64_t count) {
  std::vector<SimpleGraph> graphs;
  for (int64_t k = 0; k < count; ++k) {
    SimpleGraph graph;
    graph.nodes = k + 2;
    for (int32_t u = 0; u + 1 < graph.nodes; ++u) graph.edges.push_back({u, u + 1});
    graph.types.assign(static_cast<size_t>(graph.nodes), k % 3);
    graph.label = k % 2 == 0 ? 7 : 3;
    graphs.push_back(graph);
  }
  return graphs;
}

class GraphsDataset : public testing::Test {
 protected:
  Splits load(const std::string& settings, const std::vector<SimpleGraph>& graphs = paths(12)) {
    const auto file = folder_ / "graphs.txt";
    write_graph_text(file, graphs);
    DataRequest request;
    request.options = Options::parse_call("graphs(" + settings + ")").second;
    request.folder = file;
    return Datasets::instance().make("graphs")->load(request);
  }
  std::string refusal(const std::string& settings,
                      const std::vector<SimpleGraph>& graphs = paths(12)) {
    try {
      load(settings, graphs);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  test_support::TemporaryFolder folder_;
};

TEST_F(GraphsDataset, SplitsInTheOrderOfTheFile) {
  const Splits splits = load("");
  EXPECT_EQ(splits.valid->size(), 2);
  EXPECT_EQ(splits.test->size(), 2);
  EXPECT_EQ(splits.train->size(), 8);
  const Example first = splits.train->get(torch::tensor({0, 3}));
  EXPECT_TRUE(first.input.mask.sum(1).equal(torch::tensor({6, 9})));  // graphs 4 and 7
  EXPECT_EQ(first.input.nodes(), 9) << "as wide as the largest graph of the batch";
  EXPECT_EQ(splits.classes, (std::vector<int64_t>{3, 7}));
  EXPECT_TRUE(first.target.equal(torch::tensor({{1.0F}, {0.0F}})));  // label 7 is class 1
}

TEST_F(GraphsDataset, ShufflesByTheSeedOnly) {
  const auto sizes = [](const Splits& splits) {
    return splits.train->get(torch::arange(splits.train->size())).input.mask.sum(1);
  };
  const Tensor plain = sizes(load("")), one = sizes(load("shuffle=1"));
  EXPECT_FALSE(one.equal(plain));
  EXPECT_TRUE(one.equal(sizes(load("shuffle=1"))));
  EXPECT_FALSE(one.equal(sizes(load("shuffle=2"))));
  EXPECT_NE(load("").checksum, load("shuffle=1").checksum);
}

TEST_F(GraphsDataset, SaysWhatCannotBeLearnt) {
  EXPECT_NE(refusal("valid=11").find("12 graphs cannot be split"), std::string::npos);
  EXPECT_NE(refusal("valids=1").find("valids"), std::string::npos);
  auto same = paths(12);
  for (SimpleGraph& graph : same) graph.label = 4;
  EXPECT_NE(refusal("", same).find("all graphs of 'graphs.txt' have the label 4"),
            std::string::npos);
}

TEST_F(GraphsDataset, MakesPairsWhereThereIsNoFile) {
  DataRequest request;
  request.options = Options::parse_call("graphs(pairs=6)").second;
  const Splits splits = Datasets::instance().make("graphs")->load(request);
  EXPECT_EQ(splits.train->size() + splits.valid->size() + splits.test->size(), 12);
  EXPECT_TRUE(splits.valid->get(torch::arange(2)).target.equal(torch::tensor({{1.0F}, {0.0F}})));
}

}  // namespace
}  // namespace equiframe
