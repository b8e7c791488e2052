#include <memory>
#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "equiframe/datasets/dataset.h"
#include "equiframe/datasets/nbody.h"
#include "tests/support/scoped_cache.h"

namespace equiframe {
namespace {

using data_test::message_of;
using data_test::ScopedCache;
using data_test::TemporaryFolder;

class NBodyDataset : public testing::Test {
 protected:
  static NBodyArrays arrays() {
    NBodyOptions options;
    options.train = 8;
    options.valid = options.test = 4;
    options.system.steps = 500;
    return generate_nbody(options);
  }

  Splits load(const Options& options) const {
    return Datasets::instance().make("nbody")->load({options, folder_.path(), nullptr});
  }

  TemporaryFolder folder_;
  NBodyArrays arrays_ = arrays();
};

const Options kTiny{{"train", "6"},    {"valid", "4"},     {"test", "3"},
                    {"frame_in", "1"}, {"frame_out", "3"}, {"dtype", "float64"}};

TEST_F(NBodyDataset, SamplesArePositionsVelocitiesAndChargesOfTheChosenFrames) {
  write_nbody(folder_.path(), arrays_);
  const Splits splits = load(kTiny);
  EXPECT_EQ(splits.train->size(), 6);
  EXPECT_EQ(splits.valid->size(), 4);
  EXPECT_EQ(splits.test->size(), 3);
  const Example example = splits.train->get(at::tensor({5, 0}, at::kLong));
  ASSERT_EQ(example.input.x.sizes(), at::IntArrayRef({2, 5, 7}));
  ASSERT_EQ(example.target.sizes(), at::IntArrayRef({2, 5, 3}));
  const NBodySplit& train = arrays_.train;
  EXPECT_TRUE(at::equal(example.input.x[0].narrow(1, 0, 3), train.loc[5][1].t()));
  EXPECT_TRUE(at::equal(example.input.x[0].narrow(1, 3, 3), train.vel[5][1].t()));
  EXPECT_TRUE(at::equal(example.input.x[1].narrow(1, 6, 1), train.charges[0]));
  EXPECT_TRUE(at::equal(example.target[1], train.loc[0][3].t()));
  EXPECT_TRUE(at::equal(example.input.id, at::tensor({5, 0}, at::kLong)));
  EXPECT_FALSE(example.input.pair.defined());
  EXPECT_FALSE(example.input.mask.defined());
}

TEST_F(NBodyDataset, IsFloat32UnlessAskedAndTheChecksumTells) {
  write_nbody(folder_.path(), arrays_);
  Options single = kTiny, fewer = kTiny;
  single.set("dtype", "float32");
  fewer.set("train", "5");
  const Splits splits = load(single);
  EXPECT_EQ(splits.valid->get(at::arange(2)).input.x.scalar_type(), at::kFloat);
  EXPECT_EQ(splits.valid->get(at::arange(2)).target.scalar_type(), at::kFloat);
  EXPECT_EQ(splits.checksum.size(), 64u);
  EXPECT_EQ(splits.checksum, load(single).checksum);
  EXPECT_NE(splits.checksum, load(kTiny).checksum);
  EXPECT_NE(load(fewer).checksum, load(kTiny).checksum);
  EXPECT_NE(splits.description.find("frame 1 to 3, 6/4/3 samples"), std::string::npos)
      << splits.description;
}

TEST_F(NBodyDataset, SpringsComeAsPairs) {
  NBodyOptions options;
  options.train = options.valid = options.test = 6;
  options.system = kernels::springs(4);
  options.system.steps = 500;
  const NBodyArrays springs = generate_nbody(options);
  write_nbody(folder_.path(), springs);
  const Example example = load(kTiny).train->get(at::arange(6));
  ASSERT_EQ(example.input.pair.sizes(), at::IntArrayRef({6, 4, 4, 1}));
  EXPECT_TRUE(at::equal(example.input.pair.squeeze(-1), springs.train.edges));
}

TEST_F(NBodyDataset, RefusesWhatIsNotThere) {
  write_nbody(folder_.path(), arrays_);
  const auto refusal = [&](const std::string& key, const std::string& value) {
    Options options = kTiny;
    options.set(key, value);
    return message_of<UserError>([&] { load(options); });
  };
  EXPECT_NE(refusal("frame_out", "4").find("frames 0 to 3"), std::string::npos);
  EXPECT_NE(refusal("frame_in", "-1").find("no frame -1"), std::string::npos);
  EXPECT_NE(refusal("train", "9").find("choose 1 to 8"), std::string::npos);
  EXPECT_NE(refusal("test", "0").find("choose 1 to 4"), std::string::npos);
  EXPECT_NE(refusal("dtype", "float16").find("float16"), std::string::npos);
  EXPECT_NE(refusal("fram_in", "1").find("did you mean 'frame_in'"), std::string::npos);
  EXPECT_NE(refusal("seed", "1").find("from the folder"), std::string::npos);
}

TEST_F(NBodyDataset, ComesFromTheCacheWithoutAFolder) {
  const ScopedCache cache;
  const Options options{{"length", "40"},  {"sampling", "10"}, {"particles", "3"},
                        {"frame_in", "0"}, {"frame_out", "2"}, {"train", "30"},
                        {"valid", "20"},   {"test", "2000"},   {"seed", "5"}};
  int calls = 0;
  const DataRequest request{options, "", [&](double, const std::string&) { ++calls; }};
  const Splits made = Datasets::instance().make("nbody")->load(request);
  EXPECT_GT(calls, 0);
  calls = 0;
  const Splits kept = Datasets::instance().make("nbody")->load(request);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(made.checksum, kept.checksum);
  EXPECT_EQ(kept.test->size(), 2000);
  EXPECT_EQ(kept.train->get(at::arange(1)).input.x.sizes(), at::IntArrayRef({1, 3, 7}));
  Options negative = options;
  negative.set("seed", "-1");
  EXPECT_THROW(Datasets::instance().make("nbody")->load({negative, "", nullptr}), UserError);
}

}  // namespace
}  // namespace equiframe
