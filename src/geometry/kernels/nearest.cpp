#include "geometry/kernels/nearest.h"

#include <cstdlib>
#include <new>

#include "geometry/kernels/nearest_dispatch.h"

namespace equiframe::kernels::inline geometry {
namespace {

constexpr std::int64_t kRegister = 8;  // numbers, at least as many as any register holds

template <class T>
void grow(T*& array, std::int64_t count) {
  void* memory = std::realloc(array, static_cast<std::size_t>(count) * sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  array = static_cast<T*>(memory);
}

}  // namespace

NearestScratch::~NearestScratch() {
  std::free(leaves);
  std::free(leaf_squared);
  std::free(centre_squared);
  std::free(squared);
  std::free(places);
  std::free(pairs);
}

void NearestScratch::reserve(std::int64_t leaf_count) {
  if (leaf_count <= capacity) return;
  const std::int64_t points = leaf_count * kLeafPoints;
  grow(leaves, leaf_count);
  grow(leaf_squared, leaf_count);
  grow(centre_squared, points);
  grow(squared, points + kRegister);
  grow(places, points + kRegister);
  grow(pairs, points);
  capacity = leaf_count;
}

const NearestKernels& nearest_kernels_of([[maybe_unused]] SimdLevel level) {
#if defined(__x86_64__) && !defined(EQUIFRAME_NO_X86_SIMD)
  if (level >= SimdLevel::kAvx2) return kNearestAvx2;
#endif
  return kNearestBaseline;
}

void nearest(const KdTree& tree, const NearestQueries& queries, const NearestWanted& wanted,
             const NearestResult& result, NearestScratch& scratch) {
  nearest_kernels_of(simd_level()).nearest(tree, queries, wanted, result, scratch);
}

template <>
void nearest_rows(const PointRows<float>& rows, std::int64_t first, std::int64_t last,
                  std::int64_t k, std::int64_t* indices) {
  nearest_kernels_of(simd_level()).rows_float(rows, first, last, k, indices);
}

template <>
void nearest_rows(const PointRows<double>& rows, std::int64_t first, std::int64_t last,
                  std::int64_t k, std::int64_t* indices) {
  nearest_kernels_of(simd_level()).rows_double(rows, first, last, k, indices);
}

}  // namespace equiframe::kernels::inline geometry
