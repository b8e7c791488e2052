#include <cmath>
#include <numbers>

#include "geometry/search/neighbors.h"
#include "normals/learned/normal_estimator.h"
#include "tests/bindings/c/c_handles.h"

namespace equiframe::capi_test {
namespace {

/// Even points on a sphere, [points, 3]: their own normals.
Tensor sphere(int64_t points) {
  const double turn = std::numbers::pi * (3 - std::sqrt(5.0));
  const Tensor k = torch::arange(points, torch::kFloat64);
  const Tensor z = 1 - (2 * k + 1) / static_cast<double>(points), r = (1 - z * z).sqrt();
  return torch::stack({r * (turn * k).cos(), r * (turn * k).sin(), z}, 1);
}

CNormals load_normals(const std::string& patches, const char* votes, const char* choice = nullptr) {
  equiframe_normals* normals = nullptr;
  EXPECT_EQ(equiframe_normals_load(patches.c_str(), votes, choice, &normals), EQUIFRAME_OK)
      << equiframe_last_error();
  return CNormals(normals);
}

struct Found {
  std::vector<float> normals, confidence;
  std::vector<uint8_t> degenerate;
};

Found find(const equiframe_normals* handle, const Tensor& cloud) {
  const auto size = static_cast<size_t>(cloud.size(0));
  Found found{std::vector<float>(3 * size), std::vector<float>(size), std::vector<uint8_t>(size)};
  EXPECT_EQ(
      equiframe_normals_run(handle, cloud.size(0), cloud.data_ptr<double>(), found.normals.data(),
                            found.confidence.data(), found.degenerate.data()),
      EQUIFRAME_OK)
      << equiframe_last_error();
  return found;
}

TEST(CNormalsRun, GivesTheNumbersOfTheCppEstimator) {
  const std::string patches = shipped("normals-fa-patch"), votes = shipped("normals-votes"),
                    choice = shipped("normals-choice");
  const LoadedModel first = load_model(patches), second = load_model(votes),
                    third = load_model(choice);
  const Tensor cloud = sphere(400);
  const NeighborSearch search(cloud);
  for (const int files : {1, 2, 3}) {
    const NormalEstimator estimator(*first.model, files > 1 ? second.model.get() : nullptr,
                                    files > 2 ? third.model.get() : nullptr);
    const LearnedNormals expected = estimator.estimate(search);
    const CNormals handle = load_normals(patches, files > 1 ? votes.c_str() : nullptr,
                                         files > 2 ? choice.c_str() : nullptr);
    const Found found = find(handle.get(), cloud);
    EXPECT_EQ(found.normals, flat<float>(expected.normals));
    EXPECT_EQ(found.confidence, flat<float>(expected.confidence()));
    EXPECT_EQ(found.degenerate, std::vector<uint8_t>(400, 0));
    std::vector<float> alone(1200);  // nothing else asked for
    EXPECT_EQ(equiframe_normals_run(handle.get(), 400, cloud.data_ptr<double>(), alone.data(),
                                    nullptr, nullptr),
              EQUIFRAME_OK);
    EXPECT_EQ(alone, found.normals);
  }
}

TEST(CNormalsRun, FindsTheNormalsOfASphere) {
  const CNormals handle = load_normals(shipped("normals-fa-patch"), nullptr);
  const Tensor cloud = sphere(1000);
  const Found found = find(handle.get(), cloud);
  const Tensor normals = torch::tensor(found.normals).view({-1, 3}).to(torch::kFloat64);
  constexpr double kFiveDegrees = 0.9962;                                  // its cosine
  EXPECT_GT((normals * cloud).sum(1).min().item<double>(), kFiveDegrees);  // outward, too
}

TEST(CNormalsRun, MarksALine) {
  const CNormals handle = load_normals(shipped("normals-fa-patch"), nullptr);
  const Tensor line = torch::linspace(0, 1, 40, torch::kFloat64).view({-1, 1}).repeat({1, 3});
  EXPECT_EQ(find(handle.get(), line.contiguous()).degenerate, std::vector<uint8_t>(40, 1));
}

TEST(CNormalsRun, TakesThreePoints) {
  const CNormals handle = load_normals(shipped("normals-fa-patch"), nullptr);
  const Tensor corner = torch::eye(3, torch::kFloat64);
  for (const float c : find(handle.get(), corner).normals)
    EXPECT_NEAR(std::abs(c), std::sqrt(1.0 / 3), 1e-6);
}

TEST(CNormalsRun, RefusesCloudsThatAreNone) {
  const CNormals handle = load_normals(shipped("normals-fa-patch"), nullptr);
  std::vector<double> xyz(30, 0.5);
  std::vector<float> out(30, -7);
  const auto run = [&](const equiframe_normals* normals, int64_t points, const double* from,
                       float* to) {
    return equiframe_normals_run(normals, points, from, to, nullptr, nullptr);
  };
  expect_refused(run(nullptr, 10, xyz.data(), out.data()), "'handle' is NULL");
  expect_refused(run(handle.get(), 10, nullptr, out.data()), "'xyz' is NULL");
  expect_refused(run(handle.get(), 10, xyz.data(), nullptr), "'normals' is NULL");
  for (const int64_t points : {-1, 0, 2})
    expect_refused(run(handle.get(), points, xyz.data(), out.data()), "3 or more");
  expect_refused(run(handle.get(), int64_t{1} << 40, xyz.data(), out.data()), "2147483646");
  for (const double bad : {double{NAN}, double{INFINITY}, 1e200}) {
    xyz[13] = bad;
    expect_refused(run(handle.get(), 10, xyz.data(), out.data()), "row 4");
  }
  EXPECT_EQ(out, std::vector<float>(30, -7));
}

TEST(CNormalsLoad, RefusesOtherModels) {
  const std::string patches = shipped("normals-fa-patch"), votes = shipped("normals-votes");
  equiframe_normals* normals = nullptr;
  const auto refused = [&](const char* first, const char* second, const std::string& words) {
    normals = reinterpret_cast<equiframe_normals*>(&normals);
    expect_refused(equiframe_normals_load(first, second, nullptr, &normals), words);
    EXPECT_EQ(normals, nullptr);
  };
  refused(votes.c_str(), nullptr, "fa-patch");
  refused(patches.c_str(), patches.c_str(), "normal-votes");
  refused("no-such-file", nullptr, "no-such-file");
  refused(patches.c_str(), "no-such-file", "no-such-file");
  expect_refused(equiframe_normals_load(patches.c_str(), nullptr, votes.c_str(), &normals),
                 "normal-choice");
  refused(nullptr, nullptr, "'patches_path' is NULL");
  expect_refused(equiframe_normals_load(patches.c_str(), nullptr, nullptr, nullptr),
                 "'normals' is NULL");
  equiframe_normals_free(nullptr);
}

}  // namespace
}  // namespace equiframe::capi_test
