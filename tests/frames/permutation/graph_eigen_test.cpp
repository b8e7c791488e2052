#include "frames/permutation/graph_eigen.h"

#include <gtest/gtest.h>

#include "tests/frames/permutation/graph_zoo.h"

namespace equiframe {
namespace {

/// Largest of the residuals A V - V D, V^T V - 1 and of the difference to LAPACK's eigenvalues.
double decomposition_error(const Tensor& a) {
  const int64_t n = a.size(0);
  const Tensor flat = a.contiguous();
  const Eigen eigen = symmetric_eigen(
      n, std::vector<double>(flat.data_ptr<double>(), flat.data_ptr<double>() + n * n));
  const Tensor values = torch::tensor(eigen.values, torch::kFloat64);
  const Tensor rows = torch::tensor(eigen.vectors, torch::kFloat64).view({n, n});
  const auto largest = [](const Tensor& t) { return t.abs().max().item<double>(); };
  return std::max({largest(rows.matmul(a) - values.unsqueeze(1) * rows),
                   largest(rows.matmul(rows.t()) - torch::eye(n, torch::kFloat64)),
                   largest(values - torch::linalg_eigvalsh(a))});
}

TEST(GraphEigen, DecomposesRandomMatricesOfEverySize) {
  auto generator = make_generator(1);
  for (const int64_t n : {1, 2, 3, 4, 5, 8, 13, 33, 64, 100, 101, 140}) {
    const Tensor m = torch::randn({n, n}, generator, torch::kFloat64);
    EXPECT_LT(decomposition_error((m + m.t()) / (2 * std::sqrt(n))), 1e-13) << n;
  }
}

TEST(GraphEigen, DecomposesRepeatedAndZeroEigenvalues) {
  for (const auto& specimen : zoo::specimens()) {
    const Tensor a = specimen.adjacency;
    EXPECT_LT(decomposition_error((torch::diag(a.sum(1)) - a) / 8), 1e-13) << specimen.name;
  }
  EXPECT_EQ(decomposition_error(torch::zeros({5, 5}, torch::kFloat64)), 0);
}

TEST(GraphEigen, DecomposesGradedMatrices) {
  auto generator = make_generator(2);
  const Tensor scale = torch::logspace(0, -300, 20, 10, torch::kFloat64);
  const Tensor m = torch::randn({20, 20}, generator, torch::kFloat64);
  EXPECT_LT(decomposition_error((m + m.t()) * scale * scale.unsqueeze(1) / 8), 1e-13);
}

TEST(GraphEigen, IsAFunctionOfTheMatrixBitForBit) {
  const Tensor a = zoo::random_graph(37, 0.3, 5) / 8;
  const std::vector<double> matrix(a.data_ptr<double>(), a.data_ptr<double>() + a.numel());
  const Eigen first = symmetric_eigen(37, matrix);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const std::vector<double> shift(static_cast<size_t>(repeat));  // moves the work space
    const Eigen again = symmetric_eigen(37, matrix);
    EXPECT_EQ(again.values, first.values);
    EXPECT_EQ(again.vectors, first.vectors);
  }
}

/// Batches of every size and scale, of which only the lower triangle is read.
TEST(GraphEigen, DecomposesBatchesAtEveryScale) {
  auto generator = make_generator(3);
  for (const int64_t n : {1, 2, 3, 4, 5, 9, 101}) {
    for (const double scale : {1e-150, 1.0, 3e5, 1e150}) {
      const Tensor m = torch::randn({2, 3, n, n}, generator, torch::kFloat64);
      const Tensor a = scale * (m + m.mT()) / (2 * std::sqrt(n));
      const auto [values, vectors] = symmetric_eigen(
          torch::where(torch::ones({n, n}).tril() > 0, a, torch::full_like(a, NAN)));
      const auto largest = [](const Tensor& t) { return t.abs().max().item<double>(); };
      EXPECT_LT(largest(a.matmul(vectors) - vectors * values.unsqueeze(-2)), 1e-13 * scale) << n;
      EXPECT_LT(largest(vectors.mT().matmul(vectors) - torch::eye(n, torch::kFloat64)), 1e-13);
      EXPECT_TRUE((values.diff() >= 0).all().item<bool>());
    }
  }
}

TEST(GraphEigen, OfZerosIsExactAndOfNanIsNan) {
  for (const int64_t n : {1, 2, 3, 5}) {
    Tensor a = torch::zeros({2, n, n}, torch::kFloat64);
    a[1].fill_(NAN);
    const auto [values, vectors] = symmetric_eigen(a);
    EXPECT_TRUE(torch::equal(values[0], torch::zeros({n}, torch::kFloat64)));
    EXPECT_TRUE(torch::equal(vectors[0].abs(), torch::eye(n, torch::kFloat64)));
    EXPECT_TRUE(values[1].isnan().all().item<bool>() && vectors[1].isnan().all().item<bool>());
  }
}

}  // namespace
}  // namespace equiframe
