#pragma once

#include <memory>
#include <string>
#include <vector>

#include "equiframe/datasets/cad_set.h"

/// Shapes with a name and a formula, for tests and for evaluation. Each fits into the unit ball:
///
/// | name     | what                                                             |
/// |----------|------------------------------------------------------------------|
/// | sphere   | radius 1                                                         |
/// | torus    | about the z axis, radii 0.7 and 0.3                              |
/// | cube     | half side 1/√3                                                   |
/// | cylinder | about the z axis, radius 0.6, half height 0.8                    |
/// | capsule  | about the z axis, radius 0.4, its straight part of half height 0.6 |
namespace equiframe::inline datasets {

std::vector<std::string> shape_names();

/// Throws UserError that lists the names for one it does not know.
std::unique_ptr<Shape> named_shape(const std::string& name);

/// Of points [P, 3] to the surface, float64 [P]; negative inside.
Tensor signed_distance(const std::string& name, const Tensor& points);

}  // namespace equiframe::inline datasets
