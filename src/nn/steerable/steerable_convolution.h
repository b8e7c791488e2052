#pragma once

#include <memory>
#include <string>

#include <torch/nn/module.h>

#include "equiframe/core/options.h"
#include "nn/steerable/particle_graph.h"
#include "nn/steerable/radial_trunks.h"
#include "nn/steerable/steerable_messages.h"

namespace equiframe::inline nn {

/// Features of degree [first, last), `channels` of each: a tensor [M, rows, channels] with the
/// 2 l + 1 components of degree l from row l^2 - first^2 on.
struct Fiber {
  int64_t first = 0;
  int64_t last = 1;
  int64_t channels = 1;

  int64_t degrees() const { return last - first; }
  int64_t rows() const { return last * last - first * first; }
  bool has(int64_t degree) const { return degree >= first && degree < last; }
  int64_t row(int64_t degree) const { return degree * degree - first * first; }
};

/// The pair-wise tensor-product convolution of tensor field networks (Thomas et al. 2018):
/// W(li -> lo) = sum_J R_J(r) K_J(u), one radial network for each (li, lo).
class SteerableConvolution final : public torch::nn::Module {
 public:
  SteerableConvolution(const AngularBasis& basis, Fiber in, Fiber out);

  /// features [nodes, rows, channels] of `in` -> the message of every edge,
  /// [2 P, rows, channels] of `out`
  Tensor forward(const Tensor& features, const ParticleGraph& graph);

 private:
  c10::intrusive_ptr<SteerableTerms> terms_;
  std::shared_ptr<RadialTrunks> trunks_;
  Tensor weight_;  // [terms, kWidth + 1, in channels, out channels], last row: bias
};

/// Mixes the channels of each degree that `in` and `out` share, without bias; the other degrees of
/// `out` are zero.
class ChannelMixing final : public torch::nn::Module {
 public:
  ChannelMixing(Fiber in, Fiber out);

  /// [M, rows, channels] of `in` -> the same of `out`
  Tensor forward(const Tensor& features);

 private:
  Fiber in_, out_;
  Tensor weight_;  // [shared degrees, in channels, out channels]
};

/// The mean of W h_src over the edges, plus S h_dst; a lone particle keeps the latter.
class TensorFieldLayer final : public torch::nn::Module {
 public:
  TensorFieldLayer(const AngularBasis& basis, Fiber in, Fiber out);

  /// [nodes, rows, channels] of `in` -> the same of `out`
  Tensor forward(const Tensor& features, const ParticleGraph& graph);

 private:
  std::shared_ptr<SteerableConvolution> convolution_;
  std::shared_ptr<ChannelMixing> self_;
};

/// Acts on the length of each feature and keeps its direction: n' = ReLU(layer norm(n)) over the
/// channels of a degree, then optionally lin(channels, channels).
class NormNonlinearity final : public torch::nn::Module {
 public:
  enum class Layers { kNone, kLinear };
  NormNonlinearity(Fiber fiber, Layers layers);

  Tensor forward(const Tensor& features);

 private:
  Fiber fiber_;
  Tensor scale_, shift_;  // [degrees, channels]
  Tensor weight_, bias_;  // [degrees, channels, channels] and [degrees, 1, channels], if any
  Tensor degree_of_row_;  // [rows] int64
};

/// The options tensor field networks and SE(3)-transformers share.
struct SteerableOptions {
  int64_t width;   ///< channels of all degrees together, split evenly
  int64_t degree;  ///< number of degrees of the hidden features
  int64_t layers;

  Fiber hidden() const { return {0, degree, width / degree}; }
};
/// The options of `model`; `defaults` where they are silent.
SteerableOptions read_steerable_options(const Options& options, const std::string& model,
                                        SteerableOptions defaults);

/// What the particles bring: their charge as degree 0 and their velocity as degree 1.
inline constexpr Fiber kParticleFiber{.first = 0, .last = 2, .channels = 1};
/// What a model makes of them: one vector.
inline constexpr Fiber kDisplacementFiber{.first = 1, .last = 2, .channels = 1};
Tensor particle_features(const Particles& particles);  // [B N, 4, 1]

}  // namespace equiframe::inline nn
