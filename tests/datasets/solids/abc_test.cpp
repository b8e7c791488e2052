/// The data set `abc`: what a draw is. Files and errors are in abc_files_test.cpp.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/datasets/solids/abc_folder.h"

namespace equiframe {
namespace {

using datasets_test::AbcFolder;
using datasets_test::equal;
using datasets_test::items;
using datasets_test::linear_map;
using datasets_test::most;
using datasets_test::rotation_error;
using datasets_test::spread;
using datasets_test::turned_by;

/// The scale s and the shift c of the normalisation, from n.(s p + c) = h, where h is the height of
/// the face with the normal n: points are back on the mesh if this holds for all of them.
struct Undone {
  Tensor points;  // [P, 3] float64, s p + c
  double error;   // of the equations
};

Undone undo(const Tensor& points, const Tensor& normals, const Tensor& heights) {
  const Tensor p = points.to(at::kDouble), n = normals.to(at::kDouble);
  const Tensor matrix = at::cat({(n * p).sum(1, true), n}, 1);  // [P, 4]
  const Tensor normal_matrix = at::matmul(matrix.t(), matrix);
  const Tensor found = at::matmul(normal_matrix.inverse(), at::matmul(matrix.t(), heights));
  return {p * found[0] + found.narrow(0, 1, 3), most(at::matmul(matrix, found) - heights)};
}

TEST(AbcDataset, PointsLieOnTheFacesAndHaveTheirNormals) {
  const AbcFolder folder;
  const Example example = folder.load("points=300").test->get(items({0}));
  ASSERT_EQ(example.input.x.sizes(), (at::IntArrayRef{1, 300, 3}));
  ASSERT_EQ(example.input.x.scalar_type(), at::kFloat);
  const Tensor n = example.target[0].to(at::kDouble);
  // The box of 1 x 2 x 3: normals are axes, heights those of its faces about its centre.
  EXPECT_LT(most(n.abs().sum(1) - 1), 1e-6);
  EXPECT_LT(most(n.square().sum(1) - 1), 1e-6);
  const Tensor half = at::tensor({0.5, 1.0, 1.5}, at::kDouble);
  const Undone box = undo(example.input.x[0], n, (n.abs() * half).sum(1));
  EXPECT_LT(box.error, 2e-6);
  EXPECT_TRUE((box.points.abs() <= half + 1e-5).all().item<bool>());
}

TEST(AbcDataset, TrianglesOfAnyDirectionAreMetAsWell) {
  const AbcFolder folder;
  const Example example = folder.load("points=300").train->get(items({1}));
  const Tensor n = example.target[0].to(at::kDouble);
  EXPECT_LT(most(n.abs() - std::sqrt(1.0 / 3)), 1e-6);
  const Undone octahedron =
      undo(example.input.x[0], n, at::full({300}, std::sqrt(1.0 / 3), at::kDouble));
  EXPECT_LT(octahedron.error, 2e-6);
  EXPECT_LT(most(octahedron.points.abs().sum(1) - 1), 1e-5);
}

TEST(AbcDataset, PointsAreUniformByArea) {
  const AbcFolder folder;
  constexpr int64_t kPoints = 20'000;
  const Example tower = folder.load("points=20000").train->get(items({2}));
  const Tensor n = tower.target[0];
  for (int64_t axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      const double share = (axis == 2 ? 1 : 10) / 42.0;
      const double expected = share * kPoints, deviation = std::sqrt(expected * (1 - share));
      const auto met = (n.select(1, axis) * sign > 0.5).sum().item<double>();
      EXPECT_NEAR(met, expected, 4.5 * deviation) << axis << " " << sign;
    }
}

TEST(AbcDataset, CloudsAreCentredWithDistancesOfStandardDeviationOne) {
  const AbcFolder folder;
  const Splits splits = folder.load();
  for (const auto& [part, count] :
       {std::pair{splits.train, 3}, {splits.valid, 1}, {splits.test, 2}}) {
    const Tensor x = part->get(at::arange(count)).input.x;
    EXPECT_EQ(x.size(1), 512);
    EXPECT_LT(most(x.mean(1)), 1e-5);
    EXPECT_LT(most(spread(x) - 1), 1e-5);
  }
}

TEST(AbcDataset, TheScaleOfTrainingCloudsOnlyIsDrawn) {
  const AbcFolder folder;
  const Splits splits = folder.load("points=64");
  double least = 9, greatest = 0;
  for (uint64_t step = 0; step < 40; ++step) {
    const Tensor x = splits.train->draw(at::arange(3), Rng{5, step}).input.x;
    EXPECT_LT(most(x.mean(1)), 1e-5);
    const Tensor scale = spread(x);
    least = std::min(least, scale.min().item<double>());
    greatest = std::max(greatest, scale.max().item<double>());
  }
  EXPECT_GE(least, 0.8 - 1e-5);
  EXPECT_LE(greatest, 1.25 + 1e-5);
  EXPECT_LT(least, 0.83);  // 120 draws: a chance of 1e-3 each that these two fail by themselves
  EXPECT_GT(greatest, 1.22);
}

TEST(AbcDataset, EvaluationSeesTheSameAlwaysAndInEveryBatch) {
  const AbcFolder folder;
  const Splits splits = folder.load("setting=I/SO3");
  const Example both = splits.test->get(items({1, 0}));
  EXPECT_TRUE(equal(both, splits.test->get(items({1, 0}))));
  EXPECT_TRUE(equal(both, folder.load("setting=I/SO3").test->get(items({1, 0}))));
  const Example alone = splits.test->get(items({0}));
  EXPECT_TRUE(at::equal(both.input.x[1], alone.input.x[0]));
  EXPECT_TRUE(at::equal(both.target[1], alone.target[0]));
  EXPECT_TRUE(at::equal(both.input.id, items({5, 4}))) << "numbers through all splits";
  EXPECT_FALSE(at::equal(
      both.input.x, folder.load("setting=I/SO3, draw_seed=1").test->get(items({1, 0})).input.x));
}

TEST(AbcDataset, DrawsDependOnTheirRandomStreamAlone) {
  const AbcFolder folder;
  const auto train = folder.load("setting=SO3/SO3").train;
  EXPECT_TRUE(train->augments());
  const Example drawn = train->draw(items({2, 0}), Rng{1, 7});
  EXPECT_TRUE(equal(drawn, train->draw(items({2, 0}), Rng{1, 7})));
  EXPECT_TRUE(at::equal(drawn.input.x[1], train->draw(items({0}), Rng{1, 7}).input.x[0]));
  for (const Rng other : {Rng{1, 8}, Rng{2, 7}}) {
    const Example next = train->draw(items({2, 0}), other);
    EXPECT_FALSE(at::equal(drawn.input.x, next.input.x));
    EXPECT_FALSE(at::equal(drawn.target, next.target)) << "points are new, not only turned";
  }
  EXPECT_FALSE(at::equal(drawn.target, train->get(items({2, 0})).target));
}

/// The rotation that took the points of item k there, checked to take the normals with them.
Tensor turn_of(const Example& before, const Example& after, int64_t k) {
  const Tensor turn = linear_map(before.input.x[k], after.input.x[k]);
  EXPECT_LT(rotation_error(turn), 1e-4);
  const Tensor normals = at::matmul(before.target[k].to(at::kDouble), turn.t());
  EXPECT_LT(most(normals - after.target[k].to(at::kDouble)), 1e-4);
  return turn;
}

/// In the code published with the paper no setting ever turned anything.
TEST(AbcDataset, ISo3TurnsTheTestSetAndNotTheTrainingSet) {
  const AbcFolder folder;
  const Splits straight = folder.load("setting=I/I"), turned = folder.load("setting=I/SO3");
  const Tensor all = at::arange(3), two = at::arange(2);
  EXPECT_TRUE(equal(straight.train->draw(all, Rng{3}), turned.train->draw(all, Rng{3})));
  const Example before = straight.test->get(two), after = turned.test->get(two);
  const Tensor first = turn_of(before, after, 0), second = turn_of(before, after, 1);
  EXPECT_GT(turned_by(first), 5);
  EXPECT_GT(turned_by(second), 5);
  EXPECT_GT(most(first - second), 0.1) << "each cloud has a rotation of its own";
  const Example valid = straight.valid->get(items({0}));
  EXPECT_GT(turned_by(turn_of(valid, turned.valid->get(items({0})), 0)), 5);
}

TEST(AbcDataset, So3So3TurnsBoth) {
  const AbcFolder folder;
  const Splits straight = folder.load("setting=I/I"), turned = folder.load("setting=SO3/SO3");
  const Example before = straight.train->draw(at::arange(3), Rng{3});
  const Example after = turned.train->draw(at::arange(3), Rng{3});
  for (int64_t k = 0; k < 3; ++k) EXPECT_GT(turned_by(turn_of(before, after, k)), 5) << k;
  EXPECT_TRUE(equal(turned.test->get(at::arange(2)),
                    folder.load("setting=I/SO3").test->get(at::arange(2))));
  EXPECT_FALSE(at::equal(turned.test->get(at::arange(2)).input.x,
                         straight.test->get(at::arange(2)).input.x));
}

/// The entries of a uniform rotation have mean 0, their squares 1/3.
TEST(AbcDataset, RotationsAreUniform) {
  const AbcFolder folder;
  const auto straight = folder.load("points=8").train;
  const auto turned = folder.load("points=8, setting=SO3/SO3").train;
  const Tensor all = at::arange(3);
  std::vector<Tensor> turns;
  for (uint64_t step = 0; step < 50; ++step) {
    const Rng rng{11, step};
    const Tensor before = straight->draw(all, rng).input.x, after = turned->draw(all, rng).input.x;
    for (int64_t k = 0; k < 3; ++k) turns.push_back(linear_map(before[k], after[k]));
  }
  const Tensor entries = at::stack(turns);                    // [150, 3, 3]
  EXPECT_LT(most(entries.mean(0)), 0.21);                     // 4.5 deviations of sqrt(1/3/150)
  EXPECT_LT(most(entries.square().mean(0) - 1.0 / 3), 0.11);  // and of sqrt(4/45/150)
}

TEST(AbcDataset, RefusesSettingsItDoesNotKnow) {
  const AbcFolder folder;
  datasets_test::expect_part(folder.refusal("setting=I/O3"), "I/O3");
  datasets_test::expect_part(folder.refusal("point=9"), "did you mean 'points'");
  datasets_test::expect_part(folder.refusal("points=0"), "at least one");
}

}  // namespace
}  // namespace equiframe
