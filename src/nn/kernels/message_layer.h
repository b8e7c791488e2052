#pragma once

#include <cstdint>

#include "simd/table.h"

/// A layer of message passing as one piece of work, block of items by block of items, so that what
/// is computed along the edges never leaves the cache. Plain C++20, no LibTorch.
///
///   m_ij = SiLU(W2 SiLU(W1 [h_i, h_j, e_ij] + b1) + b2)    for each neighbour j of i
///   h_i' = h_i + W4 SiLU(W3 [h_i, sum_j m_ij] + b3) + b4
///
/// The first map is never applied to concatenated rows: W1 [h_i, h_j, e] = A h_i + B h_j + E e,
/// with A h and B h computed once for each node.
///
/// Flips: channels are numbers of d components in turn (C/d vectors of R^d), the layer is evaluated
/// on K copies S_k h of each item, S_k = diag(signs[k]) on every vector, and the average
/// (1/K) sum_k S_k f(S_k h) comes out. As A S_k h = sum_c signs[k][c] A_c h_c, all maps that meet h
/// itself, and the last one, are computed once for the K copies.
///
/// A tail is one more hidden layer before the last map, for a decoder behind the layer:
///   h_i' = W4 SiLU(W5 [h_i, SiLU(W3 [h_i, sum_j m_ij] + b3)] + b5) + b4
namespace equiframe::kernels::inline nn {

struct MessageShape {
  std::int64_t items = 0;       ///< independent graphs
  std::int64_t nodes = 0;       ///< of each item, padding included
  std::int64_t degree = 0;      ///< slots for neighbours of each node
  std::int64_t width = 0;       ///< C, channels of h
  std::int64_t hidden = 0;      ///< H, channels of messages and of both hidden layers
  std::int64_t feature = 0;     ///< E, channels of e
  std::int64_t flips = 1;       ///< K
  std::int64_t components = 1;  ///< d; divides C
  std::int64_t out = 0;  ///< 0: C channels come out, h added to them; else so many, h not added
  bool tail = false;

  std::int64_t outputs() const { return out > 0 ? out : width; }
  std::int64_t copies() const { return items * flips; }
  std::int64_t copy_nodes() const { return copies() * nodes; }
  std::int64_t copy_edges() const { return copy_nodes() * degree; }
};

/// Row-major matrices [out, in] as LibTorch keeps them, and biases [out].
template <class T>
struct MessageWeights {
  const T* edge1;  ///< [H, 2 C + E]
  const T* edge1_bias;
  const T* edge2;  ///< [H, H]
  const T* edge2_bias;
  const T* node1;  ///< [H, C + H]
  const T* node1_bias;
  const T* node2;  ///< [outputs, H]
  const T* node2_bias;
  const T* tail;  ///< [H, C + H]; null if there is none
  const T* tail_bias;
};

/// The same, to be added to.
template <class T>
struct MessageWeightGradients {
  T *edge1, *edge1_bias, *edge2, *edge2_bias, *node1, *node1_bias, *node2, *node2_bias, *tail,
      *tail_bias;
};

template <class T>
struct MessageInput {
  const T* h;                     ///< [items, nodes, C]
  const std::int64_t* neighbors;  ///< [items, nodes, degree], -1 = none
  const T* edge;                  ///< [items, nodes, degree, E]
  const T* signs;                 ///< [K, d]; null if K = 1
};

/// What the forward pass leaves for the backward pass.
struct MessageTape {
  std::int64_t node_numbers = 0;  ///< for each node of each copy
  std::int64_t edge_numbers = 0;  ///< for each edge slot of each copy
};
MessageTape message_tape(const MessageShape& shape);

template <class T>
struct MessageOutput {
  T* h = nullptr;          ///< [items, nodes, outputs]
  T* messages = nullptr;   ///< [copies, nodes, degree, H], item by item, or null
  T* node_tape = nullptr;  ///< [copy_nodes, node_numbers], or null: no backward pass will come
  T* edge_tape = nullptr;  ///< [copy_edges, edge_numbers], likewise
};

template <class T>
struct MessageGradients {
  const T* h = nullptr;         ///< of the output
  const T* messages = nullptr;  ///< of the messages, or null = zero
  const T* node_tape = nullptr;
  const T* edge_tape = nullptr;
  T* input = nullptr;  ///< [items, nodes, C], is set
  T* edge = nullptr;   ///< [items, nodes, degree, E], is set; null if nobody wants it
  MessageWeightGradients<T> weights;  ///< are added to
};

/// For the items of `shape`; the caller splits a batch among threads by moving the pointers.
template <class T>
void message_forward(const MessageShape& shape, const MessageWeights<T>& weights,
                     const MessageInput<T>& input, const MessageOutput<T>& output);
template <class T>
void message_backward(const MessageShape& shape, const MessageWeights<T>& weights,
                      const MessageInput<T>& input, const MessageGradients<T>& gradients);

template <class T>
struct MessageForwardFunctions {
  decltype(&message_forward<T>) forward;
};
using MessageForwardKernels = BothPrecisions<MessageForwardFunctions>;

template <class T>
struct MessageBackwardFunctions {
  decltype(&message_backward<T>) backward;
};
using MessageBackwardKernels = BothPrecisions<MessageBackwardFunctions>;

}  // namespace equiframe::kernels::inline nn
