// The C interface where memory runs out: a status and a text, nothing half made, and the next call
// works.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "tests/bindings/c/c_handles.h"
#include "tests/memory/failing_allocations.h"

namespace equiframe::capi_test {
namespace {

using memory_test::expect_survival;
using memory_test::report_fault;

constexpr int kInterfacePlaces = 25;

/// Throws what a caller sees if the call did not end well.
void require_ok(int status) {
  if (status == EQUIFRAME_OK) return;
  if (status != EQUIFRAME_INTERNAL) report_fault("not the status of missing memory");
  throw std::runtime_error(equiframe_last_error());
}

void survives_loading(const std::string& path) {
  expect_survival("load " + path, kInterfacePlaces, [&] {
    equiframe_model* model = nullptr;
    const int status = equiframe_model_load(path.c_str(), &model);
    if (status != EQUIFRAME_OK && model != nullptr) report_fault("a model in spite of the status");
    equiframe_model_free(model);
    require_ok(status);
  });
}

template <class T>
void survives_running(const std::string& path, int64_t nodes, int64_t channels) {
  const CModel model = load(path);
  constexpr int64_t kItems = 2;
  const std::vector<T> in =
      flat<T>(torch::randn({kItems, nodes, channels}, make_generator(3), torch::kFloat64));
  int64_t count = 0;
  ASSERT_EQ(equiframe_model_output_size(model.get(), kItems, nodes, &count), EQUIFRAME_OK);
  std::vector<T> out(static_cast<size_t>(count), -7), expected = out;
  ASSERT_EQ(run(model.get(), kItems, nodes, in.data(), expected.data()), EQUIFRAME_OK);
  const std::vector<T> untouched = out;
  expect_survival("run " + path, kInterfacePlaces, [&] {
    std::copy(untouched.begin(), untouched.end(), out.begin());
    const int status = run(model.get(), kItems, nodes, in.data(), out.data());
    if (status == EQUIFRAME_OK && out != expected) report_fault("other numbers");
    if (status != EQUIFRAME_OK && out != untouched) report_fault("half an answer");
    require_ok(status);
  });
}

TEST(CMemory, ParticleModelsSurviveItsLack) {
  for (const char* name : {"fa-gnn", "egnn", "tfn"}) {
    const ModelFile file({name, {}});
    survives_loading(file.path());
    survives_running<float>(file.path(), 5, 7);
  }
  survives_running<double>(shipped("nbody-fa-verlet"), 5, 7);
}

TEST(CMemory, CloudModelsSurviveItsLack) {
  const Batch clouds(torch::randn({2, 24, 3}, make_generator(1), torch::kFloat64));
  for (const char* name : {"fa-dgcnn", "fa-local-pointnet", "vn-dgcnn"}) {
    const ModelFile file({name, {}}, torch::kFloat32, clouds);
    survives_running<float>(file.path(), 24, 3);
  }
}

/// Weights are converted by the first call in another type.
TEST(CMemory, ConversionSurvivesItsLack) {
  const ModelFile file = small_model();
  const std::vector<double> in = flat<double>(particles(1, 5));
  expect_survival("convert", kInterfacePlaces, [&] {
    equiframe_model* model = nullptr;
    require_ok(equiframe_model_load(file.path().c_str(), &model));
    const CModel owner(model);
    std::array<double, 15> out;
    require_ok(run(model, 1, 5, in.data(), out.data()));
  });
}

TEST(CMemory, NormalsSurviveItsLack) {
  const std::string patches = shipped("normals-fa-patch"), votes = shipped("normals-votes"),
                    choice = shipped("normals-choice");
  equiframe_normals* made = nullptr;
  const auto load_all = [&] {
    made = nullptr;
    return equiframe_normals_load(patches.c_str(), votes.c_str(), choice.c_str(), &made);
  };
  expect_survival("load normals", kInterfacePlaces, [&] {
    const int status = load_all();
    equiframe_normals_free(made);
    require_ok(status);
  });
  ASSERT_EQ(load_all(), EQUIFRAME_OK);
  const CNormals handle(made);
  constexpr int64_t kPoints = 300;
  const std::vector<double> xyz =
      flat<double>(torch::randn({kPoints, 3}, make_generator(2), torch::kFloat64));
  std::vector<float> normals(3 * kPoints);
  expect_survival("run normals", kInterfacePlaces, [&] {
    require_ok(
        equiframe_normals_run(handle.get(), kPoints, xyz.data(), normals.data(), nullptr, nullptr));
  });
}

}  // namespace
}  // namespace equiframe::capi_test
