#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/simple_graph.h"
#include "equiframe/core/tensor.h"
#include "report/page.h"

/// Figure 2 of Puny et al. 2022, on GRAPH8c: how invariant are averages over a few draws, and from
/// how many different elements are they drawn?
namespace equiframe::inline experiments {

struct InvarianceOptions {
  std::vector<int64_t> draws{1, 2, 4, 8, 16, 32};  ///< k, ascending
  int64_t relabellings = 50;                       ///< of each graph
  int64_t networks = 1;                            ///< random ones, over which errors are averaged
  int64_t stride = 1;                              ///< every stride-th graph is measured
  uint64_t seed = 1;
  std::string frame = "laplacian";  ///< of S(n): `laplacian`, refined or not, or of one element
  std::function<void(double)> progress = {};  ///< told the share done, up to 1
};

/// Theorem 5 at the empirical distributions over F(X) / Aut(X) that were drawn: means over the
/// relabellings, [draws, graphs] float64.
struct DrawnDistributions {
  Tensor sup_error;        ///< sup over |phi| <= 1 of the error of the average
  Tensor log_probability;  ///< of the distribution
  Tensor log_bound;        ///< the theorem's lower bound of it, at the distribution's own sup-error
  int64_t count = 0;
  int64_t below_bound = 0;  ///< less probable than the theorem allows
};

/// mean_i ||y_i - v||, v = mean_i y_i, over the relabellings g_i X of a graph. The backbone is
/// 64 -> 128 -> 128 -> 128 -> 10 for graphs of 8 nodes, with random weights and tanh after each
/// layer; it sees the adjacency matrix. All tensors are float64.
struct InvarianceErrors {
  std::vector<int64_t> draws;
  int64_t relabellings = 0, networks = 0;
  Tensor plain;         ///< [graphs], the backbone itself
  Tensor exact;         ///< [graphs], the average over all of the canonical frame
  Tensor frame, group;  ///< [draws, graphs], FA and GA with k draws
  Tensor frame_cosets;  ///< [graphs], m_F = |F(X)| / |Aut(X)|
  Tensor group_cosets;  ///< [graphs], m_G = n! / |Aut(X)|
  DrawnDistributions drawn;
};

/// All graphs must have the same number of nodes, 2 to 11. The randomness of a graph comes from
/// the seed and its place in the list alone.
InvarianceErrors invariance_errors(const std::vector<SimpleGraph>& graphs,
                                   const InvarianceOptions& options);

/// Over the graphs, in units of the plain backbone's mean error.
struct ErrorSummary {
  double mean = 0;
  double deviation = 0;  ///< standard deviation
  double percentile_90 = 0;
};
/// Of `errors` [graphs], such as those of FA with one k.
ErrorSummary summarise(const Tensor& errors, const Tensor& plain);

/// How many graphs have these cosets: m_G = n! / |Aut|, m_F = |F| / |Aut| of the frame `laplacian`.
struct CosetCount {
  int64_t group = 1, frame = 1;
  int64_t graphs = 0;
};
/// Of all pairs that occur, ascending.
std::vector<CosetCount> coset_counts(const std::vector<SimpleGraph>& graphs);

/// Either part may be missing.
struct GraphFigures {
  std::optional<InvarianceErrors> errors;
  std::vector<CosetCount> cosets;
};

/// Sections with both halves of the figure, and what Theorem 5 has to do with it.
void add_graph_figures(report::Page& page, const GraphFigures& figures);
std::string to_json(const GraphFigures& figures);
std::string to_markdown(const GraphFigures& figures);

}  // namespace equiframe::inline experiments
