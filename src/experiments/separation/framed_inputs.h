#pragma once

#include <memory>
#include <string>

#include "core/simple_graph.h"
#include "equiframe/core/tensor.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"

namespace equiframe::inline experiments {

/// The adjacency matrices that a network is given for the m relabellings of one graph: as they are,
/// by the canonical frame, and by K independent draws from the frame and from S(n), each drawn for
/// the relabelled graph. Each matrix is listed once, since a network does the same to it each time.
struct FramedInputs {
  Tensor matrices;              ///< [U, n * n] float32
  Tensor plain, exact;          ///< [m, 1] int64, rows of `matrices`
  Tensor frame, group;          ///< [m, K]
  double log_frame_cosets = 0;  ///< log m_F = log |F| / |Aut|
  double log_group_cosets = 0;  ///< log m_G = log n! / |Aut|
};

class InputMaker {
 public:
  /// `frame`: `laplacian`, refined or not, or a frame of one element. 2 to 11 nodes.
  InputMaker(int64_t nodes, const std::string& frame, int64_t draws);

  /// `name` tells the randomness of one graph from that of others.
  FramedInputs operator()(const SimpleGraph& graph, int64_t relabellings, uint64_t seed,
                          uint64_t name) const;

 private:
  /// rho(g)^-1 A as numbers, a bit for each pair of places: elements [m, k, n], pair [m, n, n, 1]
  /// -> [m, k] int64.
  Tensor encode(const Tensor& elements, const Tensor& pair) const;
  Tensor decode(const Tensor& codes) const;

  int64_t draws_;
  SymmetricGroup group_;
  std::unique_ptr<Frame<SymmetricGroup>> canonical_, frame_;
  Tensor bits_;  // [n * n] int64: of each pair of places; on the diagonal one that is never set
};

}  // namespace equiframe::inline experiments
