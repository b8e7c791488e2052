#include "experiments/separation/graph_info.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "datasets/graphs/graph_sets.h"

namespace equiframe::experiments {
namespace {

TEST(GraphInfo, OfAStar) {
  const SimpleGraph star{8, {{0, 7}, {1, 7}, {2, 7}, {3, 7}, {4, 7}, {5, 7}, {6, 7}}, {}, 0};
  const GraphInfo info = graph_info({star})[0];
  EXPECT_EQ(info.nodes, 8);
  EXPECT_EQ(info.edges, 7);
  EXPECT_EQ(info.components, 1);
  EXPECT_NEAR(std::exp(info.log_automorphisms), 5040, 1e-6);
  ASSERT_EQ(info.spectrum.size(), 3U);  // 0, 1 six times, 8
  EXPECT_EQ(info.spectrum[0].value, 0);
  EXPECT_EQ(info.spectrum[1].multiplicity, 6);
  EXPECT_NEAR(info.spectrum[2].value, 8, 1e-12);
  EXPECT_NEAR(std::exp(info.log_group_cosets()), 8, 1e-9);
  for (const FrameSize& frame : info.frames)
    EXPECT_NEAR(info.log_frame_cosets(frame), 0, 1e-9) << frame.frame;
}

/// The counts of the paper's figure 2 for all graphs of GRAPH8c.
TEST(GraphInfo, CosetsOfGraph8c) {
  std::map<int64_t, int64_t> frame_cosets, group_cosets;
  int64_t single = 0;
  for (const GraphInfo& info : graph_info(connected_graphs(8))) {
    ++frame_cosets[std::llround(std::exp(info.log_frame_cosets(info.frames[0])))];
    ++group_cosets[std::llround(std::exp(info.log_group_cosets()))];
    single += info.frames[0].log_size < 0.5 ? 1 : 0;
    for (size_t k = 1; k < info.frames.size(); ++k)
      EXPECT_LE(info.frames[k].log_size, info.frames[0].log_size + 1e-9);
  }
  EXPECT_EQ(single, 3070);
  const std::map<int64_t, int64_t> known{{1, 7062}, {2, 2266}, {3, 286},  {4, 734},
                                         {6, 266},  {8, 192},  {12, 132}, {24, 76}};
  for (const auto& [cosets, count] : known) EXPECT_EQ(frame_cosets[cosets], count) << cosets;
  EXPECT_EQ(frame_cosets.rbegin()->first, 2520);
  EXPECT_EQ(frame_cosets.rbegin()->second, 4);
  EXPECT_EQ(group_cosets[40320], 3552);
  EXPECT_EQ(group_cosets[20160], 4098);
  EXPECT_EQ(group_cosets[10080], 1971);
  EXPECT_EQ(group_cosets[1], 1);
}

TEST(GraphInfo, LargeGraphsAreSparedTheSpectrum) {
  SimpleGraph cycle{5000, {}, {}, 0};
  for (int32_t u = 0; u < 5000; ++u) cycle.edges.push_back({u, (u + 1) % 5000});
  tidy(cycle);
  const GraphInfo info = graph_info({cycle})[0];
  EXPECT_TRUE(info.spectrum.empty());
  ASSERT_EQ(info.frames.size(), 1U);
  EXPECT_NEAR(std::exp(info.log_automorphisms), 10000, 1e-6);
}

}  // namespace
}  // namespace equiframe::experiments
