#include "geometry/search/tiled_neighbors.h"

#include <mutex>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "equiframe/core/rng.h"
#include "normals/classical/classical_normals.h"

namespace equiframe {
namespace {

/// Neighbours of all points as a visitor gets them.
Neighbors collected(const NeighborBlocks& blocks, int64_t k) {
  Neighbors result{at::full({blocks.size(), k}, -1, at::kLong),
                   at::full({blocks.size(), k}, -1, at::kDouble)};
  std::mutex mutex;
  blocks.for_each_block(k, NeighborOrder::kByDistance, [&](const NeighborBlock& block) {
    const std::lock_guard lock(mutex);
    for (int64_t b = 0; b < block.count; ++b)
      for (int64_t j = 0; j < k; ++j) {
        result.indices[block.points[b]][j] = block.neighbors[b * k + j];
        result.squared[block.points[b]][j] = block.squared[b * k + j];
      }
  });
  return result;
}

Tensor random_cloud(int64_t count, uint64_t seed) {
  auto generator = make_generator(seed);
  return at::randn({count, 3}, generator, at::kDouble) * at::tensor({3.0, 1.0, 0.2}, at::kDouble);
}

TEST(TiledNeighbors, AreThoseOfOneSearch) {
  const Tensor points = random_cloud(600, 1);
  const TiledNeighbors tiled(points, 50);
  EXPECT_EQ(tiled.tiles(), 12);
  const Neighbors expected = NeighborSearch(points).nearest(9), found = collected(tiled, 9);
  EXPECT_TRUE(at::equal(found.indices, expected.indices));
  EXPECT_TRUE(at::equal(found.squared, expected.squared));
}

TEST(TiledNeighbors, OfOutliersAreFoundFarAway) {
  Tensor points = random_cloud(300, 2);
  points[7] = at::tensor({100.0, 0.0, 0.0}, at::kDouble);
  points[8] = at::tensor({-400.0, 3.0, 0.0}, at::kDouble);
  const Neighbors expected = NeighborSearch(points).nearest(5);
  EXPECT_TRUE(at::equal(collected(TiledNeighbors(points, 20), 5).indices, expected.indices));
}

TEST(TiledNeighbors, OfCoincidentPointsAndOfMoreThanThereAre) {
  const Tensor points = at::ones({40, 3}, at::kDouble);
  EXPECT_TRUE(
      at::equal(collected(TiledNeighbors(points, 10), 6).squared, at::zeros({40, 6}, at::kDouble)));
  const Tensor few = random_cloud(5, 3);
  EXPECT_TRUE(at::equal(collected(TiledNeighbors(few, 2), 5).indices,
                        NeighborSearch(few).nearest(5).indices));
}

TEST(TiledNeighbors, OfAGridBreakTiesTheSameWay) {
  const Tensor line = at::arange(6, at::kDouble);
  const auto grid = at::meshgrid({line, line, line}, "ij");
  const Tensor points = at::stack({grid[0].flatten(), grid[1].flatten(), grid[2].flatten()}, 1)
                            .index_select(0, at::randperm(216, make_generator(5), at::kLong));
  const Neighbors expected = NeighborSearch(points).nearest(5);
  EXPECT_TRUE(at::equal(collected(TiledNeighbors(points, 30), 5).indices, expected.indices));
}

TEST(TiledNeighbors, GiveTheSameNormals) {
  const Tensor points = random_cloud(500, 4);
  const NormalOptions options{NormalFit::kPca, 12, at::kDouble};
  const PointNormals expected = estimate_normals(NeighborSearch(points), options);
  const PointNormals found = estimate_normals(TiledNeighbors(points, 60), options);
  EXPECT_LT((found.normals - expected.normals).abs().max().item<double>(), 1e-12);
}

}  // namespace
}  // namespace equiframe
