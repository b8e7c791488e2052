#include "equiframe/torchscript/script_model.h"

#include <mutex>

#include <torch/script.h>

#include "equiframe/core/error.h"
#include "io/bytes/input_file.h"
#include "torchscript/first_line.h"

namespace equiframe::inline torchscript {
namespace {

bool is_tensor(const c10::TypePtr& type) {
  return type->isSubtypeOf(*c10::OptionalType::ofTensor());
}

std::vector<ScriptModel::Argument> arguments_of(const torch::jit::Module& module) {
  const auto method = module.find_method("forward");
  if (!method) throw UserError("the TorchScript module has no forward");
  std::vector<ScriptModel::Argument> result;
  const auto& arguments = method->function().getSchema().arguments();
  result.reserve(arguments.size());
  for (size_t k = 1; k < arguments.size(); ++k)  // self is the first
    result.push_back({arguments[k].name(), is_tensor(arguments[k].type()),
                      arguments[k].default_value().has_value()});
  return result;
}

void append(std::vector<Tensor>& results, const c10::IValue& value) {
  if (value.isTensor()) {
    results.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const c10::IValue& part : value.toTuple()->elements()) append(results, part);
  } else {
    throw UserError("forward returns a " + value.tagKind() +
                    "; only tensors and tuples of tensors can be typed");
  }
}

}  // namespace

struct ScriptModel::Wide {
  torch::jit::Module& of(const torch::jit::Module& module) {
    std::call_once(made_, [&] {
      module_ = module.deepcopy();
      module_.to(torch::kFloat64);
      module_.eval();
    });
    return module_;
  }

 private:
  std::once_flag made_;
  torch::jit::Module module_;
};

ScriptModel ScriptModel::load(const std::filesystem::path& file) {
  require_ordinary_file(file);
  try {
    return ScriptModel(torch::jit::load(file.string(), torch::kCPU));
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    throw UserError("'" + file.string() +
                    "' is no TorchScript file; write one with torch.jit.script(model).save(...) or "
                    "torch.jit.trace (" +
                    first_line(error.what()) + ")");
  }
}

ScriptModel::ScriptModel(torch::jit::Module module)
    : module_(std::make_shared<torch::jit::Module>(std::move(module))),
      arguments_(arguments_of(*module_)),
      wide_(std::make_shared<Wide>()) {
  module_->eval();
}

c10::ScalarType ScriptModel::floating_type() const {
  for (const Tensor& parameter : module_->parameters())
    if (parameter.is_floating_point()) return parameter.scalar_type();
  return torch::kFloat32;
}

std::vector<Tensor> ScriptModel::run(const std::vector<Tensor>& inputs) const {
  const torch::NoGradGuard no_grad;
  return run_with_gradients(inputs);
}

std::vector<Tensor> ScriptModel::run_with_gradients(const std::vector<Tensor>& inputs) const {
  bool wide = false, narrow = false;
  for (const Tensor& x : inputs) {
    if (!x.defined()) continue;
    wide = wide || x.scalar_type() == torch::kFloat64;
    narrow = narrow || x.scalar_type() == torch::kFloat32;
  }
  torch::jit::Module& module = wide && !narrow ? wide_->of(*module_) : *module_;
  std::vector<c10::IValue> values;
  values.reserve(inputs.size());
  const auto& formal = module.get_method("forward").function().getSchema().arguments();
  for (size_t k = 0; k < inputs.size(); ++k) {
    const bool known = k + 1 < formal.size() && formal[k + 1].default_value().has_value();
    values.push_back(inputs[k].defined() ? c10::IValue(inputs[k])
                     : known             ? *formal[k + 1].default_value()
                                         : c10::IValue());
  }
  std::vector<Tensor> results;
  try {
    append(results, module.forward(values));
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    throw UserError("forward fails: " + last_line(error.what()));
  }
  return results;
}

}  // namespace equiframe::inline torchscript
