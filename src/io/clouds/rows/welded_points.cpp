#include "io/clouds/rows/welded_points.h"

#include <array>
#include <cstring>
#include <limits>

#include <c10/util/Exception.h>

#include "io/bytes/number_type.h"

namespace equiframe::inline io {
namespace {

constexpr uint32_t kFree = std::numeric_limits<uint32_t>::max();
constexpr std::size_t kFirstSlots = 1024;  // always a power of two

/// Multiplication by odd constants, then the high bits folded down: coordinates on a grid differ
/// in few and high bits only.
std::size_t hash_of(const char* point) {
  uint64_t hash = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    hash = (hash ^ load_number<uint64_t>(point + axis * sizeof(double))) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace

WeldedPoints::WeldedPoints() : points_(at::kDouble, 3), slots_(kFirstSlots, kFree) {}

void WeldedPoints::rehash(std::size_t slots) {
  slots_ = std::vector<uint32_t>();  // the old ones go first
  slots_.assign(slots, kFree);
  for (int64_t k = 0; k < points_.rows(); ++k) {
    std::size_t slot = hash_of(points_.row(k)) & (slots - 1);
    while (slots_[slot] != kFree) slot = (slot + 1) & (slots - 1);
    slots_[slot] = static_cast<uint32_t>(k);
  }
}

int64_t WeldedPoints::add(const double* point) {
  std::array<double, 3> key{};
  for (std::size_t axis = 0; axis < 3; ++axis) key[axis] = point[axis] + 0.0;
  const auto* const bytes = reinterpret_cast<const char*>(key.data());
  std::size_t slot = hash_of(bytes) & (slots_.size() - 1);
  for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1))
    if (std::memcmp(row(slots_[slot]), bytes, sizeof key) == 0) return slots_[slot];
  const int64_t place = points_.rows();
  TORCH_CHECK(place < static_cast<int64_t>(kFree), "WeldedPoints: more than 2^32 points");
  slots_[slot] = static_cast<uint32_t>(place);
  std::memcpy(points_.add_row<double>(), key.data(), sizeof key);
  if (2 * points_.rows() > static_cast<int64_t>(slots_.size())) rehash(2 * slots_.size());
  return place;
}

Tensor WeldedPoints::finish() {
  return points_.finish();
}

}  // namespace equiframe::inline io
