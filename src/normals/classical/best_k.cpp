#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <ATen/ATen.h>

#include "core/parallel.h"
#include "equiframe/core/rng.h"
#include "normals/classical/patch_normals.h"

namespace equiframe::inline normals {
namespace {

constexpr std::array<int64_t, 11> kLadder{8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
constexpr size_t kTwice = 2;             // rungs from k to 2k
constexpr int64_t kPointsTogether = 64;  // points of a part

/// One of each of `sample` equal stretches of the cloud, as int64: files often keep neighbours
/// together.
Tensor draw(int64_t count, const BestKOptions& options) {
  const int64_t wanted = std::min(count, options.sample);
  const Rng rng{options.seed};
  std::vector<int64_t> drawn;
  drawn.reserve(static_cast<size_t>(wanted));
  for (int64_t i = 0; i < wanted; ++i) {
    const int64_t first = i * count / wanted, last = (i + 1) * count / wanted;
    const auto length = static_cast<uint64_t>(last - first);
    drawn.push_back(first + static_cast<int64_t>(rng.below(length, static_cast<uint64_t>(i), 0)));
  }
  return at::tensor(drawn, at::kLong);
}

/// Offsets of the nearest neighbours of a sample, [count, most, 3], nearest first.
struct Sample {
  Tensor offsets;

  int64_t count() const { return offsets.size(0); }
  int64_t most() const { return offsets.size(1); }

  /// Every second of the first k neighbours of point i, from neighbour `half` on: [k / 2, 3].
  void deal_out(int64_t i, int64_t k, int64_t half, double* to) const {
    const double* from = offsets.data_ptr<double>() + 3 * i * most();
    for (int64_t j = half; j < k; j += 2, to += 3) std::copy_n(from + 3 * j, 3, to);
  }
};

Sample take_sample(const Tensor& points, const NeighborSearch& search,
                   const BestKOptions& options) {
  const Tensor x = points.index_select(0, draw(search.size(), options)).to(at::kDouble);  // [S, 3]
  const Tensor near = search.nearest(x, kLadder.back()).indices;
  const Tensor y = points.index_select(0, near.flatten()).to(at::kDouble);
  return {(y.view({x.size(0), near.size(1), 3}) - x.unsqueeze(1)).contiguous()};
}

/// Normals of the two halves of the k nearest neighbours, each [count, 3].
struct HalfNormals {
  std::array<std::vector<double>, 2> half;
  size_t count() const { return half[0].size() / 3; }
};

HalfNormals half_normals(const Sample& sample, int64_t k, NormalFit fit) {
  HalfNormals result;
  for (size_t half = 0; half < 2; ++half) {
    result.half[half].resize(static_cast<size_t>(3 * sample.count()));
    const int64_t parts = (sample.count() + kPointsTogether - 1) / kPointsTogether,
                  size = 3 * (k / 2);
    for_each_part(parts, [&](int64_t part) {
      const int64_t first = part * kPointsTogether;
      const int64_t count = std::min(kPointsTogether, sample.count() - first);
      std::vector<double> dealt(static_cast<size_t>(count * size));
      for (int64_t i = 0; i < count; ++i)
        sample.deal_out(first + i, k, static_cast<int64_t>(half), dealt.data() + i * size);
      const PatchNormals fitted = patch_normals(dealt.data(), count, k / 2, fit);
      std::copy(fitted.normals.begin(), fitted.normals.end(),
                result.half[half].begin() + 3 * first);
    });
  }
  return result;
}

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Normal i with the sign that is closer to `side`.
Vector normal(const std::vector<double>& normals, size_t i, const Vector& side) {
  const Vector n{normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]};
  return dot(n, side) < 0 ? Vector{-n[0], -n[1], -n[2]} : n;
}

/// Mean squared error of a half, from the mean of |n_A - n_B|^2, which is twice that.
double half_variance(const HalfNormals& rung) {
  double sum = 0;
  for (size_t i = 0; i < rung.count(); ++i) {
    const Vector first = normal(rung.half[0], i, {});
    sum += 1 - dot(first, normal(rung.half[1], i, first));
  }
  return sum / static_cast<double>(rung.count());
}

/// |b(2k) - b(k)|^2: the mean of the products of classical_normals.h, as far as it exceeds its own
/// standard error and what the curvature of the sphere makes of large errors, their fourth power.
double bias_step(const HalfNormals& rung, const HalfNormals& doubled) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < rung.count(); ++i) {
    const Vector side = normal(doubled.half[0], i, {});
    std::array<Vector, 2> step{};
    for (size_t half = 0; half < 2; ++half) {
      const Vector to = normal(doubled.half[half], i, side),
                   from = normal(rung.half[half], i, side);
      for (size_t axis = 0; axis < 3; ++axis) step[half][axis] = to[axis] - from[axis];
    }
    const double product = dot(step[0], step[1]);
    sum += product;
    squares += product * product;
  }
  const auto count = static_cast<double>(rung.count());
  const double mean = sum / count, variance = half_variance(rung);
  const double error = std::sqrt(std::max(0.0, squares / count - mean * mean) / count);
  return std::max(0.0, mean - error - variance * variance);
}

/// What a fit needs: rungs worth trying, and the points that go into its own parameters. Variance
/// falls with k - parameters (a random design has an inverse Wishart variance).
struct Demands {
  int64_t least;
  double parameters;
};

Demands demands(NormalFit fit) {
  return fit == NormalFit::kPca ? Demands{8, 3} : Demands{16, 7};
}

/// Expected squared errors, up to the same constant for all rungs. With b growing like a power of
/// the radius, b^2 grows by 2 h per unit of log k, h = |db / dlog k|^2.
std::vector<double> expected_errors(const std::vector<int64_t>& ladder,
                                    const std::vector<HalfNormals>& rungs, double parameters) {
  const size_t count = ladder.size();
  const auto k = [&](size_t r) { return static_cast<double>(ladder[r]); };
  std::vector<double> errors(count), growth(count);
  double least = 0;  // variance never grows with k
  for (size_t r = count; r-- > 0;) {
    least =
        std::max(least, half_variance(rungs[r]) * (k(r) / 2 - parameters) / (k(r) - parameters));
    errors[r] = least;
  }
  for (size_t r = 0; r + kTwice < count; ++r)
    growth[r + 1] = bias_step(rungs[r], rungs[r + kTwice]) / (std::log(2) * std::log(2));
  if (count > kTwice) {
    growth.front() = growth[1];
    growth.back() = growth[count - 2];
  }
  double bias = 0;
  for (size_t r = 1; r < count; ++r) {
    bias += (growth[r] + growth[r - 1]) * std::log(k(r) / k(r - 1));
    errors[r] += bias;
  }
  return errors;
}

}  // namespace

int64_t best_k(const Tensor& points, const NeighborSearch& search, const BestKOptions& options) {
  TORCH_CHECK(points.dim() == 2 && points.size(0) == search.size(), "best_k: a search over ",
              search.size(), " points needs these points, got ", points.sizes());
  TORCH_CHECK(options.sample >= 1, "best_k: needs a sample of at least one point");
  const Sample sample = take_sample(points, search, options);
  const Demands needed = demands(options.fit);
  std::vector<int64_t> ladder;
  std::vector<HalfNormals> rungs;
  ladder.reserve(kLadder.size());
  rungs.reserve(kLadder.size());
  for (const int64_t k : kLadder) {
    if (k < needed.least || k > sample.most()) continue;
    ladder.push_back(k);
    rungs.push_back(half_normals(sample, k, options.fit));
  }
  if (ladder.empty()) return needed.least;
  const std::vector<double> errors = expected_errors(ladder, rungs, needed.parameters);
  const auto best = std::min_element(errors.begin(), errors.end());
  return ladder[static_cast<size_t>(best - errors.begin())];
}

}  // namespace equiframe::inline normals
