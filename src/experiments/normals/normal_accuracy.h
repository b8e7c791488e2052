#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "equiframe/core/tensor.h"
#include "equiframe/datasets/cad_set.h"
#include "equiframe/io/point_cloud.h"
#include "normals/learned/normal_estimator.h"

/// How far estimated normals are from the true ones, over surfaces and noise: the classical methods
/// and our network.
namespace equiframe::inline experiments {

enum class SurfaceKind {
  kHeldOut,  ///< random shapes of the generator that trained the network, of another seed
  kNamed,    ///< shapes with a formula
  kMesh,     ///< from files
};
/// "held-out shapes", "named shapes", "meshes"
std::string to_string(SurfaceKind kind);

/// Points of a surface and its normals there, both [P, 3] float64.
struct AccuracySurface {
  std::string name;
  SurfaceKind kind = SurfaceKind::kNamed;
  Tensor points, normals;
};

AccuracySurface named_surface(const std::string& name, int64_t points);
/// Shape `number` of the set that `options` describes.
AccuracySurface held_out_surface(const CadOptions& options, int64_t number, int64_t points);
AccuracySurface mesh_surface(const std::string& name, const PointCloud& mesh, int64_t points);

/// The root mean square of the angles between lines along `normals` and `truth`, both [P, 3] of
/// unit length, in degrees: 0 to 90, and 61.2 for random directions.
double rms_angle(const Tensor& normals, const Tensor& truth);

struct AccuracyOptions {
  /// Standard deviation of normal noise, in units of the diagonal of the points' box.
  std::vector<double> noise{0, 0.0025, 0.005, 0.01};
  std::vector<int64_t> neighbors{6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256};
  uint64_t seed = 5;                         ///< of the noise
  const NormalEstimator* network = nullptr;  ///< none: its cells stay empty
  /// Told before each surface which one it is, counted from 0.
  std::function<void(int64_t surface)> progress = {};
};

/// An RMS angle in degrees and the neighbours it was reached with.
struct BestFit {
  double degrees = NAN;
  int64_t k = 0;
};

/// One surface with one noise.
struct AccuracyCell {
  size_t surface = 0;
  double noise = 0;
  BestFit pca, jet;      ///< the best k, chosen by someone who knows the true normals
  BestFit chosen;        ///< PCA with the k that `best_k` finds without them
  double network = NAN;  ///< ours
};

struct NormalAccuracy {
  std::vector<AccuracySurface> surfaces;
  std::vector<double> noise;
  std::vector<AccuracyCell> cells;  ///< surface by surface, in the order of the noise

  bool has(SurfaceKind kind) const;
  bool has_network() const;
};

/// The points of every surface get the same noise for every method.
NormalAccuracy measure_accuracy(std::vector<AccuracySurface> surfaces,
                                const AccuracyOptions& options);

/// Means over the surfaces of a kind with one noise; NaN where there are none.
struct MeanAccuracy {
  double pca = NAN, jet = NAN, chosen = NAN, network = NAN;

  /// Ours over PCA with the best k: below one, we win.
  double ratio() const { return network / pca; }
};
MeanAccuracy mean_accuracy(const NormalAccuracy& accuracy, SurfaceKind kind, double noise);

}  // namespace equiframe::inline experiments
