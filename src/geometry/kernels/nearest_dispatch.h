// The neighbour search compiled for each instruction set. Registers of 64 bytes would not speed it
// up by much: AVX-512 uses the code for AVX2.
#pragma once

#include "geometry/kernels/nearest.h"
#include "simd/cpu.h"

namespace equiframe::kernels::inline geometry {

struct NearestKernels {
  template <class T>
  using Rows = void(const PointRows<T>& rows, std::int64_t first, std::int64_t last, std::int64_t k,
                    std::int64_t* indices);

  void (*nearest)(const KdTree& tree, const NearestQueries& queries, const NearestWanted& wanted,
                  const NearestResult& result, NearestScratch& scratch);
  Rows<float>* rows_float;
  Rows<double>* rows_double;
};

extern const NearestKernels kNearestBaseline, kNearestAvx2;

/// The kernels of a level, which must not be above `highest_simd_level()`.
const NearestKernels& nearest_kernels_of(SimdLevel level);

}  // namespace equiframe::kernels::inline geometry
