#include <cmath>

#include "equiframe/averaging/quotient.h"
#include "equiframe/averaging/theorems.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/groups/product.h"
#include "laws/suite_parts.h"

namespace equiframe::inline laws {
namespace {

const Symmetry<EuclideanGroup> kRigid{EuclideanGroup::E(3), FieldType::parse("point + vector"),
                                      FieldType::parse("point")};

Tensor random_clouds(int64_t batch, at::Generator& generator) {
  return torch::randn({batch, 7, 6}, generator, torch::kFloat64);
}

/// Theorem 2: its two conditions, and the conclusion for S_n beside E(3).
void check_second_symmetry(const Recorder& recorder) {
  auto generator = make_generator(41);
  const Tensor x = random_clouds(6, generator);
  const SymmetricGroup nodes(7);
  const auto node = PermutationType::parse("node");
  const auto frame = make_frame("pca", kRigid.group, kRigid.in);
  const auto add = [&](const char* law, double error) {
    recorder.add(law, "E(3) x S(7) pca", torch::kFloat64, error, kAverageTolerance.float64);
  };
  add("Theorem 2: the actions commute",
      commutation_error(kRigid.group, kRigid.in, nodes, node, x, generator));
  add("Theorem 2: F(hX) = F(X)",
      frame_invariance_error(kRigid.group, *frame, nodes, node, x, generator));
  const RandomSetNetwork phi(6, 3, generator);
  const auto model = [&](const Batch& batch) {
    return equivariant_average(kRigid, (*frame)(batch), phi, batch);
  };
  using Both = ProductGroup<EuclideanGroup, SymmetricGroup>;
  const Both both(kRigid.group, nodes);
  const Symmetry<Both> joint{both, {kRigid.in, node}, {kRigid.out, node}};
  add("Theorem 2: equivariance to both", laws::equivariance_error(joint, model, x, generator));
}

/// Eqs. 4-5: averaging over a right frame is averaging over its inverses from the left.
void check_right_frames(const Recorder& recorder) {
  auto generator = make_generator(42);
  const Tensor x = random_clouds(4, generator);
  const RandomMlp phi(42, {7, 3}, generator);
  const auto frame = (*make_frame("pca", kRigid.group, kRigid.in))(x);
  const Tensor left = equivariant_average(kRigid, frame, phi, x);
  const Tensor right = right_average(kRigid, flip_side(kRigid.group, frame), phi, x);
  recorder.add("Eq. 5: right averaging", "E(3) pca", torch::kFloat64,
               laws::relative_difference(right, left), kAverageTolerance.float64);
}

void check_chunks(const Recorder& recorder) {
  auto generator = make_generator(43);
  const Tensor x = random_clouds(4, generator);
  const RandomMlp phi(42, {7, 3}, generator);
  const auto frame = (*make_frame("pca", kRigid.group, kRigid.in))(x);
  const Tensor whole = equivariant_average(kRigid, frame, phi, x);
  const Tensor chunked = equivariant_average(kRigid, frame, phi, x, {.max_bytes = 3 * 42 * 8});
  recorder.add("averaging in chunks", "E(3) pca", torch::kFloat64,
               laws::relative_difference(chunked, whole), kAverageTolerance.float64);
}

/// Theorem 4 for random backbones: sup_K |Psi - <Phi>| <= c sup_{K_F} |Psi - Phi|, as the excess of
/// the left side over the right, and c = 1 for an orthogonal action.
void check_expressive_power(const Recorder& recorder) {
  auto generator = make_generator(44);
  const auto frame = make_frame("pca", kRigid.group, kRigid.in);
  double excess = 0, constant = 0;
  for (int trial = 0; trial < 8; ++trial) {
    const Tensor x = random_clouds(8, generator);
    const RandomMlp phi(42, {7, 3}, generator), other(42, {7, 3}, generator);
    const auto target = [&](const Batch& batch) {
      return equivariant_average(kRigid, (*frame)(batch), other, batch);
    };
    const ExpressivePower both = expressive_power(kRigid, (*frame)(x), phi, target, x);
    excess = std::max(excess, both.averaged_error - both.constant * both.backbone_error);
    constant = std::max(constant, std::abs(both.constant - 1));
  }
  recorder.add("Theorem 4: excess over the bound", "E(3) pca", torch::kFloat64,
               std::max(0.0, excess), kAverageTolerance.float64);
  recorder.add("Definition 1.2: |c - 1|", "E(3) pca", torch::kFloat64, constant,
               kAverageTolerance.float64);
}

/// Theorem 5 against exact multinomial probabilities, over all empirical distributions of k draws
/// from m classes: the largest log(bound / probability), which must not be positive.
void check_sampling_bound(const Recorder& recorder) {
  double excess = -INFINITY;
  for (const int64_t m : {2, 3}) {
    for (int64_t k = 1; k <= 12; ++k) {
      for (int64_t a = 0; a <= k; ++a) {
        for (int64_t b = 0; b <= (m == 3 ? k - a : 0); ++b) {
          std::vector<int64_t> counts{a, m == 3 ? b : k - a};
          if (m == 3) counts.push_back(k - a - b);
          const double bound = log_sampling_bound(m, k, sampling_sup_error(counts));
          excess = std::max(excess, bound - log_multinomial_probability(counts));
        }
      }
    }
  }
  recorder.add("Theorem 5: log(bound / probability)", "m = 2, 3; k = 1..12", torch::kFloat64,
               excess, 1e-12);
}

}  // namespace

void check_theorems(const Recorder& recorder) {
  if (!recorder.filter().wants_dtype(torch::kFloat64)) return;
  check_second_symmetry(recorder);
  check_right_frames(recorder);
  check_chunks(recorder);
  check_expressive_power(recorder);
  check_sampling_bound(recorder);
}

}  // namespace equiframe::inline laws
