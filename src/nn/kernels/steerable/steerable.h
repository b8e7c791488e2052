#pragma once

#include <cstdint>
#include <span>

#include "simd/table.h"

/// Messages of SO(3)-steerable convolutions, block of pairs by block of pairs, so that the radial
/// weights of an edge never leave the cache. Plain C++20, no LibTorch.
///
///   m_e[a, o] = sum_J sum_i R_J[i, o] sum_b K_J[a, b] h_src[b, i],   R_J = sum_c z_c W_J[c]
///
/// A pair of nodes is two edges: edge 0 goes from `second` to `first`, edge 1 back. They share the
/// distance, hence z and R_J. Numbers z_c that are zero for a whole block are skipped: if they come
/// from a ReLU, and pairs are in order of distance, that is about half of them.
namespace equiframe::kernels::inline nn {

/// One K_J: from rows `row_in` .. of a node's features to rows `row_out` .. of a message. Terms
/// with the same network follow each other and have the same degrees.
struct SteerableTerm {
  std::int64_t in = 0;   ///< degree: 2 in + 1 rows
  std::int64_t out = 0;  ///< degree: 2 out + 1 rows
  std::int64_t row_in = 0;
  std::int64_t row_out = 0;
  std::int64_t basis = 0;    ///< where its network's K_J^T start, in numbers for each edge
  std::int64_t network = 0;  ///< which z it reads
};
/// Unused numbers at the end of the angular basis, so that it can be read in whole registers.
inline constexpr std::int64_t kSteerablePadding = 16;

struct SteerableShape {
  std::int64_t pairs = 0;
  std::int64_t nodes = 0;
  std::int64_t rows_in = 0, channels_in = 0;
  std::int64_t rows_out = 0, channels_out = 0;
  std::int64_t radial = 0;  ///< numbers in z, without the constant one that follows them
};

template <class T>
struct SteerableInput {
  const T* features;           ///< [nodes, rows_in, channels_in]
  const std::int64_t* first;   ///< [pairs]
  const std::int64_t* second;  ///< [pairs]
  const T* radial;             ///< [networks, pairs, radial]
  /// For each network, from 2 pairs * `basis` of its first term on, [pairs, 2, terms, 2 in + 1,
  /// 2 out + 1]: K_J^T at the unit vectors from source to target.
  const T* basis;
  const T* weight;  ///< [terms, radial + 1, channels_in, channels_out], last row: bias
};

template <class T>
struct SteerableGradients {
  const T* messages;      ///< [pairs, 2, rows_out, channels_out]
  T* features = nullptr;  ///< all but `messages` are added to
  T* radial = nullptr;
  T* basis = nullptr;  ///< null if nobody wants it
  T* weight = nullptr;
};

/// The pairs [begin, end): a caller splits them among threads, with own features and weight
/// gradients for each.
struct PairRange {
  std::int64_t begin = 0, end = 0;
};

/// Sets messages [pairs, 2, rows_out, channels_out] for the pairs of `range`.
template <class T>
void steerable_forward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
                       const SteerableInput<T>& input, PairRange range, T* messages);
template <class T>
void steerable_backward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
                        const SteerableInput<T>& input, PairRange range,
                        const SteerableGradients<T>& gradients);

template <class T>
struct SteerableFunctions {
  decltype(&steerable_forward<T>) forward;
  decltype(&steerable_backward<T>) backward;
};
using SteerableKernels = BothPrecisions<SteerableFunctions>;

}  // namespace equiframe::kernels::inline nn
