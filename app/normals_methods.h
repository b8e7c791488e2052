#pragma once

#include <cstdint>
#include <string>

#include "equiframe/io/point_cloud.h"
#include "normal_network.h"
#include "normals/orientation/orientation.h"

namespace equiframe::app {

/// What a user asks of `equiframe normals`, apart from the files.
struct NormalsRequest {
  std::string method = "fa";   ///< fa, pca or jet
  NormalNetworkFiles network;  ///< of fa
  int64_t k = 0;               ///< of pca and jet; 0 = chosen from the cloud
  OrientationOptions orientation;
  int64_t max_memory = 0;  ///< bytes; 0 = most of what is free
};

struct FoundNormals {
  Tensor normals;     ///< [N, 3] float32
  Tensor confidence;  ///< [N] float32 in 0..1
  Tensor degenerate;  ///< [N] bool
  int64_t k = 0;
  bool k_chosen = false;
  int64_t parts = 1;  ///< of an oriented cloud
  int64_t tiles = 1;  ///< pieces it was searched in
};

/// Throws UserError for methods that do not exist, options that do not go together, and a limit of
/// memory that the cloud and its normals alone exceed.
FoundNormals find_normals(const PointCloud& cloud, const NormalsRequest& request);

}  // namespace equiframe::app
