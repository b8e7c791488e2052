
#include <torch/types.h>

#include "equiframe/averaging/frame_average.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/models/model.h"
#include "nn/graphs/particles.h"
#include "nn/layers/cap_gradient.h"
#include "nn/layers/perceptron.h"

namespace equiframe::inline models {
namespace {

/// Unordered pairs i < j of particles. Pairs with padding are `absent`.
struct Pairs {
  Tensor first, second;  // [P] int64
  Tensor absent;         // [B, P] bool, undefined = none

  static Pairs of(int64_t nodes, const Tensor& mask) {
    const Tensor index = torch::triu_indices(nodes, nodes, 1);
    Pairs pairs{index[0], index[1], {}};
    if (mask.defined())
      pairs.absent =
          (mask.index_select(1, pairs.first) & mask.index_select(1, pairs.second)).logical_not();
    return pairs;
  }
  Tensor differences(const Tensor& x) const {  // [B, N, C] -> [B, P, C]
    return x.index_select(1, first) - x.index_select(1, second);
  }
  /// sum over the pairs of each particle, with opposite signs at both ends: [B, P, C] -> [B, N, C]
  Tensor balance(const Tensor& values, int64_t nodes) const {
    const Tensor zero = torch::zeros({values.size(0), nodes, values.size(2)}, values.options());
    return zero.index_add(1, first, values).index_add(1, second, -values);
  }
};

/// Samples under way: those that reach the end early leave.
struct State {
  Tensor item;                  // [M] int64, their place in the batch
  Tensor time;                  // [M]
  Tensor x, v, a;               // [M, N, 3]
  Tensor charge;                // [M, P, 1]
  Tensor separation, distance;  // [M, P, 3], [M, P, 1]
  Tensor force;                 // [M, P, 3]
  Pairs pairs;

  void select(const Tensor& rows) {
    for (Tensor* part : {&item, &time, &x, &v, &a, &charge, &separation, &distance, &force})
      *part = part->index_select(0, rows);
    if (pairs.absent.defined()) pairs.absent = pairs.absent.index_select(0, rows);
  }
};

/// What is averaged: a learned pair force, odd in r_ij but with no symmetry under rotations,
/// integrated over a unit of time by velocity Verlet with steps that follow the fastest pair.
///   f_ij = e^o0 (o1 u + O u),  (o0, o1, O) = MLP(log r, q_i q_j, u_x^2, ..., u_x u_z, ...),  u =
///   r_ij / r a_i = s sum_j f_ij,  s = (1 + (|sum f| / A)^4)^(-1/4): a learned bound A of
///   accelerations
class Verlet final : public Backbone {
 public:
  explicit Verlet(const Options& options)
      : cap_(options.get_double("gradient_cap", 0.5)),
        training_{options.get_double("train_accuracy", 0.2),
                  options.get_double("train_shortest", 0.002), options.get_double("longest", 0.2),
                  options.get_int("train_steps", 150)},
        evaluation_{options.get_double("accuracy", 0.15), options.get_double("shortest", 0.001),
                    options.get_double("longest", 0.2), options.get_int("steps", 2000)} {
    const int64_t width = options.get_int("width", 64);
    net_ = register_module("net",
                           std::make_shared<Perceptron>(std::vector<int64_t>{8, width, width, 11}));
    const torch::NoGradGuard guard;
    net_->last()->weight.mul_(0.1);  // start near free flight
    net_->last()->bias.zero_();
    lag_ = register_parameter("lag", torch::zeros({}));
    log_bound_ = register_parameter("log_bound", torch::full({}, 5.0));
  }

  Tensor forward(const Batch& batch) override {
    const Steps& steps = is_training() ? training_ : evaluation_;
    State s = start(batch);
    std::vector<Tensor> ends, items;
    for (int64_t n = 0; s.item.size(0) > 0; ++n) {
      const bool late = n >= steps.most;
      const Tensor done = late ? torch::ones_like(s.item).to(torch::kBool) : s.time > 1 - 1e-5;
      if (done.any().item<bool>()) {
        const Tensor rows = done.nonzero().squeeze(1);
        // A sample cut off before its time teaches nothing.
        const Tensor x = s.x.index_select(0, rows);
        ends.push_back(late ? x.detach() : x);
        items.push_back(s.item.index_select(0, rows));
        if (rows.size(0) == s.item.size(0)) break;
        s.select(done.logical_not().nonzero().squeeze(1));
      }
      advance(s, steps);
    }
    if (ends.empty()) return batch.x.narrow(2, 0, 3);
    const Tensor place = torch::cat(items).argsort(int64_t{0}, false);
    return torch::cat(ends).index_select(0, place);
  }

 private:
  /// Step lengths: accuracy times the time scale of the fastest pair, within bounds.
  struct Steps {
    double accuracy, shortest, longest;
    int64_t most;
  };

  State start(const Batch& batch) {
    const int64_t size = batch.size();
    State s;
    s.pairs = Pairs::of(batch.nodes(), batch.mask);
    s.item = torch::arange(size, torch::kLong);
    s.time = torch::zeros({size}, batch.x.options().requires_grad(false));
    s.x = batch.x.narrow(2, 0, 3);
    const Tensor q = batch.x.narrow(2, 6, 1);
    s.charge = q.index_select(1, s.pairs.first) * q.index_select(1, s.pairs.second);
    accelerate(s);
    s.v = batch.x.narrow(2, 3, 3) + lag_.to(batch.x.dtype()) * s.a;
    return s;
  }

  void accelerate(State& s) {
    Tensor r = s.pairs.differences(s.x);
    if (s.pairs.absent.defined()) r = r.masked_fill(s.pairs.absent.unsqueeze(-1), 1);
    const Tensor squared = r.square().sum(-1, /*keepdim=*/true) + 1e-8;
    s.separation = r;
    s.distance = squared.sqrt();
    const Tensor u = r / s.distance;
    const Tensor features =
        torch::cat({0.5 * squared.log(), s.charge, u * u, u * u.roll(1, -1)}, -1);
    const Tensor o = net_->forward(features);
    const Tensor turned = o.narrow(-1, 2, 9).unflatten(-1, {3, 3}).matmul(u.unsqueeze(-1));
    s.force = o.narrow(-1, 0, 1).clamp_max(7).exp() * (o.narrow(-1, 1, 1) * u + turned.squeeze(-1));
    if (s.pairs.absent.defined()) s.force = s.force.masked_fill(s.pairs.absent.unsqueeze(-1), 0);
    const Tensor sum = s.pairs.balance(s.force, s.x.size(1));
    const Tensor bound = (-2 * log_bound_.to(sum.dtype())).exp();
    const Tensor ratio = sum.square().sum(-1, /*keepdim=*/true) * bound;
    s.a = sum * (1 + ratio.square()).pow(-0.25);
  }

  /// 1 / tau^2 = max over pairs of |f| / r + |v_ij|^2 / r^2; what is left is cut into equal steps.
  static Tensor step_length(const State& s, const Steps& steps) {
    const torch::NoGradGuard guard;
    const Tensor distance = s.distance.squeeze(-1);
    Tensor rate = s.force.norm(2, -1) / distance +
                  s.pairs.differences(s.v).square().sum(-1) / distance.square();
    if (s.pairs.absent.defined()) rate = rate.masked_fill(s.pairs.absent, 0);
    const Tensor fastest = rate.size(1) > 0 ? std::get<0>(rate.max(1)) : torch::zeros_like(s.time);
    const Tensor h =
        (steps.accuracy * fastest.clamp_min(1e-12).rsqrt()).clamp(steps.shortest, steps.longest);
    const Tensor left = 1 - s.time;
    return left / (left / h - 1e-4).ceil().clamp_min(1);
  }

  void advance(State& s, const Steps& steps) {
    const Tensor step = step_length(s, steps);
    const Tensor h = step.view({-1, 1, 1});
    const Tensor middle = s.v + (0.5 * h) * s.a;
    s.x = s.x + h * middle;
    accelerate(s);
    s.v = middle + (0.5 * h) * s.a;
    s.time = s.time + step;
    if (!is_training()) return;
    s.x = cap_gradient(s.x, cap_);
    s.v = cap_gradient(s.v, cap_);
  }

  double cap_;
  Steps training_, evaluation_;
  std::shared_ptr<Perceptron> net_;
  Tensor lag_, log_bound_;
};

/// The integrator averaged over a frame of the positions. Evaluated in float64, because close pairs
/// are chaotic and would amplify the rounding of float32 into visible differences between g f(X)
/// and f(gX).
class FaVerlet final : public Model {
 public:
  explicit FaVerlet(const Options& options)
      : group_(parse_group(options.get("group", "E(3)"))), frame_(options.get("frame", "pca")) {
    const auto* group = std::get_if<EuclideanGroup>(&group_);
    if (group == nullptr || group->dim() != 3)
      throw UserError("fa-verlet: group must be one of E(3), SE(3), O(3) and SO(3)");
    const FieldType in = FieldType::parse("point + vector + scalar");
    average_ = register_module(
        "average", std::make_shared<FrameAverage<EuclideanGroup>>(
                       Symmetry<EuclideanGroup>{*group, in, FieldType::parse("point")},
                       make_frame(frame_, *group, in), std::make_shared<Verlet>(options)));
    const std::string while_training = options.get("train_frame", "sampled(k=1, base=pca)");
    if (!while_training.empty()) average_->train_with(make_frame(while_training, *group, in));
  }

  Signature signature() const override {
    Signature signature;
    signature.group = std::get<EuclideanGroup>(group_).name();
    signature.frame = frame_;
    return signature;
  }
  void set_rng(const Rng& rng) override { average_->set_rng(rng); }

  Tensor forward(const Batch& batch) override {
    read_particles(batch);  // refuses what is none
    const Tensor y =
        is_training()
            ? average_->forward(batch)
            : average_->forward(batch.with_x(batch.x.to(torch::kFloat64))).to(batch.x.dtype());
    return keep_padding(batch, y);
  }

 private:
  AnyGroup group_;
  std::string frame_;
  std::shared_ptr<FrameAverage<EuclideanGroup>> average_;
};

const bool kFaVerletRegistered = Models::instance().add(
    "fa-verlet", "a learned pair force and adaptive velocity Verlet, averaged over a frame",
    [](const Options& options) { return std::make_unique<FaVerlet>(options); });

}  // namespace
}  // namespace equiframe::inline models
