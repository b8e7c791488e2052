#include "nn/steerable/spherical_harmonics.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "equiframe/groups/euclidean.h"
#include "nn/steerable/angular_basis.h"
#include "nn/steerable/clebsch_gordan.h"

namespace equiframe {
namespace {

constexpr double kPi = std::numbers::pi;

Tensor random_directions(int64_t count, uint64_t seed) {
  auto generator = make_generator(seed);
  const Tensor x = torch::randn({count, 3}, generator, torch::kFloat64);
  return x / x.norm(2, 1, /*keepdim=*/true);
}

Tensor random_rotation(uint64_t seed) {
  auto generator = make_generator(seed);
  return haar_orthogonal(3, EuclideanGroup::Linear::kRotations, 1, generator).squeeze(0);
}

/// D_l(R), from Y_l(R u) = D_l(R) Y_l(u) at many directions u.
Tensor wigner(int64_t l, const Tensor& rotation) {
  const Tensor u = random_directions(64, 99);
  const auto part = [&](const Tensor& at) {
    return spherical_harmonics(at, l).narrow(1, l * l, 2 * l + 1);
  };
  const Tensor moved = part(u.matmul(rotation.t()));
  return torch::linalg_pinv(part(u)).matmul(moved).t();
}

/// One K_J at directions u, [P, 2 out + 1, 2 in + 1].
Tensor kernel(const AngularBasis& basis, const AngularBasis::Term& term, const Tensor& u) {
  const int64_t first = std::abs(term.in - term.out), count = term.in + term.out - first + 1;
  const int64_t in = 2 * term.in + 1, out = 2 * term.out + 1, e = u.size(0);
  return basis(u)
      .narrow(0, e * term.start, e * count * in * out)
      .view({e, count, in, out})
      .select(1, term.j - first)
      .mT();
}

double max_abs(const Tensor& x) {
  return x.abs().max().item<double>();
}

TEST(SphericalHarmonics, AreOrthonormalOnTheSphere) {
  // Gauss-Legendre in the height and equal steps in azimuth integrate degree 8 exactly.
  const Tensor off_diagonal = torch::arange(1, 8, torch::kFloat64);
  const Tensor beta = off_diagonal / (4 * off_diagonal.square() - 1).sqrt();
  const auto [nodes, vectors] = torch::linalg_eigh(torch::diag(beta, 1) + torch::diag(beta, -1));
  const Tensor weights = 2 * vectors[0].square();
  const Tensor azimuth = torch::arange(16, torch::kFloat64) * (2 * kPi / 16);
  const Tensor height = nodes.repeat_interleave(16), ring = (1 - height.square()).sqrt();
  const Tensor phi = azimuth.repeat({8});
  const Tensor u = torch::stack({ring * phi.sin(), height, ring * phi.cos()}, 1);
  const Tensor y = spherical_harmonics(u, 4);
  const Tensor measure = (weights * (2 * kPi / 16)).repeat_interleave(16);
  const Tensor gram = y.t().matmul(y * measure.unsqueeze(1));
  EXPECT_LT(max_abs(gram - torch::eye(25, torch::kFloat64)), 1e-13);
}

TEST(SphericalHarmonics, OfDegreeOneAreTheDirectionItself) {
  const Tensor u = random_directions(20, 1);
  const Tensor y = spherical_harmonics(u, 1).narrow(1, 1, 3);
  EXPECT_LT(max_abs(y - std::sqrt(3 / (4 * kPi)) * u), 1e-14);
}

TEST(SphericalHarmonics, RotateByRepresentations) {
  const Tensor rotation = random_rotation(2);
  EXPECT_LT(max_abs(wigner(1, rotation) - rotation), 1e-12);
  const Tensor u = random_directions(10, 3);
  for (const int64_t l : {2, 3, 4}) {
    const Tensor d = wigner(l, rotation);
    EXPECT_LT(max_abs(d.matmul(d.t()) - torch::eye(2 * l + 1, torch::kFloat64)), 1e-12);
    const Tensor moved = spherical_harmonics(u.matmul(rotation.t()), l);
    const Tensor expected = spherical_harmonics(u, l).narrow(1, l * l, 2 * l + 1).matmul(d.t());
    EXPECT_LT(max_abs(moved.narrow(1, l * l, 2 * l + 1) - expected), 1e-12) << l;
  }
}

TEST(SphericalHarmonics, HaveTheParityOfTheirDegree) {
  const Tensor u = random_directions(10, 4);
  for (const int64_t l : {0, 1, 2, 3, 4}) {
    const auto part = [&](const Tensor& at) {
      return spherical_harmonics(at, 4).narrow(1, l * l, 2 * l + 1);
    };
    EXPECT_LT(max_abs(part(-u) - (l % 2 == 0 ? 1 : -1) * part(u)), 1e-14) << l;
  }
}

TEST(SphericalHarmonics, PolesAndTheZeroVectorAreOrdinaryPoints) {
  const Tensor u =
      torch::tensor({{0., 1., 0.}, {0., -1., 0.}, {0., 0., 0.}}, torch::kFloat64).requires_grad_();
  const Tensor y = spherical_harmonics(u, 4);
  const Tensor gradient = torch::autograd::grad({y.sum()}, {u})[0];
  EXPECT_TRUE(torch::isfinite(y).all().item<bool>());
  EXPECT_TRUE(torch::isfinite(gradient).all().item<bool>());
  EXPECT_EQ(max_abs(y[2].narrow(0, 1, 24)), 0);
}

TEST(ClebschGordan, IsAnIsometryOntoItsDegree) {
  const Tensor q = real_clebsch_gordan(2, 1, 2);
  const Tensor gram = torch::einsum("abx,aby->xy", {q, q});
  EXPECT_LT(max_abs(gram - torch::eye(5, torch::kFloat64) / 5), 1e-14);
  EXPECT_THROW(real_clebsch_gordan(1, 1, 3), c10::Error);
}

TEST(AngularBasis, HasNineteenTermsForThreeDegrees) {
  EXPECT_EQ(AngularBasis(3).terms().size(), 19U);
  EXPECT_EQ(AngularBasis(2).terms().size(), 6U);
}

TEST(AngularBasis, IsEquivariantAndOfConstantNorm) {
  const AngularBasis basis(3);
  const Tensor u = random_directions(25, 5);
  const Tensor rotation = random_rotation(6);
  for (const auto& term : basis.terms()) {
    const Tensor k = kernel(basis, term, u);
    EXPECT_LT(max_abs(k.flatten(1).norm(2, 1) - 1 / std::sqrt(4 * kPi)), 1e-13);
    const Tensor turned = kernel(basis, term, u.matmul(rotation.t()));
    const Tensor expected =
        wigner(term.out, rotation).matmul(k).matmul(wigner(term.in, rotation).t());
    EXPECT_LT(max_abs(turned - expected), 1e-12)
        << "K_" << term.j << " from " << term.in << " to " << term.out;
  }
}

TEST(AngularBasis, MatchesTheClosedFormsUpToSign) {
  const AngularBasis basis(2);
  const Tensor u = random_directions(9, 7);
  const Tensor eye = torch::eye(3, torch::kFloat64).expand({9, 3, 3});
  const Tensor column = u.unsqueeze(2), row = u.unsqueeze(1);
  // [u]_x v = u x v
  const Tensor cross = torch::linalg_cross(u.unsqueeze(1).expand({9, 3, 3}), eye, -1).mT();
  const std::vector<Tensor> expected = {
      torch::full({9, 1, 1}, 1 / std::sqrt(4 * kPi), torch::kFloat64),
      column / std::sqrt(4 * kPi),
      row / std::sqrt(4 * kPi),
      eye / std::sqrt(12 * kPi),
      cross / std::sqrt(8 * kPi),
      std::sqrt(3 / (8 * kPi)) * (column * row - eye / 3)};
  ASSERT_EQ(basis.terms().size(), expected.size());
  for (size_t t = 0; t < expected.size(); ++t) {
    const Tensor k = kernel(basis, basis.terms()[t], u);
    const double error = std::min(max_abs(k - expected[t]), max_abs(k + expected[t]));
    EXPECT_LT(error, 1e-14) << "term " << t;
  }
}

}  // namespace
}  // namespace equiframe
