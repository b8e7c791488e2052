// Linear layers with batch norm on rows [R, C], whatever the rows are: points, clouds or copies.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include "equiframe/core/tensor.h"

namespace equiframe::inline nn {

/// What multiplies negative values behind a batch norm.
namespace slope {
inline constexpr double kNone = 1;  ///< no activation
inline constexpr double kRelu = 0;
inline constexpr double kLeaky = 0.2;
}  // namespace slope

/// Batch norm over the rows and a leaky ReLU, as one fused pass. In training by the statistics of
/// the rows, in `eval()` by their running means; a single row has no statistics and is normalised
/// as in `eval()`.
class RowNorm final : public torch::nn::Module {
 public:
  static constexpr double kEps = 1e-5, kMomentum = 0.1;

  explicit RowNorm(int64_t channels);

  /// Whether x is needed afterwards, or its memory may hold the result where no gradient is asked
  /// for.
  enum class Input { kKept, kSpent };
  /// x [R, C].
  Tensor forward(const Tensor& x, double slope, Input input = Input::kKept);

  /// Mean and variance [C] that normalise `count` rows; undefined tensors: they are to be measured.
  struct Statistics {
    Tensor mean, variance;
  };
  Statistics known(int64_t count) const;
  struct Weights {
    Tensor weight, bias;
  };
  struct Gradients {
    Tensor x, weight, bias;
  };
  /// Moves the running means towards what was measured of `count` rows.
  void observe(const Tensor& mean, const Tensor& variance, int64_t count);

  Tensor weight, bias;                    // [C]
  Tensor running_mean, running_variance;  // [C]
};

/// leaky(norm(W x + b)) for rows x [R, in].
class NormLinear final : public torch::nn::Module {
 public:
  enum class Bias { kNo, kYes };

  NormLinear(int64_t in, int64_t out, double slope, Bias bias = Bias::kYes);

  Tensor forward(const Tensor& x) { return finish(linear->forward(x)); }
  /// leaky(norm(x)) of x = W x + b that was computed elsewhere and is not needed afterwards.
  Tensor finish(const Tensor& x) { return norm->forward(x, slope_, RowNorm::Input::kSpent); }
  /// Columns [first, first + count) of W, transposed, as the right factor of a product.
  Tensor columns(int64_t first, int64_t count) const {
    return linear->weight.narrow(1, first, count).t();
  }

  torch::nn::Linear linear{nullptr};
  std::shared_ptr<RowNorm> norm;

 private:
  double slope_;
};

/// Mean and variance of each column of x [R, C], contiguous; [C] float64.
RowNorm::Statistics measure_rows(const Tensor& x);

/// The passes of a norm for other fused layers: x and y [R, C] contiguous, y may be x.
void norm_rows(const Tensor& x, const RowNorm::Statistics& statistics,
               const RowNorm::Weights& weights, double slope, const Tensor& y);
/// Where statistics come from decides what flows through them.
enum class Measured { kHere, kBefore };
RowNorm::Gradients norm_rows_backward(const Tensor& x, const Tensor& dy,
                                      const RowNorm::Statistics& statistics,
                                      const RowNorm::Weights& weights, double slope,
                                      Measured measured);

}  // namespace equiframe::inline nn
