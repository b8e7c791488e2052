#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "equiframe/core/tensor.h"
#include "equiframe/training/run.h"

/// How well the principal axes of real inputs are defined and how steady they are: figures 3 and 4
/// of Puny et al. 2022, appendix "Empirical frame analysis". Point sets are [S, N, 3], any floating
/// type; everything is computed in float64, on sets centred and scaled to a largest norm of one.
namespace equiframe::inline experiments {

/// s_min = min(s_1, s_2) of each set, [S] float64 in [0, 1], with s_i = (l_{i+1} - l_i) / s_bar,
/// s_bar = (l_3 - l_1) / 2 and l_1 <= l_2 <= l_3 the eigenvalues of the covariance. Zero where two
/// eigenvalues are equal, and where all three are.
Tensor minimal_spacings(const Tensor& points);

struct SpacingSummary {
  double smallest = 0;
  double percentile_1 = 0;  ///< one percent of the sets lie below
  double median = 0;
  int64_t below_hundredth = 0;  ///< sets with s_min < 0.01
};
SpacingSummary summarise(const Tensor& spacings);

/// Counts of values in bins of equal width over [low, high]; the last bin includes `high`.
struct Histogram {
  double low = 0;
  double high = 1;
  std::vector<int64_t> counts;
};
Histogram histogram(const Tensor& values, double low, double high, int64_t bins);

/// E(R, R') = 1/3 sum_i sqrt(1 - <R_i, R'_i>^2) of principal axes [S, 3, 3], one a column; [S].
/// The signs of the axes do not matter, so neither does the choice of representatives of two
/// frames.
Tensor frame_distances(const Tensor& axes, const Tensor& others);

/// The principal axes of each set as columns, by ascending eigenvalue, [S, 3, 3] float64.
Tensor principal_axes(const Tensor& points);

/// E between the frames of X and of X + Z, with independent normal Z of standard deviation sigma.
struct StabilityPoint {
  double sigma = 0;
  double mean = 0;
  double deviation = 0;  ///< standard deviation over the sets
};
std::vector<StabilityPoint> frame_stability(const Tensor& points, const std::vector<double>& sigmas,
                                            uint64_t seed);

/// `count` values from `first` to `last`, each the same multiple of the one before.
std::vector<double> geometric_sequence(double first, double last, int64_t count);

/// Figure 3 at one frame of the trajectories.
struct SpacingFigure {
  int64_t frame = 0;
  SpacingSummary summary;
  Histogram histogram;
};

struct NBodyFigures {
  int64_t samples = 0;
  std::vector<SpacingFigure> spacing;  ///< the input frame of the task, frame 0, the target frame
  std::vector<StabilityPoint> stability;  ///< of the input frame
};

/// Both figures of the training set that `data` names: the set "nbody", from `folder` or the cache.
NBodyFigures measure_nbody_figures(const Choice& data, const std::filesystem::path& folder,
                                   Observer* observer = nullptr);

}  // namespace equiframe::inline experiments
