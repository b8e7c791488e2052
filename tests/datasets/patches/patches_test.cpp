/// The data set `patches`: what a patch is, on spheres, where all of it is known.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equiframe/datasets/cad_set.h"
#include "tests/datasets/loading.h"

namespace equiframe {
namespace {

using datasets_test::equal;
using datasets_test::expect_part;
using datasets_test::items;
using datasets_test::load;
using datasets_test::most;
using datasets_test::refusal;
using datasets_test::ScopedCache;
using datasets_test::TemporaryFolder;

constexpr int64_t kPatchShapes = 9, kPatchStored = 1000;

/// Points of unit spheres, other ones for each, in a folder.
class PatchesDataset : public testing::Test {
 protected:
  PatchesDataset() {
    auto generator = make_generator(3);
    const Tensor x = at::randn({kPatchShapes, kPatchStored, 3}, generator, at::kDouble);
    CadSet set;
    set.points = (x / x.square().sum(-1, true).sqrt()).to(at::kFloat);
    set.normals = set.points;
    set.edges = at::full({kPatchShapes, kPatchStored}, INFINITY, at::kFloat);
    set.recipes.assign(kPatchShapes, "sphere");
    set.description = "spheres";
    write_cad(folder_.path(), set);
  }

  std::string call(const std::string& options) const {
    return "patches(train=4, valid=4, test=1" + (options.empty() ? "" : ", " + options) + ")";
  }
  Splits spheres(const std::string& options = "") const {
    return load(call(options), folder_.path());
  }

  TemporaryFolder folder_;
};

const std::string kClouds = "neighbors=24, least_points=300, test_points=900";
const std::string kPatchSmall = kClouds + ", patches=10";

/// The angle between the normals of the planes through patches [M, k, 3] and `normals`, degrees.
Tensor plane_errors(const Tensor& patches, const Tensor& normals) {
  const Tensor x = patches.to(at::kDouble), centred = x - x.mean(1, true);
  const Tensor axes = std::get<1>(at::linalg_eigh(at::matmul(centred.transpose(1, 2), centred)));
  const Tensor cosine = (axes.select(2, 0) * normals.to(at::kDouble)).sum(1).abs();
  return cosine.clamp_max(1).acos() * (180 / M_PI);
}

void expect_patches(const Example& example, int64_t patches, int64_t neighbors) {
  const Tensor& x = example.input.x;
  ASSERT_EQ(x.sizes(), (at::IntArrayRef{patches, neighbors, 3}));
  ASSERT_EQ(example.target.sizes(), (at::IntArrayRef{patches, 3}));
  EXPECT_EQ(x.scalar_type(), at::kFloat);
  EXPECT_EQ(most(x.select(1, 0)), 0) << "the point itself comes first";
  const Tensor distance = x.to(at::kDouble).square().sum(-1).sqrt();  // [M, k]
  EXPECT_GE(distance.diff(1, 1).min().item<double>(), -1e-6) << "nearest first";
  EXPECT_LT(most(distance.select(1, neighbors - 1) - 1), 1e-6) << "in the unit ball";
  EXPECT_LT(most(example.target.square().sum(-1) - 1), 1e-5);
}

TEST_F(PatchesDataset, HavePointsNearestFirstInTheUnitBallAndAUnitNormal) {
  const Splits splits = spheres(kPatchSmall);
  expect_patches(splits.valid->get(at::arange(4)), 40, 24);
  expect_patches(splits.test->get(items({0})), 10, 24);
  for (uint64_t step = 0; step < 8; ++step)
    expect_patches(splits.train->draw(items({3, 0, 1}), Rng{2, step}), 30, 24);
}

/// Of points x on a unit sphere about the one with the normal n: n.x = -|x|^2 / 2, times a scale.
TEST_F(PatchesDataset, TheFirstOfFourIsClean) {
  const Example clean = spheres(kPatchSmall).valid->get(items({0}));
  const Tensor x = clean.input.x.to(at::kDouble).narrow(1, 1, 23);
  const Tensor depth = (x * clean.target.unsqueeze(1)).sum(-1), squared = x.square().sum(-1);
  const Tensor curvature = -2 * depth.select(1, 22) / squared.select(1, 22);  // [M]
  EXPECT_GT(curvature.min().item<double>(), 0);
  EXPECT_LT(most(depth + squared * curvature.unsqueeze(1) / 2), 2e-6);
}

TEST_F(PatchesDataset, NoiseOfEvaluatedCloudsGrowsByTurnsOfFour) {
  const auto valid = spheres(kClouds + ", patches=100").valid;
  std::vector<double> errors;
  for (int64_t k = 0; k < 4; ++k) {
    const Example example = valid->get(items({k}));
    errors.push_back(plane_errors(example.input.x, example.target).mean().item<double>());
  }
  EXPECT_LT(errors[0], 2) << "next to the plane that fits";
  for (size_t k = 0; k + 1 < 4; ++k) EXPECT_GT(errors[k + 1], 1.1 * errors[k]) << k;
}

TEST_F(PatchesDataset, DrawsDependOnTheirRandomStreamAlone) {
  const Splits splits = spheres(kPatchSmall);
  EXPECT_TRUE(splits.train->augments());
  const Example drawn = splits.train->draw(items({2, 0}), Rng{1, 7});
  EXPECT_TRUE(equal(drawn, splits.train->draw(items({2, 0}), Rng{1, 7})));
  const Example alone = splits.train->draw(items({0}), Rng{1, 7});
  EXPECT_TRUE(at::equal(drawn.input.x.narrow(0, 10, 10), alone.input.x));
  EXPECT_TRUE(at::equal(drawn.target.narrow(0, 10, 10), alone.target));
  EXPECT_FALSE(at::equal(drawn.input.x, splits.train->draw(items({2, 0}), Rng{1, 8}).input.x));
  EXPECT_FALSE(at::equal(drawn.input.x, splits.train->draw(items({2, 0}), Rng{2, 7}).input.x));
}

TEST_F(PatchesDataset, EvaluationSeesTheSameAlwaysAndInEveryBatch) {
  const Splits splits = spheres(kPatchSmall);
  const Example both = splits.valid->get(items({3, 1}));
  EXPECT_TRUE(equal(both, spheres(kPatchSmall).valid->get(items({3, 1}))));
  EXPECT_TRUE(at::equal(both.target.narrow(0, 10, 10), splits.valid->get(items({1})).target));
  const Splits other = spheres(kPatchSmall + ", draw_seed=1");
  EXPECT_FALSE(at::equal(both.target, other.valid->get(items({3, 1})).target));
}

/// Clouds are stretched and thinned, but stay convex where they have no noise.
TEST_F(PatchesDataset, NormalsOfTrainingCloudsStayNormals) {
  const auto train = spheres(kPatchSmall + ", most_noise=0, rough=0").train;
  for (uint64_t step = 0; step < 12; ++step) {
    const Example drawn = train->draw(at::arange(4), Rng{4, step});
    const Tensor depth = (drawn.input.x * drawn.target.unsqueeze(1)).sum(-1);
    EXPECT_LT(plane_errors(drawn.input.x, drawn.target).median().item<double>(), 12) << step;
    EXPECT_LT(depth.mean().item<double>(), 0) << step;
  }
}

/// Waves of a slope of 0.6 at most, some 0.2 on the average, on a sphere: steeper than its own
/// planes and still close to them.
TEST_F(PatchesDataset, RoughCloudsHaveSteeperDetailAndTheNormalsOfIt) {
  const std::string clean = "neighbors=8, least_points=1000, patches=400, most_noise=0";
  const auto error = [&](const std::string& rough) {
    const auto train = spheres(clean + ", rough=" + rough).train;
    double sum = 0;
    for (uint64_t step = 0; step < 8; ++step) {
      const Example drawn = train->draw(at::arange(4), Rng{4, step});
      sum += plane_errors(drawn.input.x, drawn.target).median().item<double>();
    }
    return sum / 8;
  };
  const double smooth = error("0"), rough = error("1");
  EXPECT_GT(rough, 1.2 * smooth);
  EXPECT_LT(rough, 6);
}

TEST_F(PatchesDataset, IdsSayWhichCloudAPatchIsFrom) {
  const Splits splits = spheres(kPatchSmall);
  const Tensor expected = items({2, 0}).repeat_interleave(10);
  EXPECT_TRUE(at::equal(splits.train->draw(items({2, 0}), Rng{}).input.id, expected));
  EXPECT_TRUE(at::equal(splits.valid->get(items({2, 0})).input.id, expected));
}

/// Thinned clouds may have fewer points than patches are wanted.
TEST_F(PatchesDataset, IdsFollowCloudsThatGiveFewerPatches) {
  const auto train = spheres("neighbors=4, patches=500, least_points=4, test_points=20").train;
  const Example drawn = train->draw(at::arange(4), Rng{6});
  ASSERT_EQ(drawn.input.id.numel(), drawn.input.x.size(0));
  EXPECT_LT(drawn.input.x.size(0), 4 * 500);
  for (int64_t k = 0; k < 4; ++k)
    EXPECT_EQ((drawn.input.id == k).sum().item<int64_t>(),
              train->draw(items({k}), Rng{6}).input.x.size(0));
}

TEST_F(PatchesDataset, SmallCloudsGiveWhatTheyHave) {
  const Splits splits = spheres("neighbors=2000, patches=3, least_points=2000, test_points=2000");
  expect_patches(splits.valid->get(items({0})), 3, kPatchStored);
  expect_patches(splits.train->draw(items({0, 1}), Rng{}), 6, kPatchStored);
}

TEST_F(PatchesDataset, NamesWhatItCannotUse) {
  const auto refused = [&](const std::string& options) {
    return refusal(call(options), folder_.path());
  };
  expect_part(refused("neighbors=2"), "neighbors must be 3 or more");
  expect_part(refused("patches=0"), "patches 1 or more");
  expect_part(refused("least_points=100"), "least_points and test_points not below neighbors");
  expect_part(refused("test_points=100"), "not below neighbors");
  expect_part(refused("most_noise=-1"), "most_noise not negative");
  expect_part(refused("most_noise=nan"), "most_noise");
  expect_part(refused("neighbor=24"), "did you mean 'neighbors'");
  expect_part(refused("stored=500"), "from the folder '");
  expect_part(refusal("patches(train=9, valid=9, test=9)", folder_.path()),
              "= 27 shapes, but there are 9");
}

TEST(Patches, ComeFromTheCacheWithoutAFolder) {
  const ScopedCache cache;
  const std::string call =
      "patches(train=1, valid=1, test=1, stored=600, kinds=organic, test_points=600, " +
      std::string("neighbors=16, patches=20, least_points=100)");
  const Splits splits = load(call);
  EXPECT_EQ(splits.checksum.size(), 64U);
  EXPECT_EQ(splits.checksum, load(call).checksum);
  expect_part(splits.description, "20 patches of 16 points from each of 1/1/1 shapes; ");
  expect_patches(splits.valid->get(items({0})), 20, 16);
  expect_patches(splits.train->draw(items({0}), Rng{}), 20, 16);
}

}  // namespace
}  // namespace equiframe
