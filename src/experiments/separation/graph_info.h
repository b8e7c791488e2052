#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/simple_graph.h"
#include "frames/permutation/laplacian_spectrum.h"
#include "io/graphs/graph_batch.h"

namespace equiframe::inline experiments {

/// log |F(X)| of a graph in one frame of S(n).
struct FrameSize {
  std::string frame;
  double log_size = 0;
};

/// What the frames of S(n) make of a graph. Node types count as features.
struct GraphInfo {
  int64_t nodes = 0, edges = 0, components = 0;
  double log_automorphisms = 0;
  std::optional<StronglyRegular> strongly_regular;
  std::vector<LaplacianEigenvalue> spectrum;  ///< empty above kDenseNodes
  std::vector<FrameSize> frames;  ///< those that sort by the spectrum are left out above it

  /// log m_G = log n! / |Aut|: cosets of the group, what averaging over all of S(n) costs.
  double log_group_cosets() const;
  /// log m_F = log |F| / |Aut|: what quotient averaging over a frame costs.
  double log_frame_cosets(const FrameSize& frame) const;
};

/// Above this many nodes nothing of order n^3 is computed: frames take no pairs of nodes there.
constexpr int64_t kDenseNodes = kDensePairs;

/// Of each graph; `progress` is told how many are done.
std::vector<GraphInfo> graph_info(const std::vector<SimpleGraph>& graphs,
                                  const std::function<void(int64_t)>& progress = {});

}  // namespace equiframe::inline experiments
