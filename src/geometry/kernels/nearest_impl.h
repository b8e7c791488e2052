// The neighbour search as compiled for the instruction set of the including source.
#pragma once

#include "geometry/kernels/nearest_dispatch.h"
#include "geometry/kernels/nearest_group.h"
#include "geometry/kernels/nearest_rows.h"

namespace equiframe::kernels::inline geometry {
namespace {

constexpr NearestKernels kNearestCompiledHere{&nearest_of_group, &nearest_of_rows<float>,
                                              &nearest_of_rows<double>};

}  // namespace
}  // namespace equiframe::kernels::inline geometry
