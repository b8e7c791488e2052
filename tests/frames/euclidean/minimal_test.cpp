#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/laws/laws.h"
#include "equiframe/laws/zoo.h"

namespace equiframe {
namespace {

FrameSet<EuclideanGroup> minimal(const EuclideanGroup& group, const Batch& x,
                                 const std::string& in = "point",
                                 const std::string& call = "minimal") {
  return (*make_frame(call, group, group.type(in)))(x);
}

TEST(MinimalFrame, IsOneElementForGenericClouds) {
  for (const int64_t d : {1, 2, 3, 4, 6}) {
    auto generator = make_generator(1);
    const Tensor x = torch::randn({5, 9, d}, generator, torch::kFloat64);
    for (const EuclideanGroup& group :
         {EuclideanGroup::E(d), EuclideanGroup::SE(d), EuclideanGroup::O(d), EuclideanGroup::SO(d)})
      EXPECT_EQ(minimal(group, x).size(), 1) << group.name();
  }
}

TEST(MinimalFrame, HasTheSizeOfTheSymmetryGroup) {
  for (const int64_t d : {2, 3, 4}) {
    for (const auto& [name, points] : laws::symmetric_clouds(d)) {
      const auto order = static_cast<int64_t>(laws::symmetry_order(name, d));
      EXPECT_EQ(minimal(EuclideanGroup::E(d), points.unsqueeze(0)).size(), order)
          << name << " in " << d << " dimensions";
      EXPECT_EQ(minimal(EuclideanGroup::SE(d), points.unsqueeze(0)).size(), order / 2)
          << name << " in " << d << " dimensions";
      const Tensor single = points.unsqueeze(0).to(torch::kFloat32);
      EXPECT_EQ(minimal(EuclideanGroup::E(d), single).size(), order) << name << " in float32";
    }
  }
}

TEST(MinimalFrame, AttributesBreakSymmetry) {
  const Tensor cube = laws::symmetric_clouds(3)[1].points;  // 8 corners
  Tensor charge = torch::zeros({8, 1}, torch::kFloat64);
  charge[0] = 1.0;
  const Tensor x = torch::cat({cube, charge}, 1).unsqueeze(0);
  EXPECT_EQ(minimal(EuclideanGroup::E(3), x, "point + scalar").size(), 6);  // about one diagonal
  EXPECT_EQ(minimal(EuclideanGroup::SE(3), x, "point + scalar").size(), 3);
}

TEST(MinimalFrame, UsesVectorsWherePointsDoNotSpan) {
  auto generator = make_generator(2);
  const Tensor two = torch::randn({1, 2, 6}, generator, torch::kFloat64);  // n < d
  EXPECT_EQ(minimal(EuclideanGroup::E(3), two, "point + vector").size(), 1);
  EXPECT_THROW(minimal(EuclideanGroup::E(3), two.narrow(2, 0, 3)), UserError);
}

TEST(MinimalFrame, ReflectionsFixPlanarClouds) {
  auto generator = make_generator(3);
  Tensor x = torch::randn({1, 6, 3}, generator, torch::kFloat64);
  x.select(2, 1).zero_();
  EXPECT_EQ(minimal(EuclideanGroup::E(3), x).size(), 2);
  EXPECT_EQ(minimal(EuclideanGroup::SE(3), x).size(), 1);
  EXPECT_EQ(minimal(EuclideanGroup::E(3), x).stratum[0].item<int64_t>(),
            static_cast<int64_t>(Stratum::kPlanar));
}

TEST(MinimalFrame, SaysWhereNoFiniteFrameExists) {
  for (const auto& [name, points] : laws::infinite_clouds(3)) {
    try {
      minimal(EuclideanGroup::E(3), points.unsqueeze(0));
      FAIL() << name;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("no finite frame of E(3) exists for item 0"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(MinimalFrame, CoincidentAndCollinearPointsCountOnce) {
  auto generator = make_generator(4);
  const Tensor x = torch::randn({1, 5, 3}, generator, torch::kFloat64);
  const Tensor doubled = torch::cat({x, x}, 1);
  EXPECT_EQ(minimal(EuclideanGroup::E(3), doubled).size(), 1);
  const Tensor square = laws::symmetric_clouds(2)[0].points.unsqueeze(0);
  EXPECT_EQ(minimal(EuclideanGroup::E(2), torch::cat({square, square}, 1)).size(), 8);
}

TEST(MinimalFrame, MaskedPointsDoNotCount) {
  const Tensor cube = laws::symmetric_clouds(3)[1].points.unsqueeze(0);
  Batch padded(torch::cat({cube, torch::full({1, 2, 3}, 9.0, torch::kFloat64)}, 1));
  padded.mask = torch::arange(10).unsqueeze(0) < 8;
  EXPECT_EQ(minimal(EuclideanGroup::E(3), padded).size(), 48);
}

TEST(MinimalFrame, ACapOnTiesIsRefusedWithTheWayOut) {
  const Tensor cube = laws::symmetric_clouds(3)[1].points.unsqueeze(0);
  EXPECT_THROW(minimal(EuclideanGroup::E(3), cube, "point", "minimal(max_elements=10)"), UserError);
}

/// Accidental near-ties: the margin says how far the nearest decision is from flipping.
TEST(MinimalFrame, MarginShrinksTowardsATie) {
  const auto margin_at = [](double gap) {  // between the two longest points
    const Tensor x =
        torch::tensor({1.0, 0.0, 0.0, 1.0 - gap, 0.3, 0.2, -0.1, -0.5}, torch::kFloat64);
    return minimal(EuclideanGroup::O(2), x.view({1, 4, 2})).margin[0].item<double>();
  };
  EXPECT_NEAR(margin_at(1e-6), 1e-6, 1e-8);
  EXPECT_GT(margin_at(1e-1), 1e-2);
}

TEST(MinimalFrame, MixedSizesInABatchAreWeightedEach) {
  auto generator = make_generator(5);
  const Tensor cube = laws::symmetric_clouds(3)[1].points;
  const Tensor x = torch::stack({cube, torch::randn({8, 3}, generator, torch::kFloat64)});
  const auto frame = minimal(EuclideanGroup::E(3), x);
  EXPECT_EQ((frame.weights[1] > 0).sum().item<int64_t>(), 1);
  EXPECT_LT(laws::weight_error(frame), 1e-14);
}

}  // namespace
}  // namespace equiframe
