/// Every law must be able to fail: each is shown a mutant that breaks it.
#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/groups/any_group.h"
#include "equiframe/groups/product.h"
#include "equiframe/laws/laws.h"

namespace equiframe {
namespace {

constexpr double kClearly = 1e-3;

/// S_n with one wrong rule at a time.
template <int kWrong>
class WrongGroup : public SymmetricGroup {
 public:
  using SymmetricGroup::act;
  using SymmetricGroup::SymmetricGroup;
  Element identity() const {
    return kWrong == 0 ? torch::arange(size()).roll(1) : torch::arange(size());
  }
  Element compose(const Element& g, const Element& h) const {
    if (kWrong == 1) return SymmetricGroup::compose(SymmetricGroup::compose(g, g), h);
    if (kWrong == 4) return SymmetricGroup::compose(h, g);
    return SymmetricGroup::compose(g, h);
  }
  Element inverse(const Element& g) const { return kWrong == 2 ? g : SymmetricGroup::inverse(g); }
  Tensor act_inverse(const PermutationType& rho, const Element& g, const Tensor& x) const {
    return kWrong == 3 ? act(rho, g, x) : SymmetricGroup::act_inverse(rho, g, x);
  }
  Batch act_inverse(const PermutationType& rho, const Element& g, const Batch& x) const {
    return SymmetricGroup::act_inverse(rho, g, x);
  }
};

TEST(GroupMutants, AreCaught) {
  auto generator = make_generator(1);
  const Tensor x = torch::randn({8, 6, 2}, generator, torch::kFloat64);
  const PermutationType node;
  EXPECT_GT(laws::identity_error(WrongGroup<0>(6), generator), kClearly);
  EXPECT_GT(laws::unit_action_error(WrongGroup<0>(6), node, x), kClearly);
  EXPECT_GT(laws::associativity_error(WrongGroup<1>(6), generator), kClearly);
  EXPECT_GT(laws::inverse_error(WrongGroup<2>(6), generator), kClearly);
  EXPECT_GT(laws::inverse_action_error(WrongGroup<3>(6), node, x, generator), kClearly);
  EXPECT_GT(laws::homomorphism_error(WrongGroup<4>(6), node, x, generator), kClearly);
}

/// NaN is no small error.
TEST(GroupMutants, ThatGiveNaNAreCaught) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  const Symmetry<EuclideanGroup> symmetry{group, group.type("point"), group.type("point")};
  auto generator = make_generator(1);
  const Tensor x = torch::randn({4, 6, 3}, generator, torch::kFloat64);
  for (const double factor : {double{NAN}, double{INFINITY}}) {
    const auto lost = [&](const Tensor& points) -> Tensor { return points * factor; };
    EXPECT_EQ(laws::equivariance_error(symmetry, lost, Batch(x), generator), INFINITY);
    const Tensor one = torch::ones({2}, torch::kFloat64);
    EXPECT_EQ(laws::relative_difference(one, one * factor), INFINITY);
    EXPECT_EQ(laws::relative_difference(one * factor, one), INFINITY);
  }
}

/// A product of actions that do not commute is no representation.
TEST(GroupMutants, AProductOfActionsThatDoNotCommuteIsCaught) {
  const ProductGroup group(EuclideanGroup::O(2), SignFlips(2));
  auto generator = make_generator(2);
  const Tensor x = torch::randn({8, 3, 2}, generator, torch::kFloat64);
  EXPECT_GT(laws::homomorphism_error(group, group.type("vector & vector"), x, generator), kClearly);
}

/// Principal axes with one of the paper's ingredients left out.
enum class Slip {
  kNoSigns,     // one eigenbasis, signs as the solver returned them
  kLabSigns,    // signs by a rule of the laboratory frame: first component positive (P4)
  kNoCentre,    // the centroid forgotten
  kTransposed,  // the right rule stored as a left frame
  kWeights,     // weights that do not sum to one
  kFirstPoint,  // the origin at the first point: not invariant under reordering
};

class MutantFrame final : public Frame<EuclideanGroup> {
 public:
  explicit MutantFrame(Slip slip) : Frame(FrameGradient::kNone), slip_(slip) {}

 private:
  FrameSet<EuclideanGroup> compute(const Batch& batch, const Rng&) const override {
    const Tensor x = batch.x.narrow(2, 0, 3).to(torch::kFloat64);
    Tensor centre = x.mean(1, /*keepdim=*/true);
    if (slip_ == Slip::kNoCentre) centre = torch::zeros_like(centre);
    if (slip_ == Slip::kFirstPoint) centre = x.narrow(1, 0, 1);
    const Tensor y = x - centre;
    Tensor axes = std::get<1>(torch::linalg_eigh(y.transpose(1, 2).matmul(y)));
    FrameSet<EuclideanGroup> frame;
    if (slip_ == Slip::kLabSigns) axes = axes * axes.narrow(1, 0, 1).sign();
    frame.elements.linear = axes.unsqueeze(1);
    if (slip_ != Slip::kNoSigns && slip_ != Slip::kLabSigns) {
      const Tensor bits = torch::arange(8).unsqueeze(1).bitwise_right_shift(torch::arange(3));
      const Tensor signs = (1 - 2 * bits.bitwise_and(1)).to(torch::kFloat64);
      frame.elements.linear = axes.unsqueeze(1) * signs.view({1, 8, 1, 3});
    }
    if (slip_ == Slip::kTransposed)
      frame.elements.linear = frame.elements.linear.transpose(-1, -2).contiguous();
    const int64_t k = frame.elements.linear.size(1);
    frame.elements.shift = centre.expand({-1, k, -1});
    frame.weights = uniform_weights(x.size(0), k) * (slip_ == Slip::kWeights ? 0.9 : 1.0);
    return frame;
  }

  Slip slip_;
};

struct FrameErrors {
  double weights, elements, framed, average, projection, reordering;
};

FrameErrors errors_of(const Frame<EuclideanGroup>& frame) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  const Symmetry<EuclideanGroup> type{group, group.type("point"), group.type("vector")};
  auto generator = make_generator(3);
  const Tensor x = torch::randn({8, 7, 3}, generator, torch::kFloat64) + 1.0;
  const laws::RandomMlp phi(21, {7, 3}, generator);
  const laws::RandomSetNetwork set(3, 3, generator);
  const auto average = [&](const auto& net) {
    return [&](const Batch& b) { return equivariant_average(type, frame(b), net, b); };
  };
  const Symmetry<SymmetricGroup> reorder{SymmetricGroup(7), {}, {}};
  return {laws::weight_error(frame(x)),
          laws::frame_equivariance_error(group, frame, type.in, x, generator),
          laws::framed_set_error(group, frame, type.in, x, generator),
          laws::equivariance_error(type, average(phi), x, generator),
          laws::projection_error(type, frame, phi, x),
          laws::equivariance_error(reorder, average(set), x, generator)};
}

TEST(FrameMutants, AMissingSignIsCaught) {
  for (const Slip slip : {Slip::kNoSigns, Slip::kLabSigns}) {
    const FrameErrors errors = errors_of(MutantFrame(slip));
    EXPECT_GT(errors.elements, kClearly);
    EXPECT_GT(errors.framed, kClearly);
    EXPECT_GT(errors.average, kClearly);
  }
}

TEST(FrameMutants, AForgottenCentroidIsCaught) {
  const FrameErrors errors = errors_of(MutantFrame(Slip::kNoCentre));
  EXPECT_GT(errors.elements, kClearly);
  EXPECT_GT(errors.average, kClearly);
}

TEST(FrameMutants, ARightFrameStoredAsALeftOneIsCaught) {
  const FrameErrors errors = errors_of(MutantFrame(Slip::kTransposed));
  EXPECT_GT(errors.elements, kClearly);
  EXPECT_GT(errors.framed, kClearly);
  EXPECT_GT(errors.average, kClearly);
  EXPECT_GT(errors.projection, kClearly);
}

TEST(FrameMutants, WeightsThatAreNoDistributionAreCaught) {
  EXPECT_NEAR(errors_of(MutantFrame(Slip::kWeights)).weights, 0.1, 1e-12);
}

TEST(FrameMutants, DependenceOnTheOrderIsCaught) {
  const FrameErrors errors = errors_of(MutantFrame(Slip::kFirstPoint));
  EXPECT_LT(errors.average, 1e-10) << "still equivariant, the order aside";
  EXPECT_GT(errors.reordering, kClearly);
}

/// A biased draw is not equivariant in distribution.
TEST(FrameMutants, ABiasedDrawIsCaught) {
  const EuclideanGroup group = EuclideanGroup::E(3);
  const Symmetry<EuclideanGroup> type{group, group.type("point"), group.type("vector")};
  auto generator = make_generator(4);
  const Tensor x = torch::randn({1, 7, 3}, generator, torch::kFloat64);
  const laws::RandomMlp phi(21, {2, 3}, generator);
  EXPECT_GT(laws::distribution_error(type, MutantFrame(Slip::kLabSigns), phi, x, generator),
            laws::kStandardErrors);
}

}  // namespace
}  // namespace equiframe
