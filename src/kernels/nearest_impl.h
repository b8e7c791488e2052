// The neighbour search as compiled for the instruction set of the including source.
#pragma once

#include "nearest_dispatch.h"
#include "nearest_group.h"
#include "nearest_rows.h"

namespace equiframe::kernels {
namespace {

constexpr NearestKernels kNearestCompiledHere{&nearest_of_group, &nearest_of_rows<float>,
                                              &nearest_of_rows<double>};

}  // namespace
}  // namespace equiframe::kernels
