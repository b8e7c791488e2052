#include "linalg/pca.h"

#include <limits>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "linalg/symmetric_eigen.h"
#include "tests/linalg/reference.h"

namespace equiframe::kernels {
namespace {

using reference::Matrix;
using reference::Random;

/// Point sets that own their memory.
template <class T>
struct Cloud {
  std::int64_t count, n, stride, dim;
  std::vector<T> points, weights = {};

  PointSets<T> view() const {
    return {points.data(), weights.empty() ? nullptr : weights.data(), count, n, stride, dim};
  }
};

/// Gaussian points of different extent along the axes; numbers behind the coordinates are NaN.
template <class T>
Cloud<T> gaussian(std::int64_t count, std::int64_t n, std::int64_t dim, std::int64_t stride) {
  Random random(11);
  std::normal_distribution<double> normal;
  Cloud<T> cloud{count, n, stride, dim, {}};
  for (std::int64_t i = 0; i < count * n; ++i) {
    for (std::int64_t j = 0; j < stride; ++j) {
      cloud.points.push_back(j < dim ? static_cast<T>(normal(random) * double(j + 1))
                                     : std::numeric_limits<T>::quiet_NaN());
    }
  }
  return cloud;
}

/// Random weights, every third of them zero; masked points hold NaN.
template <class T>
Cloud<T> masked(Cloud<T> cloud) {
  Random random(12);
  std::uniform_real_distribution<double> uniform(0.1, 2);
  for (std::int64_t i = 0; i < cloud.count * cloud.n; ++i) {
    cloud.weights.push_back(i % 3 == 0 ? T{0} : static_cast<T>(uniform(random)));
    if (i % 3 == 0) cloud.points[i * cloud.stride] = std::numeric_limits<T>::quiet_NaN();
  }
  return cloud;
}

template <class T>
Cloud<T> moved(Cloud<T> cloud, T offset) {
  for (T& x : cloud.points) x += offset;
  return cloud;
}

struct MomentArrays {
  std::vector<double> centre, covariance;
  bool operator==(const MomentArrays&) const = default;
};

template <class T>
MomentArrays moments(SimdLevel level, const PointSets<T>& sets, Centre centring) {
  MomentArrays result{std::vector<double>(sets.count * sets.dim),
                      std::vector<double>(sets.count * sets.dim * sets.dim)};
  const PcaFunctions<T>& pca = Table<PcaKernels>::at(level).of<T>();
  const auto kernel = sets.dim == 2 ? pca.moments2 : pca.moments3;
  kernel(sets, centring, result.centre.data(), result.covariance.data());
  return result;
}

constexpr long double kPcaTolerance = 1e-14L;

/// The largest error of centre (relative to the cloud's distance) and covariance (to its trace; for
/// a single point, where that is zero, to what rounding of the point would make it).
template <class T>
long double moment_error(SimdLevel level, const Cloud<T>& cloud, Centre centring) {
  const auto d = cloud.dim;
  const MomentArrays ours = moments(level, cloud.view(), centring);
  long double worst = 0;
  const auto raise = [&worst](long double error) {
    if (std::isnan(error) || error > worst) worst = error;  // a NaN stays
  };
  for (std::int64_t item = 0; item < cloud.count; ++item) {
    std::array<long double, 3> centre{};
    const Matrix expected = reference::moments(cloud.view(), item, centring, centre);
    long double trace = 0, distance = 0;
    for (int i = 0; i < d; ++i) trace += expected[i][i];
    for (int i = 0; i < d; ++i) distance += std::abs(centre[i]);
    const long double extent = std::sqrt(trace) + distance;
    for (int i = 0; i < d; ++i) {
      const long double off = std::abs(ours.centre[item * d + i] - centre[i]);
      raise(extent > 0 ? off / extent : off);
      for (int j = 0; j < d; ++j) {
        const long double error =
            std::abs(ours.covariance[(item * d + i) * d + j] - expected[i][j]);
        raise(error == 0 ? 0 : error / (trace + kPcaTolerance * distance * distance));
      }
    }
  }
  return worst;
}

class Pca : public testing::TestWithParam<SimdLevel> {
 protected:
  template <class T>
  static void expect_right_moments(T offset) {
    for (const std::int64_t dim : {2, 3}) {
      for (const std::int64_t stride : {dim, std::int64_t{4}, std::int64_t{7}}) {
        for (const std::int64_t n : {1, 2, 3, 20, 33}) {
          SCOPED_TRACE(testing::Message() << "d " << dim << ", stride " << stride << ", n " << n);
          const auto cloud = moved(gaussian<T>(11, n, dim, stride), offset);
          const long double tolerance = kPcaTolerance * static_cast<long double>(n);
          EXPECT_LE(moment_error(GetParam(), cloud, Centre::kMean), tolerance);
          EXPECT_LE(moment_error(GetParam(), masked(cloud), Centre::kMean), tolerance);
          EXPECT_LE(moment_error(GetParam(), cloud, Centre::kOrigin), tolerance);
          EXPECT_LE(moment_error(GetParam(), masked(cloud), Centre::kOrigin), tolerance);
        }
      }
    }
  }
};

TEST_P(Pca, MomentsAreRightInFloat) {
  expect_right_moments<float>(0);
}
TEST_P(Pca, MomentsAreRightInDouble) {
  expect_right_moments<double>(0);
}
TEST_P(Pca, MomentsFarFromTheOriginAreRightInFloat) {
  expect_right_moments<float>(1e6F);
}
TEST_P(Pca, MomentsFarFromTheOriginAreRightInDouble) {
  expect_right_moments<double>(1e6);
}

TEST_P(Pca, AnOutlierAsFirstPointCostsNoAccuracy) {
  auto cloud = gaussian<double>(9, 20, 3, 3);
  for (std::int64_t item = 0; item < 9; item += 2) cloud.points[item * 60] = 1e8;
  EXPECT_LE(moment_error(GetParam(), cloud, Centre::kMean), kPcaTolerance);
  cloud.weights.assign(180, 1);
  for (std::int64_t item = 0; item < 9; ++item) cloud.weights[item * 20] = 1e-20;
  EXPECT_LE(moment_error(GetParam(), cloud, Centre::kMean), kPcaTolerance);
  cloud = moved(cloud, 5000.0);
  for (std::int64_t item = 0; item < 9; item += 2) cloud.points[item * 60] = 1e20;
  for (std::int64_t item = 0; item < 9; ++item) cloud.weights[item * 20] = 1e-50;
  EXPECT_LE(moment_error(GetParam(), cloud, Centre::kMean), kPcaTolerance);
}

TEST_P(Pca, CoincidentPointsHaveNoCovariance) {
  auto cloud = gaussian<double>(5, 20, 3, 3);
  for (std::size_t i = 0; i < cloud.points.size(); ++i) cloud.points[i] = 0.1 + double(i % 3);
  cloud = masked(cloud);
  const MomentArrays result = moments(GetParam(), cloud.view(), Centre::kMean);
  EXPECT_EQ(result.covariance, std::vector<double>(45));
  EXPECT_EQ(result.centre[3], 0.1);
}

TEST_P(Pca, SetsWithoutWeightAreZero) {
  for (const std::int64_t n : {0, 5}) {
    auto cloud = gaussian<float>(3, n, 3, 3);
    if (n > 0) cloud.weights.assign(3 * n, 0);
    const MomentArrays zero{std::vector<double>(9), std::vector<double>(27)};
    EXPECT_EQ(moments(GetParam(), cloud.view(), Centre::kMean), zero);
  }
}

TEST_P(Pca, NanSpoilsItsOwnSetOnly) {
  auto cloud = gaussian<float>(6, 20, 3, 3);
  const MomentArrays before = moments(GetParam(), cloud.view(), Centre::kMean);
  cloud.points[2 * 60 + 30] = std::nanf("");
  const MomentArrays after = moments(GetParam(), cloud.view(), Centre::kMean);
  for (size_t item = 0; item < 6; ++item) {
    EXPECT_EQ(std::isnan(after.centre[item * 3]), item == 2);
    EXPECT_EQ(after.covariance[item * 9] == before.covariance[item * 9], item != 2);
  }
}

TEST_P(Pca, MomentsDoNotDependOnThePlaceInTheBatch) {
  const auto cloud = masked(gaussian<float>(13, 20, 3, 3));
  const auto plain = gaussian<float>(13, 20, 3, 3);
  for (const auto* c : {&cloud, &plain}) {
    const MomentArrays all = moments(GetParam(), c->view(), Centre::kMean);
    for (std::int64_t item = 0; item < 13; ++item) {
      PointSets<float> one = c->view();
      one.points += item * 60;
      if (one.weights != nullptr) one.weights += item * 20;
      one.count = 1;
      const MomentArrays alone = moments(GetParam(), one, Centre::kMean);
      EXPECT_TRUE(
          std::equal(alone.centre.begin(), alone.centre.end(), all.centre.begin() + item * 3));
      EXPECT_TRUE(std::equal(alone.covariance.begin(), alone.covariance.end(),
                             all.covariance.begin() + item * 9));
    }
  }
}

TEST_P(Pca, LevelsAgreeToRounding) {
  const auto cloud = gaussian<float>(13, 20, 3, 3);
  const MomentArrays ours = moments(GetParam(), cloud.view(), Centre::kMean);
  const MomentArrays base = moments(SimdLevel::kBaseline, cloud.view(), Centre::kMean);
  for (std::size_t i = 0; i < base.covariance.size(); ++i) {
    EXPECT_NEAR(ours.covariance[i], base.covariance[i], 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Pca, testing::ValuesIn(reference::levels()),
                         [](const auto& level) { return std::string(name(level.param)); });

}  // namespace
}  // namespace equiframe::kernels
