/// The data set `votes`: parts of clouds with the normals of a network.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "datasets/patches/vote_set.h"
#include "tests/datasets/loading.h"
#include "tests/datasets/patches/sphere_set.h"

namespace equiframe {
namespace {

using datasets_test::equal;
using datasets_test::items;
using datasets_test::load;
using datasets_test::refusal;
using datasets_test::sphere_set;
using datasets_test::TemporaryFolder;
using datasets_test::untrained_network;

constexpr int64_t kVoteShapes = 3, kVoteStored = 900;
constexpr VoteSetOptions kVoteSmall{.clouds = 6, .points = 500, .seed = 4};

class VotesDataset : public testing::Test {
 protected:
  VotesDataset()
      : set_(make_votes(sphere_set(kVoteShapes, kVoteStored), untrained_network(), kVoteSmall)) {
    write_votes(folder_.path(), set_);
  }
  Splits splits(const std::string& options = "") const {
    return load("votes(valid=1, test=1" + options + ")", folder_.path());
  }

  TemporaryFolder folder_;
  VoteSet set_;
};

TEST_F(VotesDataset, PartsAreBallsAboutTheirFirstPointWithBothNormals) {
  EXPECT_EQ(set_.points.sizes(), (at::IntArrayRef{6, 500, 3}));
  const Tensor distance = set_.points.square().sum(2);
  EXPECT_EQ(distance.select(1, 0).abs().max().item<float>(), 0);
  EXPECT_GE(distance.diff(1, 1).min().item<float>(), -1e-6);
  for (const Tensor& n : {set_.normals, set_.found})
    EXPECT_LT((n.square().sum(2) - 1).abs().max().item<float>(), 1e-4);
  const Tensor cosine = (set_.normals * set_.found).sum(2).abs();
  EXPECT_GT(cosine.mean().item<float>(), 0.8) << "the network sees planes even untrained";
}

TEST_F(VotesDataset, IsTheSameFromItsSeedAndFromItsFiles) {
  const VoteSet again =
      make_votes(sphere_set(kVoteShapes, kVoteStored), untrained_network(), kVoteSmall);
  EXPECT_TRUE(at::equal(set_.points, again.points));
  EXPECT_TRUE(at::equal(set_.found, again.found));
  const VoteSet read = read_votes(folder_.path());
  EXPECT_TRUE(at::equal(set_.point_stats, read.point_stats));
  EXPECT_TRUE(at::equal(set_.clouds, read.clouds));
  EXPECT_EQ(read.description, set_.description);
}

TEST_F(VotesDataset, RowsAreVotersInUnitsOfThePatch) {
  const Splits data = splits(", queries=10");
  EXPECT_EQ(data.train->size(), 4);
  const Example drawn = data.train->draw(items({2, 0}), Rng{1, 7});
  ASSERT_EQ(drawn.input.x.sizes(), (at::IntArrayRef{20, kVoters, kVoteChannels}));
  EXPECT_TRUE(at::equal(drawn.input.id, items({2, 0}).repeat_interleave(10)));
  const Tensor near = drawn.input.x.narrow(2, 0, 3).narrow(1, 0, 16).square().sum(2).mean(1);
  EXPECT_LT((near - 1).abs().max().item<float>(), 1e-5);
  EXPECT_TRUE(equal(drawn, data.train->draw(items({2, 0}), Rng{1, 7})));
  EXPECT_FALSE(equal(drawn, data.train->draw(items({2, 0}), Rng{1, 8})));
  EXPECT_TRUE(equal(data.valid->get(items({0})), data.valid->get(items({0}))));
}

/// The votes of a point are the same in the whole cloud: no neighbour was cut off.
TEST_F(VotesDataset, PointsToVoteOnHaveAllTheirNeighbours) {
  const Example drawn = splits(", queries=1000").train->get(items({1}));
  const Tensor part = set_.points[1].to(at::kDouble);
  const double radius = part.square().sum(1).max().sqrt().item<double>();
  const NeighborSearch search(part);
  const Tensor reach = search.nearest(kVoters).squared.select(1, kVoters - 1).sqrt();
  const Tensor inside = (part.square().sum(1).sqrt() + reach <= radius).sum();
  EXPECT_EQ(drawn.input.size(), inside.item<int64_t>());
  EXPECT_GT(drawn.input.size(), 20);
}

TEST_F(VotesDataset, NamesWhatItCannotUse) {
  EXPECT_NE(refusal("votes", "").find("equiframe data votes"), std::string::npos);
  EXPECT_NE(refusal("votes(valid=3, test=3)", folder_.path()).find("6 clouds"), std::string::npos);
  std::filesystem::resize_file(folder_.path() / "told.npy", 200);
  EXPECT_NE(refusal("votes", folder_.path()).find("told.npy"), std::string::npos);
  EXPECT_THROW(make_votes(sphere_set(kVoteShapes, kVoteStored), untrained_network(),
                          {.clouds = 2, .points = 800}),
               UserError);
}

}  // namespace
}  // namespace equiframe
