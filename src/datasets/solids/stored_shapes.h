#pragma once

#include "equiframe/datasets/cad_set.h"
#include "equiframe/datasets/dataset.h"

namespace equiframe::inline datasets {

/// A set of random shapes, and how many of them train, validate and test, in this order.
struct StoredShapes {
  CadSet set;
  int64_t train = 0, valid = 0, test = 0;
  std::string checksum;
};

/// From the folder of the request, as 'equiframe data cad' wrote it, or else from the cache, made
/// at the first call. Settings: `train`, `valid`, `test`; without a folder also `kinds` ("solids",
/// "organic", "solids+organic" or "auto": solids where equiframe-cad is there, otherwise organic),
/// `stored` points of each and `seed`. Refuses others by the name of the data set `who`.
struct ShapeCounts {
  int64_t train, valid, test, stored;
  const char* kinds;
};
StoredShapes stored_shapes(const DataRequest& request, const ShapeCounts& usual,
                           const std::string& who);

}  // namespace equiframe::inline datasets
