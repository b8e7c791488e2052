#pragma once

#include <string>
#include <vector>

#include "experiments/runner/report_table.h"
#include "experiments/separation/graph_figures.h"

/// What the forms of the figures share.
namespace equiframe::inline experiments {

/// Graphs whose averages are drawn from `least` to `most` classes.
struct ClassRow {
  int64_t least = 1, most = 1;
  Tensor graphs;  ///< [graphs] bool

  int64_t count() const;
  /// Means of `values` [draws, graphs] over these graphs, for each k.
  std::vector<double> means(const Tensor& values) const;
};
/// 1, 2, 3-4, 5-8, ... where there are graphs with so many `cosets` [graphs].
std::vector<ClassRow> class_rows(const Tensor& cosets);

/// Places in the list of k that are shown where there is no room for all: the first, the one in the
/// middle, the last.
struct ShownDraws {
  size_t first = 0, middle = 0, last = 0;
};
ShownDraws shown_draws(const InvarianceErrors& errors);

TextTable error_table(const InvarianceErrors& errors);
/// FA by m_F, with Theorem 5 for the k in the middle.
TextTable frame_class_table(const InvarianceErrors& errors);
/// GA by m_G.
TextTable group_class_table(const InvarianceErrors& errors);

/// Sentences on the three parts, with the numbers found.
std::string error_remark(const InvarianceErrors& errors);
std::string coset_remark(const std::vector<CosetCount>& cosets);
std::string theorem_remark(const InvarianceErrors& errors);

}  // namespace equiframe::inline experiments
