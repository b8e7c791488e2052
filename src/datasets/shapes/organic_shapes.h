#pragma once

#include <cstdint>
#include <memory>

#include "equiframe/datasets/cad_set.h"

namespace equiframe::inline datasets {

/// Smooth shape `number` of the endless sequence `seed`: blobs and limbs that flow into one
/// another, spheres and tori with waves on them, thin layers along gyroids, random waves and hills;
/// many with wrinkles or creases. It depends on the two alone. Like a solid, its box is centred at
/// the origin with the half diagonal 1; unlike it, it has no edges and one patch.
///
/// The surface is the zero set of a smooth function f. Points solve f = 0 to the last digits and
/// normals are the gradient of f; the density of points is uniform by area within a few percent.
std::unique_ptr<Shape> random_organic(uint64_t seed, int64_t number);

}  // namespace equiframe::inline datasets
