#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"
#include "equiframe/io/point_cloud.h"

/// Random shapes, and sets of them for networks that learn normals: points.npy, normals.npy,
/// edges.npy, recipes.txt with a line for each model, and a manifest.
namespace equiframe::inline datasets {

/// P points of a surface, drawn independently and uniformly by area.
struct ShapeSamples {
  Tensor points;         ///< [P, 3] float64, on the surface
  Tensor normals;        ///< [P, 3] float64, exact, of length 1, pointing out
  Tensor patches;        ///< [P] int64: the smooth face a point lies on, counted from 0
  Tensor edge_distance;  ///< [P] float64: to the nearest sharp edge; infinity if there is none
};

enum class MeshDetail {
  kSketch,  ///< for pictures of a few hundred pixels
  kFine     ///< within a thousandth of the size
};

/// A closed surface that is known exactly, about the unit ball around the origin.
class EQUIFRAME_API Shape {
 public:
  Shape() = default;
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  virtual ~Shape() = default;

  /// How it is made, in words, such as "box; through hole; fillet 0.04 of 2 edges".
  virtual std::string recipe() const = 0;

  /// The same points for the same shape and `draw`, wherever and whenever.
  ShapeSamples sample(int64_t points, uint64_t draw = 0) const;

  /// Triangles with the exact normals of the surface at their corners.
  PointCloud mesh(MeshDetail detail = MeshDetail::kFine) const { return compute_mesh(detail); }

 private:
  virtual ShapeSamples compute_samples(int64_t points, uint64_t draw) const = 0;
  virtual PointCloud compute_mesh(MeshDetail detail) const = 0;
};

struct EQUIFRAME_API CadOptions {
  uint64_t seed = 1;
  int64_t models = 1000;
  int64_t points = 2048;                                ///< of each model
  std::vector<std::string> kinds{"solids", "organic"};  ///< models take turns

  /// All settings in one line.
  std::string str() const;
};

struct CadSet {
  Tensor points;                     ///< [M, P, 3] float32, each model in the unit ball
  Tensor normals;                    ///< [M, P, 3] float32, unit, pointing out
  Tensor edges;                      ///< [M, P] float32: distance to the nearest sharp edge, or inf
  std::vector<std::string> recipes;  ///< M
  std::string description;           ///< how they were made, if it is known
};

/// How long work is done and watched.
struct CadWork {
  int threads = 0;  ///< 0 = all cores this process may use
  /// Called now and then by the thread that waits.
  std::function<void(int64_t done)> progress = nullptr;
  /// Sees each model once, when its points have been taken, on the thread that made it: several
  /// may be seen at the same time.
  std::function<void(int64_t number, const Shape& shape)> inspect = nullptr;
};

/// What `kinds` may say: "solids", which need equiframe-cad, and "organic".
EQUIFRAME_API std::vector<std::string> cad_kinds();

/// Model `number` of a set. Throws UserError for options that make no sense.
EQUIFRAME_API std::unique_ptr<Shape> cad_model(const CadOptions& options, int64_t number);

/// All models of a set. They do not depend on the threads, nor a model on how many there are.
EQUIFRAME_API CadSet generate_cad(const CadOptions& options, const CadWork& work = {});

/// Writes the files and, last, the manifest with their checksums into an existing folder. `others`
/// are files of the folder that belong to the set too. Returns the SHA-256 of each file by its
/// name.
EQUIFRAME_API std::map<std::string, std::string> write_cad(
    const std::filesystem::path& folder, const CadSet& set,
    const std::vector<std::string>& others = {});

/// Throws UserError that says which file is missing or which shapes disagree.
EQUIFRAME_API CadSet read_cad(const std::filesystem::path& folder);

/// The set of these options from the cache, made at the first call.
EQUIFRAME_API CadSet cached_cad(const CadOptions& options, const CadWork& work = {});

}  // namespace equiframe::inline datasets
