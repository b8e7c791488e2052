/// The model `normal-votes`, its kernel and what NormalEstimator does with it.
#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/models/model.h"
#include "geometry/search/neighbors.h"
#include "normals/learned/normal_estimator.h"
#include "normals/learned/vote_rows.h"
#include "tests/models/normal_lines.h"

namespace equiframe {
namespace {

using clouds::apart;

std::shared_ptr<Model> random_votes(uint64_t seed, const std::string& call = "normal-votes") {
  torch::manual_seed(seed);
  std::shared_ptr<Model> model = make_model(call);
  const torch::NoGradGuard no_grad;
  for (const Tensor& parameter : model->parameters())
    parameter.add_(torch::randn_like(parameter) * 0.2);
  for (const auto& item : model->named_parameters())  // so that planes count as much as lines
    if (item.key().find("pooled.layer2") != std::string::npos)
      item.value().select(0, -1).fill_(item.value().dim() == 1 ? 1.5 : 0);
  model->eval();
  return model;
}

/// A corner of two walls, with points and normals a little off.
struct Corner {
  Tensor points, normals;  // [N, 3] float64
  explicit Corner(int64_t count, double noise = 0.01) {
    auto generator = make_generator(7);
    points = torch::rand({count, 3}, generator, torch::kFloat64);
    normals = torch::zeros({count, 3}, torch::kFloat64);
    for (int64_t k = 0; k < count; ++k) {
      points[k][k % 2] = 0;
      normals[k][k % 2] = 1;
    }
    points = points + torch::randn({count, 3}, generator, torch::kFloat64) * noise;
  }

  FirstNormals opinions(double off) const {
    auto generator = make_generator(9);
    const Tensor found = normals + torch::randn(normals.sizes(), generator, torch::kFloat64) * off;
    const int64_t count = points.size(0);
    return {(found / found.norm(2, 1, true)).to(torch::kFloat32).contiguous(),
            torch::rand({count, kPointStats}, generator) * 0.1,
            torch::randn({kernels::kCloudFeatures}, generator)};
  }
};

/// The rows of all points, in order.
Tensor rows_of(const Tensor& points, const FirstNormals& first) {
  const Tensor rows = torch::empty({points.size(0), kVoters, kVoteChannels});
  NeighborSearch(points).for_each_block(kVoters, NeighborOrder::kByDistance,
                                        [&](const NeighborBlock& block) {
                                          const Tensor part = VoteArrays(block, first).rows();
                                          for (int64_t b = 0; b < block.count; ++b)
                                            rows[block.points[b]].copy_(part[b]);
                                        });
  return rows;
}

TEST(NormalVotes, TurnsAndReflectsWithTheCloudWhateverTheSignsOfNormals) {
  const Corner corner(200);
  const Tensor rows = rows_of(corner.points, corner.opinions(0.2)).to(torch::kFloat64);
  const auto model = random_votes(1);
  model->to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  const Tensor expected = model->forward(Batch(rows));
  auto generator = make_generator(3);
  const Tensor turn = haar_orthogonal(3, EuclideanGroup::Linear::kOrthogonal, 1, generator)[0];
  Tensor turned = rows.clone();
  for (int64_t c = 0; c < 9; c += 3)
    turned.narrow(2, c, 3).copy_(rows.narrow(2, c, 3).matmul(turn.t()));
  EXPECT_LT(apart(expected.matmul(turn.t()), model->forward(Batch(turned))), 1e-9);
  Tensor flipped = rows.clone();
  flipped.narrow(2, 3, 3).mul_(
      torch::rand({200, kVoters, 1}, generator, torch::kFloat64).sub(0.5).sign());
  flipped.narrow(2, 6, 3).neg_();
  EXPECT_LT(apart(expected, model->forward(Batch(flipped))), 1e-9);
  Tensor other = rows.clone();
  other.narrow(2, 3, 3).copy_(other.narrow(2, 3, 3).roll(1, 2));
  EXPECT_GT(apart(expected, model->forward(Batch(other))), 1e-2) << "normals count";
}

TEST(NormalVotes, ANewModelIsNearlyTheMeanOfTheVotes) {
  const Corner corner(400, 0);
  const FirstNormals first = corner.opinions(0.1);
  torch::manual_seed(1);
  const auto model = make_model("normal-votes");
  model->eval();
  const torch::NoGradGuard no_grad;
  const Tensor elected = model->forward(Batch(rows_of(corner.points, first)));
  const auto error = [&](const Tensor& n) {  // far from the edge, where all agree
    const Tensor far = (corner.points.narrow(1, 0, 2).amax(1) > 0.5);
    const Tensor cosine = (n.to(torch::kFloat64) * corner.normals).sum(1).abs();
    return cosine.clamp_max(1).acos().masked_select(far).mean().item<double>();
  };
  EXPECT_LT(error(elected), 0.4 * error(first.normals));
}

TEST(NormalVotes, KernelGivesWhatTheModelGives) {
  const Corner corner(300);
  const FirstNormals first = corner.opinions(0.2);
  const auto patches = make_model("fa-patch");
  for (const char* call : {"normal-votes", "normal-votes(width=13, rounds=3)"}) {
    const auto votes = random_votes(2, call);
    const NormalEstimator both(*patches, votes.get()), alone(*patches);
    const NeighborSearch search(corner.points);
    std::vector<int64_t> all(300);
    for (size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int64_t>(k);
    const FirstNormals opinions = alone.first(search, all);
    EXPECT_LT(apart(opinions.normals, alone.estimate(search).normals), 1e-6);
    const torch::NoGradGuard no_grad;
    const Tensor expected = votes->forward(Batch(rows_of(corner.points, opinions)));
    EXPECT_LT(apart(expected, both.estimate(search).normals), 2e-3) << call;
    EXPECT_GT(apart(expected, opinions.normals), 1e-2) << call;
  }
}

TEST(NormalVotes, FewPointsAndPointsInOnePlaceGiveUnitNormals) {
  const auto patches = make_model("fa-patch");
  const auto votes = random_votes(5);
  const NormalEstimator network(*patches, votes.get());
  const Corner corner(40);
  for (const Tensor& points :
       {corner.points, corner.points * 0 + 3, torch::cat({corner.points, corner.points})}) {
    const Tensor n = network.estimate(NeighborSearch(points)).normals;
    EXPECT_LT((n.norm(2, 1) - 1).abs().max().item<double>(), 1e-5);
  }
}

TEST(NormalVotes, ProgressEndsAtOne) {
  const auto patches = make_model("fa-patch");
  const auto votes = random_votes(5);
  double last = 0;
  NormalEstimator(*patches, votes.get())
      .estimate(NeighborSearch(Corner(700).points), [&](double share) {
        EXPECT_GE(share, last);
        last = share;
      });
  EXPECT_DOUBLE_EQ(last, 1);
}

TEST(NormalVotes, RefusesOtherModelsAndShapes) {
  const auto patches = make_model("fa-patch");
  EXPECT_THROW(NormalEstimator(*patches, patches.get()), UserError);
  EXPECT_THROW(make_model("normal-votes")->forward(Batch(torch::zeros({2, 5, 3}))), UserError);
  EXPECT_THROW(make_model("normal-votes(rounds=0)"), UserError);
}

}  // namespace
}  // namespace equiframe
