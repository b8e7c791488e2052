#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/simple_graph.h"
#include "equiframe/core/tensor.h"

namespace equiframe::inline experiments {

using IndexPair = std::array<int32_t, 2>;  ///< a < b

/// Pairs of rows of `embeddings` [n, d] whose L1 distance is at most `radius`, ascending. By
/// sorting along one axis and looking at neighbours only: time and memory follow the pairs found,
/// not n^2.
std::vector<IndexPair> close_pairs(const Tensor& embeddings, double radius);

/// Those of `pairs` whose rows are at most `radius` apart.
std::vector<IndexPair> still_close(const std::vector<IndexPair>& pairs, const Tensor& embeddings,
                                   double radius);

struct SeparationOptions {
  int64_t seeds = 100;
  double radius = 1e-3;           ///< closer in L1 is not separated
  int64_t batch_pairs = 1 << 16;  ///< pairs of nodes embedded together, few enough for the cache
  uint64_t first_seed = 0;
  /// Networks, from the first on, that also see a relabelled copy of each graph; 0 = none does.
  /// After them only graphs in pairs that are still together are embedded, which are few.
  int64_t false_seeds = 10;
  /// Told how many seeds are done.
  std::function<void(int64_t)> progress = {};
};

struct Separation {
  int64_t pairs = 0;        ///< compared
  int64_t unseparated = 0;  ///< by none of the seeds
  /// Graphs that one of the first `false_seeds` networks tells from a relabelled copy of
  /// themselves: those whose distance exceeds the radius.
  int64_t falsely_separated = 0;
  int64_t graphs = 0;
};

enum class Pairing { kAll, kNeighbours };  ///< all pairs, or (0, 1), (2, 3), ... as in EXP

/// The count of Table 2: random networks `model` (as for make_model), one for each seed, embed all
/// graphs; a pair is separated if one of them puts it further apart than the radius.
Separation separation(const std::string& model, const std::vector<SimpleGraph>& graphs,
                      Pairing pairing, const SeparationOptions& options);

}  // namespace equiframe::inline experiments
