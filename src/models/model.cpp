#include "equiframe/models/model.h"

#include "core/default_generator.h"

namespace equiframe::inline models {

std::unique_ptr<Model> make_model(const std::string& call) {
  const auto [name, options] = Options::parse_call(call);
  default_generator();  // says what is missing if there is none to draw weights from
  auto model = Models::instance().make(name, options);
  options.refuse_unread("model '" + name + "'");
  return model;
}

int64_t parameter_count(const torch::nn::Module& module) {
  int64_t count = 0;
  for (const Tensor& parameter : module.parameters()) count += parameter.numel();
  return count;
}

}  // namespace equiframe::inline models
