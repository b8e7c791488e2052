// Every instruction set finds the same neighbours, to the last bit.
#include <vector>

#include <gtest/gtest.h>

#include "geometry/kernels/nearest.h"
#include "geometry/search/kd_tree.h"
#include "tests/geometry/clouds.h"

namespace equiframe {
namespace {

using kernels::SimdLevel;

struct Found {
  std::vector<int32_t> places;
  std::vector<double> squared;
  bool operator==(const Found&) const = default;
};

/// All points of a tree, leaf by leaf.
Found search(SimdLevel level, const KdTreeArrays& tree, int64_t count,
             const kernels::NearestWanted& wanted) {
  Found found{std::vector<int32_t>(static_cast<size_t>(count * wanted.k)),
              std::vector<double>(static_cast<size_t>(count * wanted.k))};
  kernels::NearestScratch scratch;
  for (int64_t first = 0; first < count; first += kernels::kLeafPoints) {
    double points[3 * kernels::kLeafPoints];
    const int64_t size = std::min<int64_t>(kernels::kLeafPoints, count - first);
    for (int64_t i = 0; i < size; ++i)
      for (int64_t axis = 0; axis < 3; ++axis)
        points[3 * i + axis] =
            tree.points[static_cast<size_t>(3 * first + axis * kernels::kLeafPoints + i)];
    kernels::Table<kernels::NearestKernels>::at(level).nearest(
        tree.view(), {points, size, static_cast<int32_t>(first)}, wanted,
        {found.places.data() + first * wanted.k, found.squared.data() + first * wanted.k}, scratch);
  }
  return found;
}

TEST(NearestLevels, AgreeToTheLastBitOnTrees) {
  for (const clouds::Cloud& cloud : clouds::awkward()) {
    const KdTreeArrays tree = build_kd_tree(cloud.points.data_ptr<double>(), cloud.points.size(0));
    for (const int64_t k : {1, 10, 100}) {
      const kernels::NearestWanted wanted{k, kernels::NearestOrder::kByDistance};
      const int64_t count = cloud.points.size(0);
      EXPECT_EQ(search(kernels::simd_level(), tree, count, wanted),
                search(SimdLevel::kBaseline, tree, count, wanted))
          << cloud.name << ", k = " << k;
    }
  }
}

TEST(NearestLevels, AgreeOnFeatures) {
  at::manual_seed(1);
  const at::Tensor features = at::randn({90, 7}, at::kFloat);
  const kernels::PointRows<float> rows{features.data_ptr<float>(), nullptr, 90, 7};
  std::vector<int64_t> own(90 * 20), baseline(90 * 20);
  using Rows = kernels::Table<kernels::NearestRowsKernels>;
  Rows::chosen().f32.nearest_rows(rows, 0, 90, 20, own.data());
  Rows::at(SimdLevel::kBaseline).f32.nearest_rows(rows, 0, 90, 20, baseline.data());
  EXPECT_EQ(own, baseline);
}

}  // namespace
}  // namespace equiframe
