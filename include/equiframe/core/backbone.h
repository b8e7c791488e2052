#pragma once

#include <memory>
#include <utility>

#include <torch/nn/module.h>

#include "equiframe/core/batch.h"
#include "equiframe/export.h"

namespace equiframe::inline core {

/// Any trainable map of batched sets or graphs: x [M, N, C] -> [M, N, C'] or [M, C'].
class EQUIFRAME_API Backbone : public torch::nn::Module {
 public:
  virtual Tensor forward(const Batch& batch) = 0;
};

/// The type of the module's parameters; float32 for one without.
EQUIFRAME_API c10::ScalarType type_of(const torch::nn::Module& module);

/// Any LibTorch module with `forward(Tensor)` as a backbone.
template <class Holder>
class ModuleBackbone final : public Backbone {
 public:
  explicit ModuleBackbone(Holder module) : module_(register_module("module", std::move(module))) {}
  Tensor forward(const Batch& batch) override { return module_->forward(batch.x); }

 private:
  Holder module_;
};

template <class Holder>
std::shared_ptr<Backbone> as_backbone(Holder module) {
  return std::make_shared<ModuleBackbone<Holder>>(std::move(module));
}

}  // namespace equiframe::inline core
