#include "equiframe/averaging/theorems.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/groups/any_group.h"
#include "equiframe/laws/laws.h"
#include "tests/support/euclidean.h"

namespace equiframe {
namespace {

using test_support::kE3;

/// Calls `visit` with every way to put k draws into m classes.
void for_all_counts(int64_t m, int64_t k, std::vector<int64_t>& counts,
                    const std::function<void(const std::vector<int64_t>&)>& visit) {
  if (m == 1) {
    counts.push_back(k);
    visit(counts);
    counts.pop_back();
    return;
  }
  for (int64_t first = 0; first <= k; ++first) {
    counts.push_back(first);
    for_all_counts(m - 1, k - first, counts, visit);
    counts.pop_back();
  }
}

TEST(Theorem5, BoundsEveryEmpiricalDistribution) {
  for (int64_t m = 1; m <= 4; ++m) {
    for (int64_t k = 1; k <= 10; ++k) {
      double total = 0;
      std::vector<int64_t> counts;
      for_all_counts(m, k, counts, [&](const std::vector<int64_t>& c) {
        const double log_p = log_multinomial_probability(c);
        total += std::exp(log_p);
        const double epsilon = sampling_sup_error(c);
        EXPECT_LE(log_sampling_bound(m, k, epsilon), log_p + 1e-12);
        EXPECT_LE(log_sampling_bound_as_stated(m, k, epsilon),
                  log_sampling_bound(m, k, epsilon) + 1e-12);
      });
      EXPECT_NEAR(total, 1.0, 1e-12) << "probabilities of m = " << m << ", k = " << k;
    }
  }
}

/// Without the factor (1 + k)^-m the statement is false: the test above can fail.
TEST(Theorem5, TheTypeCountIsNeeded) {
  const std::vector<int64_t> counts{5, 5};
  const double without = log_sampling_bound(2, 10, sampling_sup_error(counts)) + 2 * std::log(11.0);
  EXPECT_GT(without, log_multinomial_probability(counts));
}

/// F26: sup over |phi| <= 1 is attained at the signs, and random phi never exceed it.
TEST(Theorem5, SupErrorIsTwiceTheTotalVariation) {
  auto generator = make_generator(1);
  const std::vector<int64_t> counts{3, 0, 1, 2};
  const double sup = sampling_sup_error(counts);
  EXPECT_NEAR(sup, 2 * total_variation({0.5, 0, 1.0 / 6, 1.0 / 3}, {.25, .25, .25, .25}), 1e-15);
  for (int trial = 0; trial < 200; ++trial) {
    const Tensor a = 2 * torch::rand({4}, generator, torch::kFloat64) - 1;
    double difference = 0;
    for (int64_t j = 0; j < 4; ++j)
      difference +=
          a[j].item<double>() * (0.25 - static_cast<double>(counts[static_cast<size_t>(j)]) / 6);
    EXPECT_LE(std::abs(difference), sup + 1e-15);
  }
}

TEST(Theorem5, PinskerFromBothSides) {
  auto generator = make_generator(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Tensor raw = torch::rand({2, 5}, generator, torch::kFloat64) + 0.01;
    const Tensor normal = raw / raw.sum(1, /*keepdim=*/true);
    const auto row = [&](int64_t i) {
      const Tensor r = normal[i].contiguous();
      return std::vector<double>(r.data_ptr<double>(), r.data_ptr<double>() + 5);
    };
    const double kl = kl_divergence(row(0), row(1));
    EXPECT_GE(kl, pinsker_lower_bound(row(0), row(1)) - 1e-15);
    EXPECT_LE(kl, pinsker_upper_bound(row(0), row(1)) + 1e-15);
  }
  EXPECT_EQ(kl_divergence({1, 0}, {0.5, 0.5}), std::log(2.0));
}

/// F32: with the same number of draws, fewer classes give the smaller error.
TEST(Theorem5, FewerClassesApproximateBetter) {
  auto generator = make_generator(3);
  const auto error = [&](int64_t m, int64_t k) {
    double sum = 0;
    for (int trial = 0; trial < 400; ++trial) {
      const Tensor values = torch::rand({m}, generator, torch::kFloat64);
      const Tensor draws = torch::randint(m, {k}, generator, torch::kInt64);
      sum += (values.index_select(0, draws).mean() - values.mean()).abs().item<double>();
    }
    return sum;
  };
  EXPECT_LT(error(2, 4), error(8, 4));
  EXPECT_LT(error(1, 4), 1e-12);
}

TEST(Theorem4, TheBoundHoldsAndCanFail) {
  auto generator = make_generator(4);
  const Symmetry<EuclideanGroup> type{kE3, kE3.type("point"), kE3.type("vector")};
  const auto frame = make_frame("pca", kE3, type.in);
  const Tensor x = torch::randn({6, 7, 3}, generator, torch::kFloat64);
  const laws::RandomMlp phi(21, {7, 3}, generator), other(21, {7, 3}, generator);
  const auto target = [&](const Batch& batch) {
    return equivariant_average(type, (*frame)(batch), other, batch);
  };
  const ExpressivePower both = expressive_power(type, (*frame)(x), phi, target, x);
  EXPECT_TRUE(both.holds());
  EXPECT_GT(both.averaged_error, 0.01);
  EXPECT_NEAR(both.constant, 1.0, 1e-12);
  // A target that is not equivariant is outside the theorem: Psi = Phi on K_F makes the right side
  // zero, not the left.
  const ExpressivePower broken = expressive_power(type, (*frame)(x), phi, phi, x);
  EXPECT_FALSE(broken.holds());
}

/// Definition 1.2 for an action that is not orthogonal: the constant is seen.
TEST(Theorem4, TheConstantIsTheOperatorNorm) {
  auto generator = make_generator(5);
  const Tensor x = torch::randn({2, 7, 3}, generator, torch::kFloat64);
  auto frame = (*make_frame("pca", kE3, kE3.type("point")))(x);
  frame.elements.linear = frame.elements.linear * 3;
  const Symmetry<EuclideanGroup> type{kE3, kE3.type("point"), kE3.type("point")};
  EXPECT_NEAR(frame_bound(type, frame, x), 3.0, 1e-12);
}

TEST(Theorem2, ConditionsAreMeasured) {
  auto generator = make_generator(6);
  const Tensor x = torch::randn({4, 7, 3}, generator, torch::kFloat64);
  const SymmetricGroup nodes(7);
  const auto node = nodes.type("node");
  EXPECT_LT(commutation_error(kE3, kE3.type("point"), nodes, node, x, generator), 1e-13);
  EXPECT_LT(frame_invariance_error(kE3, *make_frame("pca", kE3, kE3.type("point")), nodes, node, x,
                                   generator),
            1e-12);
  // Rotations do not commute with flips of the coordinate axes, nor are frames invariant to them.
  const SignFlips flips(3);
  EXPECT_GT(commutation_error(kE3, kE3.type("point"), flips, flips.type("vector"), x, generator),
            0.1);
  EXPECT_GT(frame_invariance_error(kE3, *make_frame("pca", kE3, kE3.type("point")), flips,
                                   flips.type("vector"), x, generator),
            0.1);
}

}  // namespace
}  // namespace equiframe
