#include "audit/measure/census.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "audit/subjects/typing.h"
#include "equiframe/audit/audit.h"
#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "equiframe/io/point_files.h"
#include "equiframe/laws/zoo.h"
#include "tests/support/temporary_folder.h"

namespace equiframe::audit_test {
namespace {

audit::Typing typing_of(const std::string& in) {
  TypedCall call;
  call.group = "E3";
  call.in = {{"", in}};
  call.out = {{"", "scalar"}};
  return audit::typing_of(call);
}

Tensor cloud(double third_extent) {
  torch::manual_seed(3);
  return torch::randn({40, 3}, torch::kFloat64) *
         torch::tensor({2.0, 1.0, third_extent}, torch::kFloat64);
}

TEST(Census, CountsWhatFramesMeet) {
  Tensor broken = cloud(0.5);
  broken[3][1] = NAN;
  const Tensor cube = laws::symmetric_clouds(3)[1].points;
  const auto census =
      audit::take_census(typing_of("point"), {cloud(0.5), cube, cloud(0), broken, cloud(0.4)});
  EXPECT_EQ(census.items, 5);
  EXPECT_EQ(census.not_finite, 1);
  EXPECT_EQ(census.strata.at("simple"), 2);
  EXPECT_EQ(census.strata.at("isotropic"), 1);
  EXPECT_EQ(census.strata.at("planar"), 1);
  EXPECT_EQ(census.smallest_item, 1);
  EXPECT_LT(census.margins.front(), 1e-9);
  EXPECT_EQ(census.near_ties, 0);
}

TEST(Census, ReadsArraysAndFolders) {
  const test_support::TemporaryFolder folder;
  write_npy(folder / "items.npy", torch::stack({cloud(0.5), cloud(0.1)}));
  EXPECT_EQ(audit::read_items(folder / "items.npy", typing_of("point")).size(), 2U);
  EXPECT_THROW(audit::read_items(folder / "items.npy", typing_of("point + scalar")), UserError);
  EXPECT_THROW(audit::read_items(folder / "nothing", typing_of("point")), UserError);
  std::filesystem::create_directory(folder / "clouds");
  EXPECT_THROW(audit::read_items(folder / "clouds", typing_of("point")), UserError);
  PointCloud file;
  file.points = cloud(0.5);
  write_points(folder / "clouds/a.ply", file);
  file.points = cloud(0.5).narrow(0, 0, 7);
  write_points(folder / "clouds/b.xyz", file);
  const auto items = audit::read_items(folder / "clouds", typing_of("point"));
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1].size(0), 7);
}

}  // namespace
}  // namespace equiframe::audit_test
