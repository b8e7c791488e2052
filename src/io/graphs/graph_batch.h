#pragma once

#include <filesystem>
#include <vector>

#include "core/simple_graph.h"
#include "equiframe/core/batch.h"

namespace equiframe::inline io {

/// Graphs as networks and frames take them, padded to `slots` nodes (0: to the largest): x
/// [B, N, 2] holds type and degree of each node (type 1 where there are none, as in GRAPH8c), pair
/// [B, N, N, 1] the adjacency, in float32. The mask is there if there is padding. With more than
/// kDensePairs slots, lists of neighbours take the place of `pair`.
constexpr int64_t kDensePairs = 1024;
Batch graph_batch(const std::vector<SimpleGraph>& graphs, int64_t slots = 0);

/// Batches for a pass over all graphs: their places in the list, graphs of similar size together,
/// as many as have `pairs` pairs of nodes (one at least).
std::vector<std::vector<int64_t>> batches_by_size(const std::vector<SimpleGraph>& graphs,
                                                  int64_t pairs);

/// The graphs at these places.
std::vector<SimpleGraph> pick(const std::vector<SimpleGraph>& graphs,
                              const std::vector<int64_t>& places);

/// The graphs of a file or folder, whichever format it is in: a folder has the layout of the TU
/// benchmarks; a list of edges is a .csv file or has a comma in its first line; and of the others
/// only the text format of EXP begins with a number, which graph6 and sparse6 cannot. Pipes serve
/// as well, and "-" is the standard input.
std::vector<SimpleGraph> read_graphs(const std::filesystem::path& path);

}  // namespace equiframe::inline io
