#include "geometry/search/k_nearest.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "geometry/search/neighbors.h"
#include "tests/geometry/clouds.h"

namespace equiframe {
namespace {

/// The list of point i among the features of one item, [N, C].
template <class T>
std::vector<int64_t> expected_list(const Tensor& features, const Tensor& present, int64_t i,
                                   int64_t k) {
  const auto x = features.accessor<T, 2>();
  const auto here = present.accessor<bool, 1>();
  std::vector<std::pair<T, int64_t>> all;
  for (int64_t j = 0; j < features.size(0); ++j) {
    if (!here[j]) continue;
    T sum = 0;
    for (int64_t c = 0; c < features.size(1); ++c) {
      const T difference = x[j][c] - x[i][c];
      const T square = difference * difference;
      sum = sum + square;
    }
    all.emplace_back(i == j ? -1 : sum, j);
  }
  std::sort(all.begin(), all.end());
  std::vector<int64_t> list;
  for (int64_t c = 0; c < k; ++c) list.push_back(all[static_cast<size_t>(c) % all.size()].second);
  return list;
}

template <class T>
void expect_nearest(const Tensor& features, const Tensor& mask, int64_t k) {
  const Tensor found = k_nearest(features, k, mask);
  ASSERT_EQ(found.sizes(), (std::vector<int64_t>{features.size(0), features.size(1), k}));
  for (int64_t b = 0; b < features.size(0); ++b) {
    const Tensor present = mask.defined() ? mask[b] : at::ones({features.size(1)}, at::kBool);
    for (int64_t i = 0; i < features.size(1); ++i) {
      const Tensor list = found[b][i];
      const std::vector<int64_t> row(list.data_ptr<int64_t>(), list.data_ptr<int64_t>() + k);
      if (present[i].item<bool>()) {
        EXPECT_EQ(row, expected_list<T>(features[b], present, i, k)) << "point " << i;
      } else {
        EXPECT_EQ(row, std::vector<int64_t>(static_cast<size_t>(k), i));
      }
    }
  }
}

Tensor random_features(std::vector<int64_t> shape, at::ScalarType type) {
  at::manual_seed(3);
  return at::randn(shape, type);
}

TEST(KNearest, SortsByDistanceInAnyDimension) {
  for (const int64_t width : {1, 3, 5, 64}) {
    expect_nearest<float>(random_features({2, 61, width}, at::kFloat), {}, 12);
    expect_nearest<double>(random_features({2, 61, width}, at::kDouble), {}, 12);
  }
  expect_nearest<float>(random_features({1, 150, 3}, at::kFloat), {}, 100);
}

TEST(KNearest, BreaksTiesByIndexBehindThePointItself) {
  const Tensor grid = clouds::shuffled(clouds::grid(5), 1).unsqueeze(0);
  expect_nearest<double>(grid, {}, 30);
  expect_nearest<float>(grid.to(at::kFloat), {}, 30);
  expect_nearest<float>(at::zeros({2, 20, 4}, at::kFloat), {}, 7);
}

TEST(KNearest, LeavesMaskedPointsOut) {
  const Tensor features = random_features({3, 33, 4}, at::kFloat);
  Tensor mask = at::ones({3, 33}, at::kBool);
  mask[0].slice(0, 20) = false;
  mask[1].slice(0, 0, 30) = false;
  features[1][0] = std::nan("");
  expect_nearest<float>(features, mask, 5);
}

TEST(KNearest, RepeatsTheListWhereThereAreTooFewPoints) {
  expect_nearest<float>(random_features({2, 3, 2}, at::kFloat), {}, 8);
  expect_nearest<double>(random_features({1, 1, 2}, at::kDouble), {}, 4);
}

TEST(KNearest, PutsDistancesThatAreNotFiniteLast) {
  Tensor features = random_features({1, 10, 3}, at::kFloat);
  features[0][4][1] = std::nan("");
  features[0][7][0] = std::numeric_limits<float>::infinity();
  const Tensor last = std::get<0>(k_nearest(features, 10)[0][0].slice(0, 8).sort());
  EXPECT_TRUE(at::equal(last, at::tensor({4, 7}, at::kLong)));
}

TEST(KNearest, AgreesWithTheTree) {
  const Tensor points = clouds::torus(800, 2).points;
  EXPECT_TRUE(
      at::equal(k_nearest(points.unsqueeze(0), 20)[0], NeighborSearch(points).nearest(20).indices));
}

TEST(KNearest, DependsNeitherOnThreadsNorOnTheRestOfTheBatch) {
  const Tensor features = random_features({4, 700, 6}, at::kFloat);
  Tensor one, two;
  {
    const clouds::Threads threads(1);
    one = k_nearest(features, 9);
  }
  {
    const clouds::Threads threads(2);
    two = k_nearest(features, 9);
  }
  EXPECT_TRUE(at::equal(one, two));
  EXPECT_TRUE(at::equal(one.slice(0, 2, 3), k_nearest(features.slice(0, 2, 3), 9)));
}

}  // namespace
}  // namespace equiframe
