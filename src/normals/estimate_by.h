#pragma once

#include "equiframe/normals/estimate.h"
#include "normals/learned/normal_estimator.h"

namespace equiframe::inline normals {

/// `estimate` by the method "fa" with networks that are loaded already.
EstimatedNormals estimate_by(const NormalEstimator& networks, const PointCloud& cloud,
                             const EstimateOptions& options = {});

}  // namespace equiframe::inline normals
