#include "frames/permutation/labelling/graph_labelling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include <nauty.h>

#include "frames/permutation/labelling/bounded_search.h"
#include "frames/permutation/labelling/pair_twins.h"

namespace equiframe::inline frames {
namespace {

/// nauty calls back without a user argument.
thread_local std::vector<std::vector<int64_t>>* generators_found = nullptr;
thread_local int64_t generator_nodes = 0;

void keep_generator(int /*count*/, int* permutation, int* /*orbits*/, int /*orbit_count*/,
                    int /*stabilised*/, int /*vertices*/) {
  generators_found->emplace_back(permutation, permutation + generator_nodes);
}

/// A coloured simple graph (or digraph) for nauty that has the automorphisms of a graph with many
/// pair classes. Bit l of the class of (i, j) is the edge (i, j) of layer l; vertex l * n + i is
/// node i in layer l, and the copies of a node are joined in a path. Layers have colours of their
/// own, so a symmetry moves all copies of a node alike.
class LayeredGraph {
 public:
  LayeredGraph(const PairClasses& pairs, const Cells& cells)
      : nodes_(static_cast<int>(pairs.nodes)),
        layers_(std::max(1, static_cast<int>(std::bit_width(
                                static_cast<uint64_t>(std::max<int64_t>(pairs.count, 1) - 1))))),
        vertices_(nodes_ * layers_),
        words_(SETWORDSNEEDED(vertices_)),
        edges_(static_cast<size_t>(words_) * static_cast<size_t>(vertices_), 0) {
    for (int i = 0; i < nodes_; ++i) {
      const int32_t* row = pairs.index.data() + int64_t{i} * nodes_;
      for (int j = 0; j < nodes_; ++j)
        for (int l = 0; l < layers_ && row[j] >> l != 0; ++l)
          if ((row[j] >> l & 1) != 0) add_arc(l * nodes_ + i, l * nodes_ + j);
      for (int l = 1; l < layers_; ++l) {
        add_arc(l * nodes_ + i, (l - 1) * nodes_ + i);
        add_arc((l - 1) * nodes_ + i, l * nodes_ + i);
      }
    }
    for (int l = 0; l < layers_; ++l) {
      for (int p = 0; p < nodes_; ++p) {
        labels_.push_back(l * nodes_ + static_cast<int>(cells.order[p]));
        same_cell_.push_back(p + 1 < nodes_ && cells.starts[p + 1] == 0 ? 1 : 0);
      }
    }
  }

  Labelling canonical(boolean directed) {
    DEFAULTOPTIONS_GRAPH(options);
    options.getcanon = TRUE;
    options.defaultptn = FALSE;
    options.digraph = directed;
    options.userautomproc = keep_generator;
    statsblk stats;
    std::vector<setword> canonical(edges_.size());
    std::vector<int> orbits(static_cast<size_t>(vertices_));
    Labelling result;
    bounded_search(vertices_, options, [&] {
      generators_found = &result.generators;
      generator_nodes = nodes_;
      densenauty(edges_.data(), labels_.data(), same_cell_.data(), orbits.data(), &options, &stats,
                 words_, vertices_, canonical.data());
    });
    if (stats.errstatus != 0) throw std::runtime_error("nauty refused a graph");
    result.order.assign(labels_.begin(), labels_.begin() + nodes_);
    result.log_group_order = std::log(stats.grpsize1) + stats.grpsize2 * std::log(10.0);
    return result;
  }

 private:
  void add_arc(int from, int to) {
    set* row = edges_.data() + static_cast<size_t>(words_) * static_cast<size_t>(from);
    ADDELEMENT(row, to);
  }

  int nodes_;
  int layers_;
  int vertices_;
  int words_;
  std::vector<setword> edges_;  // [vertices, words]
  std::vector<int> labels_;     // nauty's lab: vertices, cell after cell; on return canonical
  std::vector<int> same_cell_;  // nauty's ptn: 0 ends a cell
};

}  // namespace

Labelling canonical_labelling(const PairClasses& pairs, const Cells& cells) {
  Cells refined = cells;
  constexpr int64_t kOneLayer = 2;  // classes
  constexpr int64_t kSmall = 128;   // nodes, of which nauty may see all twins
  if (pairs.count > kOneLayer) refine_by_neighbours(refined, pairs);
  if (refined.discrete()) return {refined.order, {}, 0};
  if (pairs.nodes > kSmall) {
    const NodeGroups twins = pair_twins(pairs, refined);
    if (twins.count() < pairs.nodes)
      return labelling_from_groups(twins,
                                   canonical_labelling(pairs_of_groups(pairs, twins),
                                                       cells_of_groups(pairs, refined, twins)));
  }
  return LayeredGraph(pairs, refined).canonical(pairs.directed ? TRUE : FALSE);
}

}  // namespace equiframe::inline frames
