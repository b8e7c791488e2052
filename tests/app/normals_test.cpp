/// `equiframe normals` as a user meets it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/io/point_files.h"
#include "tests/app/run_program.h"
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
  EXPECT_GT(out.column("confidence").min().item<float>(), 0.5f);
  EXPECT_EQ(out.column("degenerate").sum().item<double>(), 0);
}

/// A column that happens to be called nx is no set of normals.
TEST_F(NormalsCommand, TakeThePlaceOfALoneColumn) {
  test_support::write_file(path("in.csv"),
                           "x,y,z,nx,red\n0,0,0,7,1\n1,0,0,7,2\n0,1,0,7,3\n1,1,0,7,4\n");
  const Outcome result =
      run_program("normals " + quoted("in.csv") + " -o " + quoted("out.csv") + " --method pca");
  ASSERT_EQ(result.code, 0) << result.out;
  const PointCloud out = read_points(path("out.csv"));
  EXPECT_EQ(out.normals.select(1, 2).abs().min().item<float>(), 1);
  EXPECT_EQ(out.column("red")[3].item<double>(), 4);
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
    const Outcome result = run_program("normals --method pca -k 12 " + quoted(name + ".npy") +
                                       " -o " + quoted(name + ".ply"));
    ASSERT_EQ(result.code, 0) << result.out;
  }
  const Tensor a = read_points(path("a.ply")).normals, b = read_points(path("b.ply")).normals;
  EXPECT_LT((a.matmul(turn.t().to(torch::kFloat32)) - b).abs().max().item<double>(), 1e-5);
}

/// A noisy wavy sheet far from the origin, and the same turned about its own place.
TEST_F(NormalsCommand, OfTheNetworkTurnWithTheCloud) {
  auto generator = make_generator(5);
  PointCloud cloud;
  Tensor x = torch::randn({600, 3}, generator, torch::kFloat64);
  x.select(1, 2) = (2 * x.select(1, 0)).sin() * 0.3 + 0.02 * x.select(1, 2);
  const Tensor turn = haar_orthogonal(3, EuclideanGroup::Linear::kRotations, 1, generator)[0];
  cloud.points = x + centre_;
  write_points(path("a.npy"), cloud);
  cloud.points = x.matmul(turn.t()) + centre_;
  write_points(path("b.npy"), cloud);
  for (const std::string name : {"a", "b"}) {
    const Outcome result =
        run_program("normals " + quoted(name + ".npy") + " -o " + quoted(name + ".ply"));
    ASSERT_EQ(result.code, 0) << result.out;
  }
  const PointCloud a = read_points(path("a.ply")), b = read_points(path("b.ply"));
  const Tensor cosine = (a.normals.matmul(turn.t().to(torch::kFloat32)) * b.normals).sum(1).abs();
  EXPECT_GT(cosine.min().item<float>(), 1 - 1e-5f);
  EXPECT_LT((a.column("confidence") - b.column("confidence")).abs().max().item<float>(), 1e-3f);
}

TEST_F(NormalsCommand, DoNotDependOnMemoryOrThreads) {
  auto generator = make_generator(6);
  PointCloud cloud;
  const Tensor x = torch::randn({200'000, 3}, generator, torch::kFloat64);
  cloud.points = x / x.norm(2, 1, true);
  write_points(path("in.npy"), cloud);
  const std::string of = "normals --method pca -k 10 --json " + quoted("in.npy") + " -o ";
  const Outcome whole = run_program(of + quoted("whole.npy"), "OMP_NUM_THREADS=1");
  const Outcome tiled =
      run_program(of + quoted("tiled.npy") + " --max-memory 20MB", "OMP_NUM_THREADS=2");
  ASSERT_EQ(whole.code + tiled.code, 0) << whole.out << tiled.out;
  EXPECT_EQ(nlohmann::json::parse(whole.out)["tiles"], 1);
  EXPECT_GT(nlohmann::json::parse(tiled.out)["tiles"], 1);
  const PointCloud a = read_points(path("whole.npy")), b = read_points(path("tiled.npy"));
  EXPECT_LT((a.normals - b.normals).abs().max().item<float>(), 1e-6f);
}

/// The edges of a noisy box, where votes change the most.
TEST_F(NormalsCommand, OfTheNetworkAreVotedOnWhateverTheThreads) {
  auto generator = make_generator(7);
  Tensor x = torch::rand({1500, 3}, generator, torch::kFloat64);
  for (int64_t k = 0; k < 1500; ++k) x[k][k % 3] = 0;
  PointCloud cloud;
  cloud.points = x + 0.003 * torch::randn(x.sizes(), generator, torch::kFloat64);
  write_points(path("in.npy"), cloud);
  const auto normals = [&](const std::string& name, const std::string& options) {
    const Outcome result =
        run_program("normals --json " + options + " " + quoted("in.npy") + " -o " + quoted(name),
                    "", "2>/dev/null");
    EXPECT_EQ(result.code, 0) << result.out;
    return read_points(path(name)).normals;
  };
  const Tensor one = normals("one.npy", "--threads 1"), two = normals("two.npy", "--threads 2");
  EXPECT_TRUE(torch::equal(one, two));
  const Tensor alone = normals("alone.npy", "--votes none --choice none");
  const auto error = [](const Tensor& n) {
    const Tensor own = torch::arange(1500).remainder(3).unsqueeze(1);
    return n.abs().gather(1, own).clamp_max(1).acos().square().mean().item<double>();
  };
  EXPECT_LT(error(one), 0.8 * error(alone));
}

TEST_F(NormalsCommand, OfAFewPointsAreTheirPlanes) {
  test_support::write_file(path("three.xyz"), "0 0 5\n1 0 5\n0 1 5\n");
  const Outcome result = run_program("normals " + quoted("three.xyz") + " -o " + quoted("out.xyz") +
                                     " --report " + quoted("page.html"));
  ASSERT_EQ(result.code, 0) << result.out;
  const PointCloud out = read_points(path("out.xyz"));
  EXPECT_LT((out.normals.abs() - torch::tensor({0.f, 0.f, 1.f})).abs().max().item<float>(), 1e-6f);
  EXPECT_TRUE(std::filesystem::exists(path("page.html")));
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
      {quoted("in.ply") + to + " --method plane", "known: fa, pca, jet"},
      {quoted("in.ply") + to + " -k 9", "-k belongs to"},
      {quoted("in.ply") + to + " --method pca --model x", "belong to --method fa"},
      {quoted("in.ply") + to + " --model none.safetensors", "none.safetensors"},
      {quoted("in.ply") + to + " --max-memory much", "500MB"},
      {quoted("in.ply") + to + " --max-memory 1kB", "raise it"},
      {quoted("in.ply") + to + " --report /nowhere/page.html", "/nowhere/page.html"},
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
