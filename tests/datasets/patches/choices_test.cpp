/// The data set `choices`: points of clouds with several normals each.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "datasets/patches/choice_set.h"
#include "normals/kernels/choice_features.h"
#include "tests/datasets/loading.h"
#include "tests/datasets/patches/sphere_set.h"

namespace equiframe {
namespace {

using datasets_test::items;
using datasets_test::load;
using datasets_test::refusal;
using datasets_test::sphere_set;
using datasets_test::TemporaryFolder;
using datasets_test::untrained_network;

constexpr ChoiceSetOptions kChoiceSmall{.clouds = 4, .points = 8, .seed = 4};

class ChoicesDataset : public testing::Test {
 protected:
  ChoicesDataset() : set_(make_choices(sphere_set(2, 2000), untrained_network(), kChoiceSmall)) {
    write_choices(folder_.path(), set_);
  }
  TemporaryFolder folder_;
  ChoiceSet set_;
};

TEST_F(ChoicesDataset, RowsAreUnitNormalsAndNumbers) {
  ASSERT_EQ(set_.rows.sizes(), (at::IntArrayRef{4, 8, kernels::kChoiceChannels}));
  for (int64_t c = 0; c < kernels::kCandidates; ++c) {
    const Tensor n = set_.rows.narrow(2, 3 * c, 3);
    EXPECT_LT((n.square().sum(2) - 1).abs().max().item<float>(), 1e-4) << c;
  }
  EXPECT_TRUE(set_.rows.isfinite().all().item<bool>());
  EXPECT_LT((set_.normals.square().sum(2) - 1).abs().max().item<float>(), 1e-4);
}

TEST_F(ChoicesDataset, IsTheSameFromItsSeedAndFromItsFiles) {
  const ChoiceSet again = make_choices(sphere_set(2, 2000), untrained_network(), kChoiceSmall);
  EXPECT_TRUE(at::equal(set_.rows, again.rows));
  ChoiceSetOptions other = kChoiceSmall;
  other.seed = 5;
  EXPECT_FALSE(
      at::equal(set_.rows, make_choices(sphere_set(2, 2000), untrained_network(), other).rows));
  const ChoiceSet read = read_choices(folder_.path());
  EXPECT_TRUE(at::equal(set_.rows, read.rows));
  EXPECT_TRUE(at::equal(set_.normals, read.normals));
  EXPECT_EQ(read.description, set_.description);
}

TEST_F(ChoicesDataset, ASampleIsTheRowsOfItsCloud) {
  const Splits data = load("choices(valid=1, test=1)", folder_.path());
  EXPECT_EQ(data.train->size(), 2);
  const Example drawn = data.train->get(items({1, 0}));
  ASSERT_EQ(drawn.input.x.sizes(), (at::IntArrayRef{16, 1, kernels::kChoiceChannels}));
  EXPECT_TRUE(at::equal(drawn.input.id, items({1, 0}).repeat_interleave(8)));
  EXPECT_TRUE(at::equal(drawn.input.x.squeeze(1).narrow(0, 0, 8), set_.rows[1]));
  EXPECT_TRUE(at::equal(drawn.target.narrow(0, 8, 8), set_.normals[0]));
}

TEST_F(ChoicesDataset, NamesWhatItCannotUse) {
  EXPECT_NE(refusal("choices", "").find("equiframe data choices"), std::string::npos);
  EXPECT_NE(refusal("choices(valid=3, test=3)", folder_.path()).find("4 clouds"),
            std::string::npos);
  std::filesystem::resize_file(folder_.path() / "normals.npy", 200);
  EXPECT_NE(refusal("choices", folder_.path()).find("normals.npy"), std::string::npos);
  EXPECT_THROW(make_choices(sphere_set(2, 900), untrained_network(), kChoiceSmall), UserError);
}

}  // namespace
}  // namespace equiframe
