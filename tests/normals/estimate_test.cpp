#include "equiframe/normals/estimate.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/models/model_file.h"
#include "geometry/search/neighbors.h"
#include "normals/classical/classical_normals.h"
#include "normals/estimate_by.h"
#include "normals/learned/network_files.h"
#include "runtime/shipped_files.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace equiframe {
namespace {

using test_support::message_of;

PointCloud sphere_cloud(int64_t count, double centre = 0) {
  auto generator = make_generator(5);
  const Tensor x = torch::randn({count, 3}, generator, torch::kFloat64);
  PointCloud cloud;
  cloud.points = x / x.norm(2, 1, true) + centre;
  return cloud;
}

/// Cosine of the largest angle between normals and the rays from `centre`.
double worst_cosine(const PointCloud& cloud, const Tensor& normals, double centre = 0) {
  return ((cloud.points - centre) * normals.to(torch::kFloat64)).sum(1).min().item<double>();
}

TEST(Estimate, PointsOutOfASphereByEveryMethod) {
  const PointCloud cloud = sphere_cloud(1500, 7);
  for (const std::string method : {"fa", "pca", "jet"}) {
    const EstimatedNormals found =
        normals::estimate(cloud, {.method = method, .orient = "outward"});
    EXPECT_GT(worst_cosine(cloud, found.normals, 7), std::cos(10 * M_PI / 180)) << method;
    EXPECT_EQ(found.confidence.sizes(), torch::IntArrayRef({1500}));
    EXPECT_EQ(found.degenerate.sum().item<int64_t>(), 0);
    EXPECT_EQ(found.k_chosen, method != "fa");
    EXPECT_EQ(found.parts, 1);
    EXPECT_EQ(found.tiles, 1);
  }
}

TEST(Estimate, IsTheMethodItNames) {
  const PointCloud cloud = sphere_cloud(400);
  const NeighborSearch search(cloud.points);
  const auto fit = estimate_normals(search, {NormalFit::kJet, 20, torch::kFloat32});
  const EstimatedNormals jet = normals::estimate(cloud.points, {.method = "jet", .k = 20});
  EXPECT_TRUE(torch::equal(jet.normals, fit.normals));
  EXPECT_EQ(jet.k, 20);
  const NormalEstimator networks = load_normal_networks({});
  const LearnedNormals learned = networks.estimate(search);
  const EstimatedNormals loaded = normals::estimate_by(networks, cloud);
  EXPECT_TRUE(torch::equal(loaded.normals, learned.normals));
  EXPECT_TRUE(torch::equal(loaded.confidence, learned.confidence()));
  EXPECT_TRUE(torch::equal(normals::estimate(cloud).normals, learned.normals));
}

TEST(Estimate, TakesOtherWeights) {
  const PointCloud cloud = sphere_cloud(300);
  const NormalEstimator alone = load_normal_networks({.votes = "none", .choice = "none"});
  const EstimatedNormals found =
      normals::estimate(cloud, {.networks = {.votes = "none", .choice = "none"}});
  EXPECT_TRUE(torch::equal(found.normals, alone.estimate(NeighborSearch(cloud.points)).normals));
  EXPECT_FALSE(torch::equal(found.normals, normals::estimate(cloud).normals));
}

TEST(Estimate, KeepsTheNetworksUntilAFileChanges) {
  const test_support::TemporaryFolder folder;
  const auto shipped = runtime::find_shipped("models/normals-fa-patch.safetensors");
  const std::filesystem::path own = folder / "patches.safetensors";
  std::filesystem::copy_file(shipped.value(), own);
  const auto first = kept_normal_networks({.patches = own});
  EXPECT_EQ(kept_normal_networks({.patches = own}), first);
  std::filesystem::last_write_time(own,
                                   std::filesystem::last_write_time(own) + std::chrono::seconds(2));
  EXPECT_NE(kept_normal_networks({.patches = own}), first);
  EXPECT_NE(kept_normal_networks({}), first);
}

TEST(Estimate, IsTheSameInTilesAndForColumnsThatFillTheMemory) {
  PointCloud cloud = sphere_cloud(200'000);
  const EstimatedNormals whole = normals::estimate(cloud, {.method = "pca", .k = 10});
  const EstimateOptions small{.method = "pca", .k = 10, .max_memory = 20'000'000};
  const EstimatedNormals tiled = normals::estimate(cloud, small);
  EXPECT_GT(tiled.tiles, 1);
  EXPECT_LT((whole.normals - tiled.normals).abs().max().item<float>(), 1e-6f);
  cloud.columns.push_back({"red", torch::zeros({200'000}, torch::kFloat64)});
  EXPECT_NE(message_of<UserError>([&] { normals::estimate(cloud, small); }).find("raise it"),
            std::string::npos);
}

TEST(Estimate, LooksTowardsAPlaceWholeAndInTiles) {
  const PointCloud cloud = sphere_cloud(200'000);
  for (const int64_t bytes : {int64_t{0}, int64_t{20'000'000}}) {
    const EstimatedNormals found = normals::estimate(cloud, {.method = "pca",
                                                             .k = 12,
                                                             .orient = "viewpoint",
                                                             .viewpoint = {{0, 0, 0}},
                                                             .max_memory = bytes});
    EXPECT_EQ(found.tiles > 1, bytes > 0);
    EXPECT_LT((cloud.points * found.normals.to(torch::kFloat64)).sum(1).max().item<double>(), 0);
  }
}

TEST(Estimate, TellsHowFarItIs) {
  std::vector<double> shares;
  normals::estimate(sphere_cloud(500),
                    {.progress = [&](double share) { shares.push_back(share); }});
  ASSERT_FALSE(shares.empty());
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
}

TEST(Estimate, RefusesWhatDoesNotGoTogether) {
  const PointCloud cloud = sphere_cloud(30);
  const std::pair<EstimateOptions, std::string> cases[] = {
      {{.method = "plane"}, "known: fa, pca, jet"},
      {{.k = 9}, "-k belongs to --method pca and jet"},
      {{.method = "pca", .k = 2}, "from 3 to 512"},
      {{.method = "pca", .networks = {.patches = "x"}}, "belong to --method fa"},
      {{.networks = {.patches = "none.safetensors"}}, "none.safetensors"},
      {{.orient = "up"}, "known: none, viewpoint, mst, outward"},
      {{.orient = "viewpoint"}, "--viewpoint X Y Z"},
      {{.viewpoint = {{1, 2, 3}}}, "belongs to --orient viewpoint"},
      {{.method = "pca", .max_memory = 1000}, "raise it"}};
  for (const auto& [options, words] : cases) {
    const auto& wrong = options;
    const std::string said = message_of<UserError>([&] { normals::estimate(cloud, wrong); });
    EXPECT_NE(said.find(words), std::string::npos) << said;
  }
  EXPECT_NE(message_of<UserError>([&] { normals::estimate(sphere_cloud(2)); }).find("3 or more"),
            std::string::npos);
}

}  // namespace
}  // namespace equiframe
