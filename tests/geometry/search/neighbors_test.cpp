#include "geometry/search/neighbors.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/geometry/clouds.h"

namespace equiframe {
namespace {

using clouds::Cloud;

enum class Queries { kThemselves, kOthers };

/// By comparing everything with everything.
Neighbors brute_force(const Tensor& queries, const Tensor& points, int64_t k, Queries kind) {
  const int64_t n = points.size(0), columns = std::min(k, n);
  Neighbors result{at::empty({queries.size(0), columns}, at::kLong),
                   at::empty({queries.size(0), columns}, at::kDouble)};
  const auto q = queries.accessor<double, 2>(), p = points.accessor<double, 2>();
  auto indices = result.indices.accessor<int64_t, 2>();
  auto squared = result.squared.accessor<double, 2>();
  std::vector<std::pair<double, int64_t>> all;
  for (int64_t i = 0; i < queries.size(0); ++i) {
    all.clear();
    for (int64_t j = 0; j < n; ++j) {
      const double x = p[j][0] - q[i][0], y = p[j][1] - q[i][1], z = p[j][2] - q[i][2];
      const bool self = kind == Queries::kThemselves && i == j;
      all.emplace_back(self ? -1 : (x * x + y * y) + z * z, j);
    }
    std::partial_sort(all.begin(), all.begin() + columns, all.end());
    for (int64_t c = 0; c < columns; ++c) {
      indices[i][c] = all[static_cast<size_t>(c)].second;
      squared[i][c] = std::max(0.0, all[static_cast<size_t>(c)].first);
    }
  }
  return result;
}

void expect_equal(const Neighbors& found, const Neighbors& expected) {
  EXPECT_TRUE(at::equal(found.indices, expected.indices));
  EXPECT_TRUE(at::equal(found.squared, expected.squared));
}

TEST(NeighborSearch, FindsWhatComparingEverythingFinds) {
  for (const Cloud& cloud : clouds::awkward()) {
    const NeighborSearch search(cloud.points);
    for (const int64_t k : {1, 2, 17, 80}) {
      SCOPED_TRACE(cloud.name + ", k = " + std::to_string(k));
      expect_equal(search.nearest(k),
                   brute_force(cloud.points, cloud.points, k, Queries::kThemselves));
    }
  }
}

TEST(NeighborSearch, AnswersQueriesThatAreNoPartOfTheCloud) {
  const Tensor random = clouds::uniform(60, 11);
  for (const Cloud& cloud : clouds::awkward()) {
    SCOPED_TRACE(cloud.name);
    // Points themselves, near, around, and far outside.
    const Tensor own = cloud.points.slice(0, 0, 40);
    const Tensor queries = at::cat({own, own + 1e-3, random, 1e5 * random});
    expect_equal(NeighborSearch(cloud.points).nearest(queries, 9),
                 brute_force(queries, cloud.points, 9, Queries::kOthers));
  }
}

TEST(NeighborSearch, WorksOnEveryNumberOfPoints) {
  for (int64_t n = 1; n <= 70; ++n) {
    const Tensor points = clouds::uniform(n, static_cast<uint64_t>(n));
    for (const int64_t k : {1, 3, 100}) {
      const Neighbors found = NeighborSearch(points).nearest(k);
      EXPECT_EQ(found.indices.size(1), std::min(k, n));
      expect_equal(found, brute_force(points, points, k, Queries::kThemselves));
    }
  }
}

TEST(NeighborSearch, DoesNotDependOnThreads) {
  const Tensor points = clouds::uniform(40'000, 12);
  Neighbors one, three;
  {
    const clouds::Threads threads(1);
    one = NeighborSearch(points).nearest(10);
  }
  {
    const clouds::Threads threads(3);
    three = NeighborSearch(points).nearest(10);
  }
  expect_equal(three, one);
}

TEST(NeighborSearch, VisitsEveryPointInOneBlock) {
  const Tensor points = clouds::uniform(5000, 13);
  const auto x = points.accessor<double, 2>();
  const NeighborSearch search(points);
  const Neighbors expected = search.nearest(12);
  const auto near = expected.indices.accessor<int64_t, 2>();
  for (const NeighborOrder order : {NeighborOrder::kByDistance, NeighborOrder::kAny}) {
    std::vector<int> visits(5000);
    std::mutex checking;
    search.for_each_block(12, order, [&](const NeighborBlock& block) {
      const std::lock_guard lock(checking);
      for (int64_t i = 0; i < block.count; ++i) {
        const int64_t point = block.points[i];
        ++visits[static_cast<size_t>(point)];
        std::vector<int64_t> found(block.neighbors + 12 * i, block.neighbors + 12 * (i + 1));
        EXPECT_EQ(found[0], point);
        for (int64_t j = 0; j < 12; ++j)
          for (int64_t axis = 0; axis < 3; ++axis)
            EXPECT_EQ(block.offsets[3 * (12 * i + j) + axis],
                      x[found[static_cast<size_t>(j)]][axis] - x[point][axis]);
        std::vector<int64_t> wanted(near[point].data(), near[point].data() + 12);
        if (order == NeighborOrder::kAny) {
          std::sort(found.begin(), found.end());
          std::sort(wanted.begin(), wanted.end());
        }
        EXPECT_EQ(found, wanted);
      }
    });
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), 5000);
  }
}

TEST(NeighborSearch, ManyCoincidentPointsTakeNoQuadraticTime) {
  // Depth cameras write (0, 0, 0) where they saw nothing.
  const Tensor points = at::cat({at::zeros({100'000, 3}, at::kDouble), clouds::uniform(1000, 14)});
  const Neighbors found = NeighborSearch(points).nearest(4);
  EXPECT_TRUE(at::equal(found.indices[70'000], at::tensor({70'000, 0, 1, 2}, at::kLong)));
  EXPECT_TRUE(at::equal(found.indices[1], at::tensor({1, 0, 2, 3}, at::kLong)));
}

TEST(NeighborSearch, TakesFloat32) {
  const Tensor points = clouds::uniform(300, 15).to(at::kFloat);
  const Tensor exact = points.to(at::kDouble);
  expect_equal(NeighborSearch(points).nearest(5),
               brute_force(exact, exact, 5, Queries::kThemselves));
}

std::string refusal(const Tensor& points) {
  try {
    NeighborSearch search(points);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(NeighborSearch, RefusesNumbersThatAreNoPlace) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e200}) {
    Tensor points = clouds::uniform(20, 16);
    points[7][1] = bad;
    EXPECT_NE(refusal(points).find("row 7 of the cloud"), std::string::npos) << refusal(points);
    EXPECT_THROW(NeighborSearch(clouds::uniform(20, 17)).nearest(points, 3), UserError);
  }
  EXPECT_NE(refusal(at::empty({0, 3}, at::kDouble)).find("no points"), std::string::npos);
  EXPECT_THROW(NeighborSearch(at::zeros({4, 2}, at::kDouble)), c10::Error);
  EXPECT_THROW(NeighborSearch(clouds::uniform(5, 18)).nearest(0), c10::Error);
}

}  // namespace
}  // namespace equiframe
