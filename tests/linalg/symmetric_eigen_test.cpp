#include "linalg/symmetric_eigen.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/linalg/matrix_families.h"
#include "tests/linalg/reference.h"

namespace equiframe::kernels {
namespace {

using reference::Draw;
using reference::Family;
using reference::Matrix;
using reference::Random;

const Draw kRandom = reference::scaled("random", 1).draw;
constexpr int kCount = 3001;  // not a multiple of any register width

template <class T>
constexpr long double kTolerance = sizeof(T) == 8 ? 1e-14L : 1e-6L;

template <class T>
struct Decomposition {
  int d;
  std::vector<T> values, vectors;

  T vector(int item, int i, int j) const { return vectors[(item * d + i) * d + j]; }
};

template <class T>
Decomposition<T> decompose(SimdLevel level, int d, const std::vector<T>& matrices) {
  const auto count = static_cast<std::int64_t>(matrices.size()) / (d * d);
  Decomposition<T> result{d, std::vector<T>(count * d), std::vector<T>(count * d * d)};
  const EigenFunctions<T>& eigen = Table<EigenKernels>::at(level).of<T>();
  const auto eigh = d == 2 ? eigen.eigh2 : eigen.eigh3;
  eigh(count, matrices.data(), result.values.data(), result.vectors.data());
  return result;
}

/// The lower triangle as numbers of type T; what is above must not be read.
template <class T>
void append(int d, const Matrix& a, std::vector<T>& matrices) {
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) {
      matrices.push_back(j <= i ? static_cast<T>(a[i][j]) : std::numeric_limits<T>::quiet_NaN());
    }
  }
}

template <class T>
Matrix exact(int d, const std::vector<T>& matrices, int item) {
  Matrix a{};
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) {
      a[i][j] = matrices[(item * d + std::max(i, j)) * d + std::min(i, j)];
    }
  }
  return a;
}

/// Largest errors over a batch, relative to each matrix's norm.
struct Errors {
  long double reconstruction = 0, orthogonality = 0, values = 0;
  int unsorted = 0;
};

template <class T>
Errors errors_of(const std::vector<T>& matrices, const Decomposition<T>& e) {
  const int d = e.d;
  Errors worst;
  const auto raise = [](long double& most, long double error) {
    if (std::isnan(error) || error > most) most = error;  // a NaN stays
  };
  for (int n = 0; n * d * d < static_cast<int>(matrices.size()); ++n) {
    const Matrix a = exact(d, matrices, n);
    const long double scale = reference::norm(d, a) > 0 ? reference::norm(d, a) : 1;
    const T* values = e.values.data() + n * d;
    Matrix residual{}, gram{};
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < d; ++j) {
        residual[i][j] = -a[i][j];
        gram[i][j] = i == j ? -1 : 0;
        for (int k = 0; k < d; ++k) {
          const long double v = e.vector(n, i, k);
          residual[i][j] += v * values[k] * e.vector(n, j, k);
          gram[i][j] += static_cast<long double>(e.vector(n, k, i)) * e.vector(n, k, j);
        }
      }
    }
    raise(worst.reconstruction, reference::norm(d, residual) / scale);
    raise(worst.orthogonality, reference::norm(d, gram));
    const auto expected = reference::eigenvalues(d, a);
    for (int k = 0; k < d; ++k) raise(worst.values, std::abs(values[k] - expected[k]) / scale);
    worst.unsorted += std::is_sorted(values, values + d) ? 0 : 1;
  }
  return worst;
}

class SymmetricEigen : public testing::TestWithParam<SimdLevel> {
 protected:
  template <class T>
  static std::vector<T> batch(int d, const Draw& draw, int count = kCount) {
    Random random(7);
    std::vector<T> matrices;
    for (int n = 0; n < count; ++n) append(d, draw(d, random), matrices);
    return matrices;
  }

  template <class T>
  static void expect_accurate() {
    for (const int d : {2, 3}) {
      for (const Family& family : reference::families(sizeof(T) == 8 ? 1e300L : 1e35L)) {
        SCOPED_TRACE(family.name + ", d = " + std::to_string(d));
        const auto matrices = batch<T>(d, family.draw);
        const Errors errors = errors_of(matrices, decompose(GetParam(), d, matrices));
        EXPECT_LE(errors.reconstruction, kTolerance<T>);
        EXPECT_LE(errors.orthogonality, kTolerance<T>);
        EXPECT_LE(errors.values, kTolerance<T>);
        EXPECT_EQ(errors.unsorted, 0);
      }
    }
  }
};

TEST_P(SymmetricEigen, AccurateInDouble) {
  expect_accurate<double>();
}
TEST_P(SymmetricEigen, AccurateInFloat) {
  expect_accurate<float>();
}

TEST_P(SymmetricEigen, ErrorsSeeAWrongAnswer) {
  const auto matrices = batch<double>(3, kRandom, 10);
  auto wrong = decompose(GetParam(), 3, matrices);
  std::swap(wrong.values[0], wrong.values[1]);
  wrong.vectors[40] += 1e-10;
  const Errors errors = errors_of(matrices, wrong);
  EXPECT_GT(errors.reconstruction, 1e-3L);
  EXPECT_GT(errors.orthogonality, 1e-11L);
  EXPECT_GT(errors.values, 1e-3L);
  EXPECT_EQ(errors.unsorted, 1);
}

TEST_P(SymmetricEigen, DiagonalMatricesAreExact) {
  for (const int d : {2, 3}) {
    const auto matrices = batch<float>(d, reference::diagonal("", reference::independent).draw);
    const auto e = decompose(GetParam(), d, matrices);
    for (int n = 0; n < kCount; ++n) {
      std::vector<float> expected;
      for (int i = 0; i < d; ++i) expected.push_back(matrices[(n * d + i) * d + i]);
      std::sort(expected.begin(), expected.end());
      for (int j = 0; j < d; ++j) {
        EXPECT_EQ(e.values[n * d + j], expected[j]);
        int units = 0;
        for (int i = 0; i < d; ++i) units += std::abs(e.vector(n, i, j)) == 1;
        EXPECT_EQ(units, 1);
      }
    }
  }
}

TEST_P(SymmetricEigen, ZeroGivesTheIdentity) {
  const auto e = decompose(GetParam(), 3, std::vector<double>(9));
  EXPECT_EQ(e.values, std::vector<double>(3));
  EXPECT_EQ(e.vectors, (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST_P(SymmetricEigen, NonFiniteInputSpoilsItsOwnMatrixOnly) {
  for (const int d : {2, 3}) {
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      for (int i = 0; i < d; ++i) {
        for (int j = 0; j <= i; ++j) {
          auto matrices = batch<double>(d, kRandom, 5);
          const auto before = decompose(GetParam(), d, matrices);
          matrices[(2 * d + i) * d + j] = bad;
          const auto after = decompose(GetParam(), d, matrices);
          for (int k = 0; k < 5 * d; ++k) {
            EXPECT_TRUE(k / d == 2 ? std::isnan(after.values[k])
                                   : after.values[k] == before.values[k]);
          }
          for (int k = 0; k < 5 * d * d; ++k) {
            EXPECT_TRUE(k / d / d == 2 ? std::isnan(after.vectors[k])
                                       : after.vectors[k] == before.vectors[k]);
          }
        }
      }
    }
  }
}

TEST_P(SymmetricEigen, ResultDoesNotDependOnThePlaceInTheBatch) {
  const auto matrices = batch<float>(3, kRandom, 200);
  const auto all = decompose(GetParam(), 3, matrices);
  for (const int count : {1, 2, 3, 7, 15, 17, 64, 65, 130}) {
    for (const int first : {0, 1, 5, 70}) {
      const auto part = decompose(
          GetParam(), 3,
          std::vector<float>(matrices.begin() + first * 9, matrices.begin() + (first + count) * 9));
      EXPECT_TRUE(
          std::equal(part.values.begin(), part.values.end(), all.values.begin() + first * 3));
      EXPECT_TRUE(
          std::equal(part.vectors.begin(), part.vectors.end(), all.vectors.begin() + first * 9));
    }
  }
}

TEST_P(SymmetricEigen, LevelsAgreeToRounding) {
  const auto matrices = batch<double>(3, kRandom);
  const auto ours = decompose(GetParam(), 3, matrices);
  const auto base = decompose(SimdLevel::kBaseline, 3, matrices);
  for (int n = 0; n < kCount; ++n) {
    const double* l = base.values.data() + 3 * n;
    const double gap = std::min(l[1] - l[0], l[2] - l[1]);
    const double size = std::max(-l[0], l[2]);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(ours.values[3 * n + j], l[j], 1e-14 * size);
      double overlap = 0;
      for (int i = 0; i < 3; ++i) overlap += ours.vector(n, i, j) * base.vector(n, i, j);
      EXPECT_GE(std::abs(overlap), 1 - 1e-14 * (1 + size / gap));
    }
  }
}

TEST(SymmetricEigenDispatch, PublicFunctionsUseTheChosenLevel) {
  Random random(3);
  std::vector<double> matrices;
  append(3, reference::with_spectrum(3, {1, 2, 4}, random), matrices);
  const auto expected = decompose(simd_level(), 3, matrices);
  Decomposition<double> e{3, std::vector<double>(3), std::vector<double>(9)};
  eigh3(1, matrices.data(), e.values.data(), e.vectors.data());
  EXPECT_EQ(e.values, expected.values);
  EXPECT_EQ(e.vectors, expected.vectors);
}

INSTANTIATE_TEST_SUITE_P(Levels, SymmetricEigen, testing::ValuesIn(reference::levels()),
                         [](const auto& level) { return std::string(name(level.param)); });

}  // namespace
}  // namespace equiframe::kernels
