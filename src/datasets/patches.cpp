#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "equiframe/core/parallel.h"
#include "equiframe/geometry/neighbors.h"
#include "stored_shapes.h"

namespace equiframe {
namespace {

/// How the clouds are made that patches are taken from.
struct PatchTask {
  int64_t neighbors = 192;
  int64_t patches = 64;         // of each cloud, in one batch
  int64_t least_points = 1000;  // of a training cloud; at most all that are stored
  int64_t test_points = 4000;   // of an evaluated one
  double most_noise = 0.012;    // standard deviation over the diagonal, for a cloud of 10,000
  double rough = 0.35;          // share of training clouds with detail added to them
  uint64_t seed = 0;            // of the draws of validation and test

  static PatchTask from(const Options& options) {
    PatchTask task;
    task.neighbors = options.get_int("neighbors", task.neighbors);
    task.patches = options.get_int("patches", task.patches);
    task.least_points = options.get_int("least_points", task.least_points);
    task.test_points = options.get_int("test_points", task.test_points);
    task.most_noise = options.get_double("most_noise", task.most_noise);
    task.rough = options.get_double("rough", task.rough);
    task.seed = static_cast<uint64_t>(options.get_int("draw_seed", 0));
    if (task.neighbors < 3 || task.patches < 1 || task.least_points < task.neighbors ||
        task.test_points < task.neighbors || !(task.most_noise >= 0) ||
        !(task.rough >= 0 && task.rough <= 1))
      throw UserError(
          "dataset patches: neighbors must be 3 or more, patches 1 or more, least_points and "
          "test_points not below neighbors, most_noise not negative, rough in 0..1");
    return task;
  }
};

/// Noise of evaluated clouds, by turns.
constexpr std::array<double, 4> kNoise{0, 0.0025, 0.005, 0.01};

struct Cloud {
  Tensor points, normals;  // [P, 3] float64
};

Tensor uniform(at::IntArrayRef sizes, at::Generator& generator) {
  return at::rand(sizes, generator, at::kDouble);
}

double uniform(double low, double high, at::Generator& generator) {
  return low + (high - low) * uniform({1}, generator).item<double>();
}

bool chance(double probability, at::Generator& generator) {
  return uniform(0, 1, generator) < probability;
}

double box_diagonal(const Tensor& points) {
  const Tensor extent = std::get<0>(points.max(0)) - std::get<0>(points.min(0));
  return extent.square().sum().sqrt().item<double>();
}

/// Of so many points on a surface, against 10,000: noise is as much of it in a small cloud as in a
/// large one.
double spacing(int64_t count) {
  constexpr double kUsual = 10000;
  return std::sqrt(kUsual / static_cast<double>(count));
}

/// Other proportions: x -> A x with a diagonal A in a random basis, normals by A^-T.
Cloud stretched(const Cloud& cloud, at::Generator& generator) {
  constexpr double kMost = 0.7;  // of the logarithm of a factor
  const Tensor basis = std::get<0>(at::linalg_qr(at::randn({3, 3}, generator, at::kDouble)));
  const Tensor scale = ((uniform({3}, generator) * 2 - 1) * kMost).exp().unsqueeze(1);
  const Tensor there = basis.matmul(scale * basis.t());
  const Tensor normals = cloud.normals.matmul(basis.matmul(scale.reciprocal() * basis.t()));
  constexpr double kLeast = 1e-12;
  return {cloud.points.matmul(there),
          normals / normals.square().sum(1, true).sqrt().clamp_min(kLeast)};
}

/// Fewer points, and at times unevenly: kept with a probability that waves along a direction.
Cloud thinned(const Cloud& cloud, int64_t count, bool evenly, at::Generator& generator) {
  const int64_t all = cloud.points.size(0);
  count = std::min(count, all);
  if (evenly)  // stored points are independent draws
    return {cloud.points.narrow(0, 0, count), cloud.normals.narrow(0, 0, count)};
  constexpr double kRarest = 0.12, kLongest = 0.5, kShortest = 6, kLeast = 1e-12;
  const Tensor direction = at::randn({3}, generator, at::kDouble);
  const Tensor along = cloud.points.matmul(direction / direction.norm());
  const Tensor place = (along - along.min()) / (along.max() - along.min()).clamp_min(kLeast);
  const double waves = uniform(kLongest, kShortest, generator) * 2 * std::numbers::pi;
  const Tensor weight = kRarest + (place * waves).sin().square();
  const Tensor keep = at::multinomial(weight, count, /*replacement=*/false, generator);
  return {cloud.points.index_select(0, keep), cloud.normals.index_select(0, keep)};
}

/// A surface of flat facets in place of a smooth one: tangent planes at `count` of the points, each
/// as far as it is the nearest. Points that would move far, across an edge or a thin wall, stay.
Cloud faceted(const Cloud& cloud, int64_t count, at::Generator& generator) {
  const int64_t all = cloud.points.size(0);
  const Tensor chosen = at::randperm(all, generator, at::kLong).narrow(0, 0, std::min(count, all));
  const Tensor centres = cloud.points.index_select(0, chosen);
  const Tensor facet = NeighborSearch(centres).nearest(cloud.points, 1).indices.squeeze(1);
  const Tensor centre = centres.index_select(0, facet);
  const Tensor normal = cloud.normals.index_select(0, chosen.index_select(0, facet));
  const Tensor height = ((cloud.points - centre) * normal).sum(1, true);
  constexpr double kMostMove = 0.35;  // of the distance to the centre
  const Tensor apart = (cloud.points - centre).square().sum(1, true).sqrt();
  const Tensor flat = height.abs() <= apart * kMostMove;
  return {at::where(flat, cloud.points - height * normal, cloud.points),
          at::where(flat, normal, cloud.normals)};
}

/// Detail on many scales, as scans of grown and carved things have: points move along the normal by
/// a sum of waves h = sum_i a_i sin(k_i x + b_i), more in some parts than in others. The normal of
/// the moved surface is n - grad h, without the part along n, to first order in h.
Cloud roughened(const Cloud& cloud, at::Generator& generator) {
  constexpr int64_t kWaves = 24;
  constexpr double kShortest = 2.5;  // wavelength over the usual spacing of so many points
  constexpr double kLongest = 0.3;   // over the diagonal
  constexpr double kLeastSlope = 0.04, kMostSlope = 0.6, kLeast = 1e-12;
  const double diagonal = box_diagonal(cloud.points), turn = 2 * std::numbers::pi;
  const double shortest =
      std::min(kShortest / std::sqrt(static_cast<double>(cloud.points.size(0))), kLongest);
  const Tensor wavelengths =
      (uniform({kWaves}, generator) * std::log(kLongest / shortest)).exp() * (shortest * diagonal);
  const Tensor directions = at::randn({3, kWaves}, generator, at::kDouble);
  const Tensor waves = directions / directions.norm(2, 0, true) * (turn / wavelengths);  // [3, W]
  // Slopes a k grow with a power of the wavelength: rough as sandpaper or gently rolling.
  const Tensor slopes = wavelengths.pow(uniform(-0.3, 1.0, generator));
  const double steep = std::exp(uniform(std::log(kLeastSlope), std::log(kMostSlope), generator));
  const Tensor amplitudes =
      slopes / slopes.norm() * (steep * std::numbers::sqrt2) * wavelengths / turn;
  const Tensor phase = cloud.points.matmul(waves) + uniform({kWaves}, generator) * turn;  // [P, W]
  Tensor height = phase.sin().matmul(amplitudes.unsqueeze(1));                            // [P, 1]
  Tensor gradient = (phase.cos() * amplitudes).matmul(waves.t());                         // [P, 3]
  if (chance(0.5, generator)) {  // times 1/2 + 1/2 sin, of a long wave
    const Tensor axis = at::randn({3}, generator, at::kDouble);
    const Tensor wave =
        (axis / axis.norm() * (turn * uniform(0.5, 2, generator) / diagonal)).unsqueeze(1);
    const Tensor place = cloud.points.matmul(wave) + uniform(0, turn, generator);
    gradient = (gradient * (1 + place.sin()) + height * place.cos().matmul(wave.t())) / 2;
    height = height * (1 + place.sin()) / 2;
  }
  const Tensor& n = cloud.normals;
  const Tensor tilted = n - gradient + (gradient * n).sum(1, true) * n;
  return {cloud.points + height * n,
          tilted / tilted.square().sum(1, true).sqrt().clamp_min(kLeast)};
}

/// One sample is one cloud and gives several patches: rows [patches, neighbors, 3] relative to a
/// point, nearest first, scaled into the unit ball, and the normal of the surface there.
class Patches final : public Dataset {
 public:
  Patches(CadSet set, int64_t first, int64_t count, PatchTask task)
      : set_(std::move(set)), first_(first), count_(count), task_(task) {}

  int64_t size() const override { return count_; }
  bool augments() const override { return true; }

  Example get(const Tensor& indices) const override {
    return collect(indices, {task_.seed, 0}, [&](int64_t item, at::Generator& generator) {
      const Cloud cloud = thinned(stored(item), task_.test_points, true, generator);
      return patches(cloud, kNoise[static_cast<size_t>(item) % kNoise.size()], generator);
    });
  }

  Example draw(const Tensor& indices, const Rng& rng) const override {
    return collect(indices, rng, [&](int64_t item, at::Generator& generator) {
      constexpr double kUneven = 0.3, kStretched = 0.6, kFaceted = 0.3, kClean = 0.25;
      constexpr double kFewFacets = 300, kManyFacets = 6000;
      const auto most = static_cast<double>(set_.points.size(1));
      const auto least = std::min(static_cast<double>(task_.least_points), most);
      const double count = std::exp(uniform(std::log(least), std::log(most), generator));
      Cloud cloud =
          thinned(stored(item), std::lround(count), !chance(kUneven, generator), generator);
      if (chance(task_.rough, generator)) cloud = roughened(cloud, generator);
      if (chance(kFaceted, generator)) {
        const double facets = uniform(std::log(kFewFacets), std::log(kManyFacets), generator);
        cloud = faceted(cloud, std::lround(std::exp(facets)), generator);
      }
      if (chance(kStretched, generator)) cloud = stretched(cloud, generator);
      const double level = uniform(0, 1, generator);  // low noise is as common as it is easy to see
      const double noise = task_.most_noise * std::pow(level, 1.5);
      return patches(cloud, chance(kClean, generator) ? 0 : noise, generator);
    });
  }

 private:
  Cloud stored(int64_t item) const {
    return {set_.points[first_ + item].to(at::kDouble),
            set_.normals[first_ + item].to(at::kDouble)};
  }

  Example patches(const Cloud& cloud, double noise, at::Generator& generator) const {
    Tensor points = cloud.points;
    if (noise > 0)
      points = points + at::randn(points.sizes(), generator, at::kDouble) *
                            (noise * box_diagonal(points) * spacing(points.size(0)));
    const int64_t count = points.size(0), k = std::min(task_.neighbors, count);
    const Tensor chosen =
        at::randperm(count, generator, at::kLong).narrow(0, 0, std::min(task_.patches, count));
    const Tensor centres = points.index_select(0, chosen);
    const Tensor near = NeighborSearch(points).nearest(centres, k).indices;  // [M, k]
    constexpr double kLeast = 1e-30;
    Tensor x = points.index_select(0, near.flatten()).view({-1, k, 3}) - centres.unsqueeze(1);
    x = x / x.square().sum(-1).amax(1).sqrt().clamp_min(kLeast).view({-1, 1, 1});
    return {Batch(x.to(at::kFloat)), cloud.normals.index_select(0, chosen).to(at::kFloat)};
  }

  template <class F>
  static Example collect(const Tensor& indices, const Rng& rng, F&& f) {
    constexpr uint64_t kPatches = 0x7061746368;
    const auto rows = indices.accessor<int64_t, 1>();
    std::vector<Example> parts(static_cast<size_t>(rows.size(0)));
    for_each_part(rows.size(0), [&](int64_t b) {
      auto generator = make_generator(rng.bits(static_cast<uint64_t>(rows[b]), kPatches));
      parts[static_cast<size_t>(b)] = f(rows[b], generator);
    });
    std::vector<Tensor> inputs, targets, names;  // a thinned cloud may give fewer patches
    for (size_t b = 0; b < parts.size(); ++b) {
      inputs.push_back(parts[b].input.x);
      targets.push_back(parts[b].target);
      names.push_back(at::full({parts[b].input.size()}, rows[static_cast<int64_t>(b)], at::kLong));
    }
    Batch input(at::cat(inputs));
    input.id = at::cat(names);
    return {input, at::cat(targets)};
  }

  CadSet set_;
  int64_t first_, count_;
  PatchTask task_;
};

class PatchSource final : public SplitSource {
 public:
  Splits load(const DataRequest& request) const override {
    const PatchTask task = PatchTask::from(request.options);
    constexpr ShapeCounts kUsual{2000, 100, 100, 12000, "solids+organic"};
    const StoredShapes shapes = stored_shapes(request, kUsual, "dataset patches");
    const auto part = [&](int64_t first, int64_t count) {
      return std::make_shared<Patches>(shapes.set, first, count, task);
    };
    return {part(0, shapes.train), part(shapes.train, shapes.valid),
            part(shapes.train + shapes.valid, shapes.test), shapes.checksum,
            c10::str(task.patches, " patches of ", task.neighbors, " points from each of ",
                     shapes.train, "/", shapes.valid, "/", shapes.test, " shapes; ",
                     shapes.set.description)};
  }
};

const bool kRegistered = Datasets::instance().add(
    "patches", "nearest neighbours of points on random shapes, with noise, and the normal there",
    [] { return std::make_unique<PatchSource>(); });

}  // namespace
}  // namespace equiframe
