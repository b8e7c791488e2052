#include <algorithm>
#include <memory>

#include <torch/types.h>

#include "bindings/c/status.h"
#include "equiframe/models/model_file.h"
#include "normals/estimate_by.h"

struct equiframe_normals {  // NOLINT(readability-identifier-naming): a name of C
  equiframe::NormalEstimator estimator;
};

namespace equiframe::inline bindings {
namespace {

constexpr int64_t kMinPoints = 3;

NormalEstimator load_estimator(const char* patches_path, const char* votes_path,
                               const char* choice_path) {
  const auto patches = load_model(patches_path).model;
  const auto later = [](const char* path) -> std::shared_ptr<Model> {
    return path == nullptr ? nullptr : load_model(path).model;
  };
  return NormalEstimator(*patches, later(votes_path).get(), later(choice_path).get());
}

/// `xyz` [points, 3] without a copy.
PointCloud cloud_of(int64_t points, const double* xyz) {
  if (points < kMinPoints)
    throw UserError(
        c10::str("a cloud of ", points, " points has no normals; give ", kMinPoints, " or more"));
  PointCloud cloud;
  // from_blob knows no const; the search only reads.
  cloud.points = torch::from_blob(const_cast<double*>(xyz), {points, 3}, torch::kFloat64);
  return cloud;
}

template <class To, class From>
void copy_to(To* to, const Tensor& values) {
  if (to != nullptr) std::copy_n(values.data_ptr<From>(), values.numel(), to);
}

}  // namespace
}  // namespace equiframe::inline bindings

using equiframe::bindings::guarded;
using equiframe::bindings::require;

int equiframe_normals_load(const char* patches_path, const char* votes_path,
                           const char* choice_path, equiframe_normals** normals) {
  return guarded([&] {
    require(normals, "normals");
    *normals = nullptr;
    require(patches_path, "patches_path");
    *normals =
        std::make_unique<equiframe_normals>(equiframe_normals{equiframe::bindings::load_estimator(
                                                patches_path, votes_path, choice_path)})
            .release();
  });
}

void equiframe_normals_free(equiframe_normals* normals) {
  delete normals;
}

int equiframe_normals_run(const equiframe_normals* handle, int64_t points, const double* xyz,
                          float* normals, float* confidence, uint8_t* degenerate) {
  using equiframe::bindings::copy_to;
  return guarded([&] {
    require(handle, "handle");
    require(xyz, "xyz");
    require(normals, "normals");
    const equiframe::EstimatedNormals found = equiframe::normals::estimate_by(
        handle->estimator, equiframe::bindings::cloud_of(points, xyz));
    copy_to<float, float>(normals, found.normals);
    copy_to<float, float>(confidence, found.confidence);
    copy_to<uint8_t, bool>(degenerate, found.degenerate);
  });
}
