#include "datasets/solids/solids.h"

#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "equiframe/core/error.h"
#include "equiframe/io/point_files.h"
#include "tests/io/temporary_folder.h"

namespace equiframe {
namespace {

namespace fs = std::filesystem;
using data_test::message_of;
using data_test::read_file;
using data_test::TemporaryFolder;
using data_test::write_file;

/// Another program instead of equiframe-cad while the object lives.
class ScopedHelper {
 public:
  explicit ScopedHelper(const fs::path& program) {
    if (const char* former = getenv(kVariable)) former_ = former;
    setenv(kVariable, program.c_str(), 1);
  }
  ScopedHelper(const ScopedHelper&) = delete;
  ScopedHelper& operator=(const ScopedHelper&) = delete;
  ~ScopedHelper() { former_ ? setenv(kVariable, former_->c_str(), 1) : unsetenv(kVariable); }

 private:
  static constexpr const char* kVariable = "EQUIFRAME_CAD";
  std::optional<std::string> former_;
};

fs::path script(const TemporaryFolder& folder, const std::string& text) {
  const fs::path path = folder / "helper.sh";
  write_file(path, "#!/bin/sh\n" + text + "\n");
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST(SolidsWithoutHelper, SayWhatToInstall) {
  const TemporaryFolder folder;
  const ScopedHelper none(folder / "nothing");
  EXPECT_FALSE(solids_available());
  const std::string text = message_of<UserError>([] { random_solid(1, 0); });
  EXPECT_NE(text.find("install libocct-modeling-algorithms-dev"), std::string::npos) << text;
}

TEST(SolidsWithoutHelper, SayThatItCannotRun) {
  const TemporaryFolder folder;
  const ScopedHelper broken(script(folder, "exit 127"));  // as the loader does without a library
  EXPECT_TRUE(solids_available());
  const std::string text = message_of<UserError>([] { random_solid(1, 0); });
  EXPECT_NE(text.find("cannot run (exit code 127)"), std::string::npos) << text;
}

/// A crash is answered with another attempt; one that always crashes is given up.
TEST(SolidsWithoutHelper, SurviveCrashes) {
  const TemporaryFolder folder;
  const ScopedHelper crashing(
      script(folder, "echo x >> " + (folder / "starts").string() + "\nkill -SEGV $$"));
  const std::string text = message_of<UserError>([] { random_solid(1, 0); });
  EXPECT_NE(text.find("no valid solid in 100 attempts"), std::string::npos) << text;
  EXPECT_EQ(read_file(folder / "starts").size(), 200U);
}

constexpr uint64_t kSeed = 6;  // whose first models take little time

class Solids : public testing::Test {
 protected:
  void SetUp() override {
    if (!solids_available()) GTEST_SKIP() << "built without Open CASCADE";
  }
};

/// How many times a mesh goes around each point [P, 3]; by solid angles, for a few at a time.
Tensor winding_number(const PointCloud& mesh, const Tensor& points) {
  const auto towards = [&](int64_t k) {
    return mesh.points.index_select(0, mesh.faces.select(1, k)).unsqueeze(0) - points.unsqueeze(1);
  };
  const Tensor a = towards(0), b = towards(1), c = towards(2);  // [P, F, 3]
  const auto dot = [](const Tensor& x, const Tensor& y) { return (x * y).sum(2); };
  const Tensor la = a.norm(2, 2), lb = b.norm(2, 2), lc = c.norm(2, 2);
  const Tensor angle = at::atan2(dot(a, b.cross(c, 2)),
                                 la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  return angle.sum(1) / (2 * std::numbers::pi);
}

TEST_F(Solids, DependOnSeedAndNumberAlone) {
  const auto second = random_solid(kSeed, 2);
  const ShapeSamples samples = second->sample(200);
  EXPECT_FALSE(at::equal(samples.points, random_solid(kSeed, 1)->sample(200).points));
  const auto again = random_solid(kSeed, 2);
  EXPECT_EQ(again->recipe(), second->recipe());
  EXPECT_TRUE(at::equal(samples.points, again->sample(200).points));
  EXPECT_TRUE(at::equal(samples.normals, again->sample(200).normals));
  EXPECT_TRUE(at::equal(samples.edge_distance, again->sample(200).edge_distance));
  EXPECT_FALSE(at::equal(samples.points, again->sample(200, 1).points));
  EXPECT_THROW(random_solid(kSeed, -1), UserError);
}

TEST_F(Solids, AreSampledExactlyWithNormalsThatPointOut) {
  for (int64_t number = 0; number < 4; ++number) {
    const auto solid = random_solid(kSeed, number);
    const ShapeSamples samples = solid->sample(400);
    EXPECT_LT((samples.normals.norm(2, 1) - 1).abs().max().item<double>(), 1e-14);
    EXPECT_LE(samples.points.norm(2, 1).max().item<double>(), 1.01);
    const Tensor some = samples.points.narrow(0, 0, 15), out = samples.normals.narrow(0, 0, 15);
    EXPECT_LT(solid->distance(some).max().item<double>(), 1e-9) << solid->recipe();
    // Off the mesh by more than its error, and away from edges.
    const Tensor clear = samples.edge_distance.narrow(0, 0, 15) > 0.02;
    const PointCloud mesh = solid->mesh();
    const Tensor inside = winding_number(mesh, some - 0.004 * out).masked_select(clear);
    const Tensor outside = winding_number(mesh, some + 0.004 * out).masked_select(clear);
    EXPECT_TRUE(((inside - 1).abs() < 0.01).all().item<bool>()) << solid->recipe();
    EXPECT_TRUE((outside.abs() < 0.01).all().item<bool>()) << solid->recipe();
  }
}

TEST_F(Solids, HaveMeshesWithTheirNormals) {
  const auto solid = random_solid(kSeed, 3);
  const PointCloud fine = solid->mesh(), sketch = solid->mesh(MeshDetail::kSketch);
  EXPECT_GE(fine.faces.size(0), sketch.faces.size(0));
  EXPECT_LT(solid->distance(fine.points.slice(0, 0, 300, 10)).max().item<double>(), 1e-6);
  const auto corner = [&](int64_t k) {
    return fine.points.index_select(0, fine.faces.select(1, k));
  };
  const Tensor flat = (corner(1) - corner(0)).cross(corner(2) - corner(0), 1);
  const Tensor exact = fine.normals.index_select(0, fine.faces.select(1, 0)).to(at::kDouble);
  const Tensor agree = (flat * exact).sum(1) >= 0;
  EXPECT_GT(agree.to(at::kDouble).mean().item<double>(), 0.999);
}

TEST_F(Solids, AreWrittenAsStep) {
  const TemporaryFolder folder;
  const auto solid = random_solid(kSeed, 1);
  solid->write_step(folder / "a.step");
  random_solid(kSeed, 1)->write_step(folder / "b.step");
  const std::string text = read_file(folder / "a.step");
  EXPECT_EQ(text.rfind("ISO-10303-21;", 0), 0U);
  EXPECT_NE(text.find("MANIFOLD_SOLID_BREP"), std::string::npos);
  EXPECT_NE(text.find("END-ISO-10303-21;"), std::string::npos);
  EXPECT_TRUE(text == read_file(folder / "b.step")) << "not the same text twice";
}

TEST_F(Solids, AreReadFromStepAsTriangles) {
  const TemporaryFolder folder;
  const auto solid = random_solid(kSeed, 1);
  solid->write_step(folder / "a.step");
  const PointCloud mesh = read_points(folder / "a.step");
  EXPECT_LT(solid->distance(mesh.points.slice(0, 0, 300, 10)).max().item<double>(), 1e-5);
  EXPECT_GT(mesh.faces.size(0), 10);
  EXPECT_EQ(mesh.normals.sizes(), mesh.points.sizes());
}

TEST_F(Solids, DamagedStepFilesGetOneLine) {
  const TemporaryFolder folder;
  test_support::write_file(folder / "a.stp", "ISO-10303-21;\nHEADER;\nnothing");
  for (const char* name : {"a.stp", "none.step"}) {
    try {
      read_points(folder / name);
      FAIL() << name;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace equiframe
