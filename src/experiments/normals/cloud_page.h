#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "equiframe/core/tensor.h"

namespace equiframe::inline experiments {

/// What `equiframe normals` found, for people to look at.
struct CloudPage {
  std::filesystem::path in, out;     ///< the page names the files without their folders
  Tensor points;                     ///< [N, 3] float64
  Tensor normals;                    ///< [N, 3] float32
  Tensor confidence;                 ///< [N] float32 in 0..1; undefined = not known
  int64_t dropped = 0;               ///< points without finite coordinates, left out
  int64_t degenerate = 0;            ///< points where any normal will do
  std::string method;                ///< "pca"
  int64_t k = 0;                     ///< neighbours; 0 = the method has no such number
  bool k_chosen = false;             ///< from the cloud, not by the user
  std::string orientation = "none";  ///< the rule
  int64_t parts = 0;                 ///< connected ones; 0 = nobody looked for them
  double reading_seconds = 0;
  double seconds = 0;  ///< for the normals alone
};

/// One HTML file: a sentence, the cloud to be turned, how confidence is distributed, and the facts.
std::string cloud_page(const CloudPage& page);

}  // namespace equiframe::inline experiments
