#pragma once

#include <string>
#include <vector>

#include "equiframe/core/backbone.h"
#include "equiframe/training/config.h"

namespace equiframe::inline training {

/// All parameters of a module as one buffer: the parameters become views of it, each starting at a
/// cache line. Copying weights, averaging them and an optimiser step are one loop each.
class FlatParameters {
 public:
  explicit FlatParameters(torch::nn::Module& module);

  const Tensor& values() const { return values_; }  ///< [size()]
  int64_t size() const { return values_.numel(); }
  /// Copies [size()] numbers in.
  void assign(const Tensor& values);
  /// Another buffer of the same size and type, zero.
  Tensor zeros() const;
  /// Names, shapes and type: what must agree for two buffers to hold the same parameters.
  std::string layout() const;

  struct Part {
    std::string name;
    Tensor parameter;
    int64_t offset;
  };
  const std::vector<Part>& parts() const { return parts_; }

  /// Tells autograd and anybody who caches a function of the weights that they have changed.
  void mark_changed();
  void clear_gradients();
  /// Euclidean norm of the whole gradient, and a scaling of it.
  double gradient_norm() const;
  void scale_gradients(double factor);

 private:
  std::vector<Part> parts_;
  Tensor values_;
};

struct AdamOptions {
  OptimizerKind kind = OptimizerKind::kAdam;
  double weight_decay = 0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

/// Adam (Kingma & Ba 2015) and AdamW (Loshchilov & Hutter 2019). Parameters without a gradient
/// stay. Its state is the two moments; copy into them to restore it. The result does not depend on
/// threads or instruction sets.
class Adam {
 public:
  Adam(FlatParameters& parameters, const AdamOptions& options);

  /// Step number `step`, counted from 1, at rate `lr`.
  void step(int64_t step, double lr);

  const Tensor& mean() const { return mean_; }          ///< first moment, [size]
  const Tensor& variance() const { return variance_; }  ///< second moment, [size]

 private:
  FlatParameters& parameters_;
  AdamOptions options_;
  Tensor mean_;
  Tensor variance_;
};

/// average += (1 - d) (values - average) with d = min(decay, (1 + step) / (10 + step)), so that the
/// first steps do not weigh on it. `step` counts from 1.
void update_average(Tensor& average, const Tensor& values, double decay, int64_t step);

}  // namespace equiframe::inline training
