#include <stdexcept>

#include <gtest/gtest.h>

#include "linalg/pca.h"
#include "linalg/symmetric_eigen.h"
#include "tests/linalg/reference.h"

namespace equiframe::kernels {
namespace {

using reference::Matrix;
using reference::Random;

double determinant(int d, const double* a) {
  if (d == 2) return a[0] * a[3] - a[1] * a[2];
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
         a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/// Random orthonormal axes of both hands, [count, d, d].
std::vector<double> random_axes(int count, int d) {
  Random random(5);
  std::vector<double> axes;
  for (int n = 0; n < count; ++n) {
    const Matrix r = reference::rotation(d, random);
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < d; ++j) axes.push_back(static_cast<double>(r[i][j]));
    }
  }
  return axes;
}

class SignedBases : public testing::TestWithParam<SimdLevel> {
 protected:
  template <class T>
  static std::vector<T> bases_of(int d, const std::vector<double>& axes, Handedness handedness) {
    const auto count = static_cast<std::int64_t>(axes.size()) / (d * d);
    std::vector<T> bases(count * sign_choices(d, handedness) * d * d);
    const PcaFunctions<T>& pca = Table<PcaKernels>::at(GetParam()).of<T>();
    (d == 2 ? pca.bases2 : pca.bases3)(count, axes.data(), handedness, bases.data());
    return bases;
  }

  template <class T>
  static void expect_bits_are_signs(int d, Handedness handedness) {
    constexpr int kCount = 9;
    const auto axes = random_axes(kCount, d);
    const auto bases = bases_of<T>(d, axes, handedness);
    const auto choices = static_cast<int>(sign_choices(d, handedness));
    const int free = handedness == Handedness::kBoth ? d : d - 1;
    for (int m = 0; m < kCount * choices; ++m) {
      double basis[9];
      for (int e = 0; e < d * d; ++e) {
        const auto axis = static_cast<T>(axes[m / choices * d * d + e]);
        const bool negative = ((m % choices) >> (e % d)) & 1;
        basis[e] = bases[m * d * d + e];
        EXPECT_EQ(e % d < free ? basis[e] : std::abs(basis[e]),
                  e % d < free ? (negative ? -axis : axis) : std::abs(axis));
      }
      EXPECT_TRUE(handedness == Handedness::kBoth || determinant(d, basis) > 0);
    }
  }
};

TEST_P(SignedBases, BitsAreSignsOfColumns) {
  for (const int d : {2, 3}) {
    for (const Handedness handedness : {Handedness::kBoth, Handedness::kRightOnly}) {
      expect_bits_are_signs<float>(d, handedness);
      expect_bits_are_signs<double>(d, handedness);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, SignedBases, testing::ValuesIn(reference::levels()),
                         [](const auto& level) { return std::string(name(level.param)); });

TEST(PcaFrames, AreMomentsThenAxesThenSigns) {
  constexpr std::int64_t kCount = 150, kPoints = 12;
  Random random(9);
  std::normal_distribution<float> normal;
  for (const std::int64_t d : {2, 3}) {
    std::vector<float> points(kCount * kPoints * d);
    for (float& x : points) x = normal(random);
    const PointSets<float> sets{points.data(), nullptr, kCount, kPoints, d, d};
    std::vector<double> centre(kCount * d), covariance(kCount * d * d), values(kCount * d),
        axes(kCount * d * d);
    centred_moments(sets, Centre::kMean, centre.data(), covariance.data());
    (d == 2 ? static_cast<void (*)(std::int64_t, const double*, double*, double*)>(eigh2)
            : static_cast<void (*)(std::int64_t, const double*, double*, double*)>(eigh3))(
        kCount, covariance.data(), values.data(), axes.data());
    std::vector<float> bases(kCount * sign_choices(d, Handedness::kRightOnly) * d * d);
    signed_bases(kCount, d, axes.data(), Handedness::kRightOnly, bases.data());

    std::vector<double> fused_centre(centre.size()), fused_values(values.size()),
        fused_axes(axes.size());
    std::vector<float> fused_bases(bases.size());
    pca_frames<float>(
        sets, Centre::kMean, Handedness::kRightOnly,
        {fused_bases.data(), fused_centre.data(), fused_values.data(), fused_axes.data()});
    EXPECT_EQ(fused_centre, centre);
    EXPECT_EQ(fused_values, values);
    EXPECT_EQ(fused_axes, axes);
    EXPECT_EQ(fused_bases, bases);
    pca_frames<float>(sets, Centre::kMean, Handedness::kRightOnly, {});
  }
}

TEST(PcaFrames, OnePointIsItsOwnCentre) {
  const float point[3] = {3, -4, 5};
  double centre[3], values[3], axes[9];
  pca_frames<float>({point, nullptr, 1, 1, 3, 3}, Centre::kMean, Handedness::kBoth,
                    {nullptr, centre, values, axes});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(centre[i], point[i]);
    EXPECT_EQ(values[i], 0);
    for (int j = 0; j < 3; ++j) EXPECT_EQ(axes[3 * i + j], i == j);
  }
}

TEST(PcaFrames, OtherDimensionsAndShortStridesAreRefused) {
  const float points[16] = {};
  double centre[4], covariance[16];
  const auto call = [&](std::int64_t dim, std::int64_t stride) {
    centred_moments<float>({points, nullptr, 1, 1, stride, dim}, Centre::kMean, centre, covariance);
  };
  EXPECT_THROW(call(1, 1), std::invalid_argument);
  EXPECT_THROW(call(4, 4), std::invalid_argument);
  EXPECT_THROW(call(3, 2), std::invalid_argument);
  float bases[256];
  EXPECT_THROW(signed_bases(1, 4, covariance, Handedness::kBoth, bases), std::invalid_argument);
}

}  // namespace
}  // namespace equiframe::kernels
