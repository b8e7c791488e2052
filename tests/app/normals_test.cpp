/// `equiframe normals` as a user meets it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "equiframe/data/point_files.h"
#include "equiframe/groups/euclidean.h"
#include "run_program.h"
#include "tests/support/temporary_folder.h"

namespace equiframe::app_test {
namespace {

class NormalsCommand : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  std::string quoted(const std::string& name) const { return "'" + path(name).string() + "'"; }

  /// Points of a sphere around a place far from the origin.
  void write_sphere(const std::string& name) const {
    auto generator = make_generator(3);
    const Tensor x = torch::randn({3000, 3}, generator, torch::kFloat64);
    PointCloud cloud;
    cloud.points = x / x.norm(2, 1, true) * 2 + centre_;
    write_points(path(name), cloud);
  }

  const Tensor centre_ = torch::tensor({5e5, 4e6, 120.0}, torch::kFloat64);
  test_support::TemporaryFolder folder_;
};

TEST_F(NormalsCommand, PointOutOfASphereFarFromTheOrigin) {
  write_sphere("in.ply");
  const Outcome result = run_program("normals " + quoted("in.ply") + " -o " + quoted("out.xyz") +
                                     " --method jet --orient outward --json");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto said = nlohmann::json::parse(result.out);
  EXPECT_EQ(said["points"], 3000);
  EXPECT_EQ(said["degenerate"], 0);
  EXPECT_TRUE(said["k_chosen"].get<bool>());
  const PointCloud out = read_points(path("out.xyz"));
  const Tensor radial = (out.points - centre_) / 2;
  const Tensor cosine = (radial * out.normals.to(torch::kFloat64)).sum(1);
  EXPECT_GT(cosine.min().item<double>(), std::cos(2 * M_PI / 180));
  EXPECT_TRUE(out.column("variation").defined());
}

TEST_F(NormalsCommand, TurnWithTheCloud) {
  auto generator = make_generator(4);
  PointCloud cloud;
  cloud.points = torch::randn({500, 3}, generator, torch::kFloat64);
  const Tensor turn = haar_orthogonal(3, EuclideanGroup::Linear::kRotations, 1, generator)[0];
  write_points(path("a.npy"), cloud);
  cloud.points = cloud.points.matmul(turn.t());
  write_points(path("b.npy"), cloud);
  for (const std::string name : {"a", "b"}) {
    const Outcome result =
        run_program("normals -k 12 " + quoted(name + ".npy") + " -o " + quoted(name + ".ply"));
    ASSERT_EQ(result.code, 0) << result.out;
  }
  const Tensor a = read_points(path("a.ply")).normals, b = read_points(path("b.ply")).normals;
  EXPECT_LT((a.matmul(turn.t().to(torch::kFloat32)) - b).abs().max().item<double>(), 1e-5);
}

TEST_F(NormalsCommand, WhatCannotBeDoneIsSaidInOneLine) {
  test_support::write_file(path("two.xyz"), "0 0 0\n1 0 0\n");
  test_support::write_file(path("hole.xyz"), "0 0 0\n1 0 0\nnan 0 0\n0 1 0\n0 2 1\n");
  write_sphere("in.ply");
  const std::string to = " -o " + quoted("out.ply");
  const std::pair<std::string, std::string> cases[] = {
      {quoted("two.xyz") + to, "needs at least 3"},
      {quoted("hole.xyz") + to, "hole.xyz"},
      {quoted("none.ply") + to, "no such file"},
      {quoted("in.ply") + " -o out.jpg", "extension must be one of"},
      {quoted("in.ply") + to + " --method plane", "known: pca, jet"},
      {quoted("in.ply") + to + " --orient viewpoint", "--viewpoint X Y Z"},
      {quoted("in.ply") + to + " --viewpoint 1 2 3", "belongs to --orient viewpoint"},
  };
  for (const auto& [arguments, expected] : cases) {
    const Outcome result = run_program("normals " + arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_NE(result.out.find(expected), std::string::npos) << result.out;
    EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
  }
  EXPECT_FALSE(std::filesystem::exists(path("out.ply")));
  const Outcome dropped = run_program("normals --drop-invalid --json " + quoted("hole.xyz") + to);
  ASSERT_EQ(dropped.code, 0) << dropped.out;
  EXPECT_EQ(nlohmann::json::parse(dropped.out)["dropped"], 1);
}

}  // namespace
}  // namespace equiframe::app_test
