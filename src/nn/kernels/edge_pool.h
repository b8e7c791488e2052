#pragma once

#include <cstdint>

#include "nn/kernels/batch_norm.h"
#include "simd/table.h"

/// Edge convolutions (DGCNN, Wang et al. 2019): values of the edges from each node's neighbours j
/// to the node i,
///   v_ij = P_j + Q_i,   or with a weight   v_ij = W leaky(P_j + Q_i),
/// pooled over j. Edges are made in the cache, block by block, and made again for the gradient, so
/// that memory follows the nodes and not the edges. T is float or double.
namespace equiframe::kernels::inline nn {

struct EdgeShape {
  std::int64_t nodes = 0;   ///< receiving nodes
  std::int64_t degree = 0;  ///< neighbours of each
  std::int64_t hidden = 0;  ///< H, channels of P and Q; a multiple of 16
  std::int64_t width = 0;   ///< C, channels of v; a multiple of 16, H if there is no weight
};

template <class T>
struct EdgeInput {
  const T* sender;                ///< P [.., H], of all nodes
  const T* receiver;              ///< Q [nodes, H]
  const std::int64_t* neighbors;  ///< [nodes, degree], rows of P
  const T* weight;                ///< W [C, H], or null
  T slope;                        ///< of the leaky ReLU before W
};

/// sum and squares [C] += sums over the edges of v - pivot and (v - pivot)^2.
template <class T>
void edge_sums(const EdgeShape& shape, const EdgeInput<T>& input, const T* pivot, double* sum,
               double* squares);

/// largest [nodes, C] = max_j v_ij, place [nodes, C] the number of the first neighbour that has it.
template <class T>
void edge_max(const EdgeShape& shape, const EdgeInput<T>& input, T* largest, T* place);

/// With a_ij = leaky(v_ij scale + shift), means over j: mean [nodes, C] of a, and unless null slope
/// of leaky' and value of leaky' v.
template <class T>
struct EdgeMeans {
  T* mean;
  T* slope;
  T* value;
};
template <class T>
void edge_mean(const EdgeShape& shape, const EdgeInput<T>& input, const Activation<T>& activation,
               const EdgeMeans<T>& means);

/// The gradient dv_ij = offset + slant v_ij + local_i times
///   1 if j is the neighbour at `place`, else 0;   without place: leaky'(v_ij scale + shift)
/// and where it goes. Rows of `sender` and the weight are added to, `receiver` is overwritten.
template <class T>
struct EdgeGradients {
  const T* offset;           ///< [C]
  const T* slant;            ///< [C]
  const T* local;            ///< [nodes, C]; null = 0
  const T* place;            ///< [nodes, C]; null = the means were asked for
  Activation<T> activation;  ///< of the means
  T* sender;                 ///< [.., H]
  T* receiver;               ///< [nodes, H]
  T* weight;                 ///< [C, H]; null without one
};
template <class T>
void edge_backward(const EdgeShape& shape, const EdgeInput<T>& input,
                   const EdgeGradients<T>& gradients);

template <class T>
struct EdgePoolFunctions {
  decltype(&nn::edge_sums<T>) edge_sums;
  decltype(&nn::edge_max<T>) edge_max;
  decltype(&nn::edge_mean<T>) edge_mean;
  decltype(&nn::edge_backward<T>) edge_backward;
};
using EdgePoolKernels = BothPrecisions<EdgePoolFunctions>;

}  // namespace equiframe::kernels::inline nn
