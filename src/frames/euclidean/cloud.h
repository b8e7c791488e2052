#pragma once

#include <string>

#include "equiframe/core/batch.h"
#include "equiframe/groups/euclidean.h"

namespace equiframe::inline frames {

/// The points a Euclidean frame reads: all `point` fields of the input as one set of places (under
/// a group that fixes the origin, `vector` fields where there are no points).
struct Cloud {
  Tensor points;   // [B, M, d], the input's type
  Tensor weights;  // [B, M] float64, zero = masked; undefined = all equal
};

/// Refuses, in the name of `frame`, a type without places and a batch without enough points.
Cloud cloud_of(const EuclideanGroup& group, const FieldType& in, const Batch& batch,
               const std::string& frame);

/// The weighted centroid, [B, d] float64, differentiable; two-pass, so that clouds far from the
/// origin keep their digits.
Tensor centroid(const Cloud& cloud);

/// `centre`, known to be the centroid of the cloud, with the gradient of one.
Tensor track_centre(const Tensor& centre, const Cloud& cloud);

/// Throws UserError naming the items with a NaN or infinity among values [B, ...].
void refuse_non_finite(const Tensor& values, const std::string& frame);

/// "items 3, 7 and 12 more" for the true entries of a bool tensor [B].
std::string name_items(const Tensor& flags);

}  // namespace equiframe::inline frames
