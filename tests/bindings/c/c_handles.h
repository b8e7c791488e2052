// The C interface as a test in C++ likes it, and models to load.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "equiframe.h"
#include "equiframe/models/model_file.h"
#include "tests/support/source_tree.h"
#include "tests/support/temporary_folder.h"

namespace equiframe::capi_test {

struct Free {
  void operator()(equiframe_model* model) const { equiframe_model_free(model); }
  void operator()(equiframe_normals* normals) const { equiframe_normals_free(normals); }
};
using CModel = std::unique_ptr<equiframe_model, Free>;
using CNormals = std::unique_ptr<equiframe_normals, Free>;

/// A file of models/.
inline std::string shipped(const std::string& name) {
  return (test_support::source_tree() / "models" / (name + ".safetensors")).string();
}

inline CModel load(const std::string& path) {
  equiframe_model* model = nullptr;
  EXPECT_EQ(equiframe_model_load(path.c_str(), &model), EQUIFRAME_OK) << equiframe_last_error();
  return CModel(model);
}

inline equiframe_model_info describe(const equiframe_model* model) {
  equiframe_model_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(equiframe_model_describe(model, &info), EQUIFRAME_OK) << equiframe_last_error();
  return info;
}

inline int run(equiframe_model* model, int64_t batch, int64_t nodes, const float* in, float* out) {
  return equiframe_model_run_f32(model, batch, nodes, in, out);
}
inline int run(equiframe_model* model, int64_t batch, int64_t nodes, const double* in,
               double* out) {
  return equiframe_model_run_f64(model, batch, nodes, in, out);
}

/// What the model gives for x [B, N, C], flat; empty if it failed.
template <class T>
std::vector<T> output(equiframe_model* model, const Tensor& x) {
  int64_t count = 0;
  if (equiframe_model_output_size(model, x.size(0), x.size(1), &count) != EQUIFRAME_OK) return {};
  std::vector<T> out(static_cast<size_t>(count));
  const Tensor numbers = x.to(c10::CppTypeToScalarType<T>::value).contiguous();
  if (run(model, x.size(0), x.size(1), numbers.data_ptr<T>(), out.data()) != EQUIFRAME_OK)
    return {};
  return out;
}

template <class T>
std::vector<T> flat(const Tensor& y) {
  const Tensor numbers = y.detach().to(c10::CppTypeToScalarType<T>::value).contiguous();
  return {numbers.data_ptr<T>(), numbers.data_ptr<T>() + numbers.numel()};
}

/// Particles [batch, nodes, 7].
inline Tensor particles(int64_t batch, int64_t nodes, uint64_t seed = 3) {
  return torch::randn({batch, nodes, 7}, make_generator(seed), torch::kFloat64);
}

/// A model file with random weights that goes with the object.
class ModelFile {
 public:
  explicit ModelFile(const Choice& architecture, c10::ScalarType type = torch::kFloat32,
                     const Batch& reference = particles(3, 4)) {
    torch::manual_seed(5);
    const auto model = build_model(architecture, type);
    ModelCard card;
    card.architecture = architecture;
    save_model(path(), *model, card, reference);
  }
  std::string path() const { return (folder_ / "model.safetensors").string(); }

 private:
  test_support::TemporaryFolder folder_;
};

inline ModelFile small_model(c10::ScalarType type = torch::kFloat32) {
  return ModelFile({"fa-gnn", {{"width", "6"}, {"layers", "2"}}}, type);
}

/// A call that must be refused: with this status, and one line that holds `words`.
inline void expect_refused(int status, const std::string& words) {
  const std::string text = equiframe_last_error();
  EXPECT_EQ(status, EQUIFRAME_WRONG_INPUT) << text;
  EXPECT_NE(text.find(words), std::string::npos) << "'" << words << "' not in '" << text << "'";
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

}  // namespace equiframe::capi_test
