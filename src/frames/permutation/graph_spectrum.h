#pragma once

#include "frames/permutation/labelling/graph_cells.h"

namespace equiframe::inline frames {

/// The matrix S(X) of section 3.2: for each eigenspace of the Laplacian L = diag(A1) - A, in
/// ascending order of eigenvalue, the column diag(sum u u^T). It does not depend on the basis that
/// an eigen-solver happens to pick.
struct SpectralColumns {
  std::vector<double> values;      // [n, m] column by column
  std::vector<double> tolerances;  // [m]: entries of a column closer than this tie
  double margin = INFINITY;        // of the eigenvalue clustering, see Cells

  int64_t count() const { return static_cast<int64_t>(tolerances.size()); }
};

/// Eigenvalues belong to one space while consecutive gaps are at most `tolerance` times the
/// largest |eigenvalue|. A signed A is allowed: L is then symmetric but not positive.
SpectralColumns spectral_columns(const Graph& graph, double tolerance);

/// The nodes sorted by the rows of S(X), first column first.
Cells spectral_cells(const Graph& graph, double tolerance);

}  // namespace equiframe::inline frames
