#include "nn/steerable/steerable_convolution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe::inline nn {
namespace {

Tensor uniform(at::IntArrayRef sizes, double bound) {
  return torch::empty(sizes).uniform_(-bound, bound);
}

/// The bounds of LibTorch's initial weights (Kaiming, for ReLU) and biases.
double kaiming(int64_t inputs) {
  return std::sqrt(6.0 / static_cast<double>(inputs));
}
double bias_bound(int64_t inputs) {
  return 1 / std::sqrt(static_cast<double>(inputs));
}

/// ReLU(layer norm(x) * scale + shift) over the last axis.
Tensor norm_relu(const Tensor& x, const Tensor& scale, const Tensor& shift) {
  return torch::addcmul(shift, torch::layer_norm(x, {x.size(-1)}), scale).relu();
}

}  // namespace

SteerableConvolution::SteerableConvolution(const AngularBasis& basis, Fiber in, Fiber out)
    : terms_(c10::make_intrusive<SteerableTerms>()),
      trunks_(
          register_module("radial", std::make_shared<RadialTrunks>(in.degrees() * out.degrees()))) {
  terms_->rows_out = out.rows();
  for (const AngularBasis::Term& term : basis.terms()) {
    if (!in.has(term.in) || !out.has(term.out)) continue;
    terms_->list.push_back(
        {.in = term.in,
         .out = term.out,
         .row_in = in.row(term.in),
         .row_out = out.row(term.out),
         .basis = term.start,
         .network = (term.in - in.first) * out.degrees() + term.out - out.first});
  }
  constexpr int64_t kWidth = RadialTrunks::kWidth;
  const auto terms = static_cast<int64_t>(terms_->list.size());
  weight_ = register_parameter(
      "weight", torch::cat({uniform({terms, kWidth, in.channels, out.channels}, kaiming(kWidth)),
                            uniform({terms, 1, in.channels, out.channels}, bias_bound(kWidth))},
                           1));
}

Tensor SteerableConvolution::forward(const Tensor& features, const ParticleGraph& graph) {
  return steerable_messages(terms_, {.features = features,
                                     .radial = trunks_->forward(graph.distance),
                                     .basis = graph.basis,
                                     .weight = weight_,
                                     .first = graph.pairs.first,
                                     .second = graph.pairs.second})
      .flatten(0, 1);
}

ChannelMixing::ChannelMixing(Fiber in, Fiber out) : in_(in), out_(out) {
  const int64_t shared = std::min(in.last, out.last) - std::max(in.first, out.first);
  const double scale = 1 / std::sqrt(static_cast<double>(in.channels));
  weight_ = register_parameter(
      "weight", scale * torch::randn({std::max<int64_t>(shared, 0), in.channels, out.channels}));
}

Tensor ChannelMixing::forward(const Tensor& features) {
  std::vector<Tensor> parts;
  for (int64_t l = out_.first, next = 0; l < out_.last; ++l) {
    parts.push_back(in_.has(l) ? features.narrow(1, in_.row(l), 2 * l + 1).matmul(weight_[next++])
                               : features.new_zeros({features.size(0), 2 * l + 1, out_.channels}));
  }
  return parts.size() == 1 ? parts[0] : torch::cat(parts, 1);
}

TensorFieldLayer::TensorFieldLayer(const AngularBasis& basis, Fiber in, Fiber out)
    : convolution_(
          register_module("convolution", std::make_shared<SteerableConvolution>(basis, in, out))),
      self_(register_module("self", std::make_shared<ChannelMixing>(in, out))) {}

Tensor TensorFieldLayer::forward(const Tensor& features, const ParticleGraph& graph) {
  const Tensor messages = convolution_->forward(features, graph);
  return sum_at_targets(graph, messages) / graph.incoming + self_->forward(features);
}

NormNonlinearity::NormNonlinearity(Fiber fiber, Layers layers) : fiber_(fiber) {
  const int64_t degrees = fiber.degrees(), channels = fiber.channels;
  scale_ = register_parameter("scale", torch::ones({degrees, channels}));
  shift_ = register_parameter("shift", torch::zeros({degrees, channels}));
  if (layers == Layers::kLinear) {
    weight_ =
        register_parameter("weight", uniform({degrees, channels, channels}, kaiming(channels)));
    bias_ = register_parameter("bias", uniform({degrees, 1, channels}, bias_bound(channels)));
  }
  degree_of_row_ = torch::repeat_interleave(2 * torch::arange(fiber.first, fiber.last) + 1);
}

Tensor NormNonlinearity::forward(const Tensor& features) {
  constexpr double kSmallest = 1e-12;  // length below which a feature has no direction
  const Tensor squares = features.new_zeros({features.size(0), fiber_.degrees(), fiber_.channels})
                             .index_add(1, degree_of_row_, features.square());
  const Tensor length = squares.clamp_min(kSmallest * kSmallest).sqrt();  // [M, degrees, channels]
  Tensor target = norm_relu(length, scale_, shift_);
  if (weight_.defined())
    target = torch::baddbmm(bias_, target.transpose(0, 1), weight_).transpose(0, 1);
  return features * (target / length).index_select(1, degree_of_row_);
}

SteerableOptions read_steerable_options(const Options& options, const std::string& model,
                                        SteerableOptions defaults) {
  constexpr int64_t kMaxDegree = 6;
  const SteerableOptions result{.width = options.get_int("width", defaults.width),
                                .degree = options.get_int("degree", defaults.degree),
                                .layers = options.get_int("layers", defaults.layers)};
  if (result.layers < 1) throw UserError("model '" + model + "': layers must be at least 1");
  if (result.degree < 1 || result.degree > kMaxDegree)
    throw UserError("model '" + model + "': degree must be 1 to " + std::to_string(kMaxDegree));
  if (result.width < result.degree)
    throw UserError("model '" + model + "': width must be at least degree, one channel for each");
  return result;
}

Tensor particle_features(const Particles& particles) {
  return torch::cat({particles.charge, particles.velocity}, 2).view({-1, kParticleFiber.rows(), 1});
}

}  // namespace equiframe::inline nn
