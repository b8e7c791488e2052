#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "equiframe/export.h"
#include "equiframe/io/point_cloud.h"

/// Normals of point clouds, as `equiframe normals` finds them:
///
///     PointCloud cloud = read_points("scan.ply");
///     const EstimatedNormals found = normals::estimate(cloud, {.orient = "outward"});
///     set_normals(cloud, found.normals);
namespace equiframe::inline normals {

/// Weights of the networks behind the method "fa".
struct NormalNetworkFiles {
  std::filesystem::path patches = {};  ///< of `fa-patch`; empty = those that come with the program
  /// Of `normal-votes`. Empty = those that come with the program if `patches` is empty too,
  /// otherwise none; "none" = none.
  std::filesystem::path votes = {};
  std::filesystem::path choice = {};  ///< of `normal-choice`, likewise
};

struct EstimateOptions {
  std::string method = "fa";  ///< the trained networks; "pca": a plane; "jet": a curved surface
  NormalNetworkFiles networks = {};  ///< of fa
  int64_t k = 0;                     ///< of pca and jet: nearest points; 0 = chosen from the cloud
  std::string orient = "none";  ///< or "viewpoint", "mst" (one side all over a part), "outward"
  std::optional<std::array<double, 3>> viewpoint = {};  ///< of the orientation "viewpoint"
  /// Bytes for the cloud, its normals and the search, about; larger clouds are searched in pieces,
  /// with the same result. 0 = most of what is free.
  int64_t max_memory = 0;
  /// Called now and then with the share that is done, 0..1, one thread at a time; by fa only.
  std::function<void(double share)> progress = {};
};

/// Throws UserError, in the words of the program's options, for what does not exist and for options
/// that do not go together. `estimate` does it too.
EQUIFRAME_API void validate(const EstimateOptions& options);

struct EstimatedNormals {
  Tensor normals;         ///< [N, 3] float32, unit
  Tensor confidence;      ///< [N] float32: 0 none .. 1
  Tensor degenerate;      ///< [N] bool: the neighbours are on a line, any normal will do
  int64_t k = 0;          ///< neighbours looked at
  bool k_chosen = false;  ///< by the cloud
  int64_t parts = 1;      ///< connected parts, where the orientation looks for them
  int64_t tiles = 1;      ///< pieces the cloud was searched in
};

/// Of 3 points or more. Turns with the cloud; does not depend on the number of threads. Throws
/// UserError for points that are not finite, for weights that are not there, and if the cloud and
/// its normals alone exceed the memory.
EQUIFRAME_API EstimatedNormals estimate(const PointCloud& cloud,
                                        const EstimateOptions& options = {});

/// Of `points` [N, 3] float32 or float64.
EQUIFRAME_API EstimatedNormals estimate(const Tensor& points, const EstimateOptions& options = {});

}  // namespace equiframe::inline normals
