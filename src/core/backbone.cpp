#include "equiframe/core/backbone.h"

namespace equiframe::inline core {

c10::ScalarType type_of(const torch::nn::Module& module) {
  const auto parameters = module.parameters();
  return parameters.empty() ? torch::kFloat32 : parameters.front().scalar_type();
}

}  // namespace equiframe::inline core
