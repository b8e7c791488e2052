/// The data set `cad`: some of the stored points of random shapes. What happens to a cloud after
/// that is the same as for `abc`; see abc_test.cpp.
#include <gtest/gtest.h>

#include "equiframe/datasets/cad_set.h"
#include "tests/datasets/loading.h"

namespace equiframe {
namespace {

using datasets_test::equal;
using datasets_test::expect_part;
using datasets_test::items;
using datasets_test::linear_map;
using datasets_test::load;
using datasets_test::message_of;
using datasets_test::most;
using datasets_test::refusal;
using datasets_test::rotation_error;
using datasets_test::ScopedCache;
using datasets_test::spread;
using datasets_test::TemporaryFolder;
using datasets_test::turned_by;

constexpr int64_t kCadModels = 6, kCadStored = 96;

/// Ellipsoids in place of random shapes: the data set takes points as they are stored.
const CadSet& shapes() {
  static const CadSet set = [] {
    auto generator = make_generator(4);
    const Tensor x = at::randn({kCadModels, kCadStored, 3}, generator, at::kDouble);
    const Tensor axes = 0.2 + 0.4 * at::rand({kCadModels, 1, 3}, generator, at::kDouble);
    const Tensor sphere = x / x.square().sum(-1, true).sqrt(), normals = sphere / axes;
    return CadSet{(sphere * axes).to(at::kFloat),
                  (normals / normals.square().sum(-1, true).sqrt()).to(at::kFloat),
                  at::full({kCadModels, kCadStored}, INFINITY, at::kFloat),
                  std::vector<std::string>(kCadModels, "ellipsoid"), "ellipsoids"};
  }();
  return set;
}

/// A folder as 'equiframe data cad' writes it.
class CadDataset : public testing::Test {
 protected:
  CadDataset() { write_cad(folder_.path(), shapes()); }

  Splits from_folder(const std::string& options) const {
    return load("cad(train=3, valid=1, test=2, " + options + ")", folder_.path());
  }

  TemporaryFolder folder_;
};

/// Which stored normal each row of `normals` [P, 3] is, [P].
Tensor rows_of(const Tensor& stored, const Tensor& normals) {
  const auto [distance, row] = at::cdist(normals.to(at::kDouble), stored.to(at::kDouble)).min(1);
  EXPECT_LT(most(distance), 1e-6);
  return row;
}

TEST_F(CadDataset, ADrawTakesStoredPointsNoneTwice) {
  const Splits splits = from_folder("points=40");
  for (uint64_t step = 0; step < 3; ++step) {
    const Example drawn = splits.train->draw(items({1}), Rng{1, step});
    ASSERT_EQ(drawn.input.x.sizes(), (at::IntArrayRef{1, 40, 3}));
    const Tensor rows = rows_of(shapes().normals[1], drawn.target[0]);
    EXPECT_EQ(std::get<0>(at::_unique(rows)).numel(), 40);
  }
}

TEST_F(CadDataset, AllStoredPointsAreTheNormalisedShape) {
  const Splits splits = from_folder("points=96");
  const auto expect_shape = [](const Example& example, int64_t model) {
    const Tensor points = shapes().points[model].to(at::kDouble);
    const Tensor centred = points - points.mean(0, true);
    const Tensor rows = rows_of(shapes().normals[model], example.target[0]);
    const Tensor expected = (centred / spread(centred.unsqueeze(0))).index_select(0, rows);
    EXPECT_LT(most(example.input.x[0] - expected), 1e-5) << model;
    EXPECT_EQ(example.input.id.item<int64_t>(), model);
  };
  expect_shape(splits.train->get(items({2})), 2);
  expect_shape(splits.valid->get(items({0})), 3);
  expect_shape(splits.test->get(items({1})), 5);
}

TEST_F(CadDataset, EvaluationIsFixedAndTrainingIsNot) {
  const Splits splits = from_folder("points=40");
  const Example both = splits.test->get(items({1, 0}));
  EXPECT_TRUE(equal(both, splits.test->get(items({1, 0}))));
  EXPECT_TRUE(at::equal(both.input.x[1], splits.test->get(items({0})).input.x[0]));
  EXPECT_LT(most(spread(both.input.x) - 1), 1e-5);
  const Example drawn = splits.train->draw(at::arange(3), Rng{1, 2});
  EXPECT_TRUE(equal(drawn, splits.train->draw(at::arange(3), Rng{1, 2})));
  EXPECT_FALSE(at::equal(drawn.target, splits.train->draw(at::arange(3), Rng{1, 3}).target));
  EXPECT_GT(most(spread(drawn.input.x) - 1), 1e-3) << "training clouds are scaled";
}

TEST_F(CadDataset, ISo3TurnsTheTestSetAndNotTheTrainingSet) {
  const Splits straight = from_folder("points=40, setting=I/I");
  const Splits turned = from_folder("points=40, setting=I/SO3");
  EXPECT_TRUE(equal(straight.train->draw(at::arange(3), Rng{3}),
                    turned.train->draw(at::arange(3), Rng{3})));
  const Example before = straight.test->get(items({0})), after = turned.test->get(items({0}));
  const Tensor turn = linear_map(before.input.x[0], after.input.x[0]);
  EXPECT_LT(rotation_error(turn), 1e-4);
  EXPECT_GT(turned_by(turn), 5);
  EXPECT_LT(most(at::matmul(before.target[0].to(at::kDouble), turn.t()) - after.target[0]), 1e-4);
}

TEST(Cad, FolderAndCacheHoldTheSame) {
  const ScopedCache cache;
  const CadOptions made_here{4, 3, kCadStored, {"organic"}};
  const std::string counts = "train=1, valid=1, test=1, points=40";
  const auto [name, options] =
      Options::parse_call("cad(" + counts + ", stored=96, kinds=organic, seed=4)");
  int told = 0;
  const DataRequest request{options, "", [&](double, const std::string& what) {
                              ++told;
                              expect_part(what, "of 3");
                            }};
  const Splits made = Datasets::instance().make(name)->load(request);
  EXPECT_GT(told, 0);
  told = 0;
  const Splits kept = Datasets::instance().make(name)->load(request);
  EXPECT_EQ(told, 0);
  const TemporaryFolder folder;
  write_cad(folder.path(), cached_cad(made_here));
  const Splits files = load("cad(" + counts + ")", folder.path());
  EXPECT_EQ(made.checksum, kept.checksum);
  EXPECT_EQ(made.checksum, files.checksum);
  EXPECT_TRUE(equal(made.test->get(items({0})), files.test->get(items({0}))));
  EXPECT_EQ(made.description, "40 points, setting I/I, 1/1/1 shapes; " + made_here.str());
}

TEST_F(CadDataset, SaysWhatDoesNotFit) {
  const auto refused = [&](const std::string& options) {
    return refusal("cad(" + options + ")", folder_.path());
  };
  expect_part(refused("train=3, valid=2, test=2"), "= 7 shapes, but there are 6");
  expect_part(refused("train=0"), "at least one shape each");
  expect_part(refused("train=3, valid=1, test=2, kinds=organic"), "from the folder '");
  expect_part(refused("trian=3"), "did you mean 'train'");
  expect_part(refused("setting=SO3/I"), "SO3/I");
  expect_part(refused("points=-1"), "at least one");
  const Splits splits = from_folder("points=97");
  expect_part(message_of<UserError>([&] { splits.train->get(items({0})); }),
              "points=97 of each shape, but 96 are stored; lower points or raise stored");
  const ScopedCache cache;
  expect_part(refusal("cad(train=1, valid=1, test=1, kinds=organics)"), "organics");
}

}  // namespace
}  // namespace equiframe
