// The real points of a batch of clouds as rows, so that no layer needs to know of padding.
#pragma once

#include <vector>

#include "equiframe/core/batch.h"

namespace equiframe::inline nn {

/// The R real points of M clouds of N places, cloud after cloud. Rows [R, C] are one value for each
/// point, [M, C] one for each cloud. All of it is differentiable.
class PackedPoints {
 public:
  /// Every cloud must have a real point.
  explicit PackedPoints(const Batch& batch);

  int64_t clouds() const { return clouds_; }
  int64_t size() const { return first_.back(); }
  /// The row each cloud begins with, and R.
  const std::vector<int64_t>& first() const { return first_; }

  Tensor pack(const Tensor& x) const;       ///< [M, N, ...] -> [R, ...]
  Tensor unpack(const Tensor& rows) const;  ///< [R, ...] -> [M, N, ...], zero for padding

  Tensor max(const Tensor& rows) const;   ///< over the points of each cloud, [M, C]
  Tensor mean(const Tensor& rows) const;  ///< over the points of each cloud, [M, ...]
  /// rows [R, ...] plus the value [M, ...] of their cloud.
  Tensor add(const Tensor& rows, const Tensor& of_clouds) const;
  /// rows [R, C] times the matrix [M, C, D] of their cloud.
  Tensor multiply(const Tensor& rows, const Tensor& of_clouds) const;

  /// of_clouds [M, D, C] transposed times rows [R, D, E], as [R, C E].
  Tensor project(const Tensor& of_clouds, const Tensor& rows) const;

  /// The k nearest points in the space of the rows, of the same cloud, [R, k] int64: row numbers,
  /// nearest first and the point itself before all. A cloud of fewer points repeats them.
  Tensor nearest(const Tensor& rows, int64_t k) const;

 private:
  Tensor grouped(const Tensor& rows) const;  // [M, N, ...] of a batch without padding

  int64_t clouds_, places_;
  std::vector<int64_t> first_;
  Tensor mask_;    // [M, N]; undefined = no padding
  Tensor index_;   // [R] places of the rows
  Tensor cloud_;   // [R] clouds of the rows
  Tensor counts_;  // [M]
};

}  // namespace equiframe::inline nn
