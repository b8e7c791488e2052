#include "frames/permutation/graph_spectrum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "frames/permutation/graph_eigen.h"
#include "frames/permutation/laplacian_spectrum.h"

namespace equiframe::inline frames {
namespace {

/// L = diag(A1) - A, divided by its largest entry.
std::vector<double> scaled_laplacian(const Graph& graph) {
  const int64_t n = graph.nodes;
  std::vector<double> l(graph.adjacency.size());
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto row = graph.adjacency.begin() + i * n;
    std::transform(row, row + n, l.begin() + i * n, [](double a) { return -a; });
    l[i * n + i] = std::accumulate(row, row + n, 0.0);
  }
  for (const double value : l) largest = std::max(largest, std::abs(value));
  if (largest > 0)
    for (double& value : l) value /= largest;
  return l;
}

/// Rounding moves an eigenvector by about sqrt(n) epsilon / gap to the rest of the spectrum. As a
/// multiple of the usual tolerance, with a factor of 16 to spare.
double noise(int64_t n) {
  return 16 * std::sqrt(static_cast<double>(n)) * 0x1p-52 / kSpectrumTolerance;
}

}  // namespace

SpectralColumns spectral_columns(const Graph& graph, double tolerance) {
  const int64_t n = graph.nodes;
  const Eigen eigen = symmetric_eigen(n, scaled_laplacian(graph));
  double scale = 0;
  for (const double value : eigen.values) scale = std::max(scale, std::abs(value));
  SpectralColumns columns;
  const auto gap_before = [&](int64_t k) {
    return k == 0 || k == n ? INFINITY : eigen.values[k] - eigen.values[k - 1];
  };
  for (int64_t start = 0, end = 0; start < n; start = end) {
    std::vector<double> column(static_cast<size_t>(n));
    for (end = start; end == start || gap_before(end) <= tolerance * scale; ++end)
      for (int64_t i = 0; i < n; ++i)
        column[i] += eigen.vectors[end * n + i] * eigen.vectors[end * n + i];
    const double gap = std::min(gap_before(start), gap_before(end));
    const double largest = *std::max_element(column.begin(), column.end());
    columns.tolerances.push_back(tolerance * std::max(largest, noise(n) * scale / gap));
    columns.values.insert(columns.values.end(), column.begin(), column.end());
  }
  for (int64_t k = 1; k < n && scale > 0; ++k) {
    const double gap = gap_before(k) / scale;
    if (const double larger = std::max(gap, tolerance); larger > 0)
      columns.margin = std::min(columns.margin, std::abs(gap - tolerance) / larger);
  }
  return columns;
}

Cells spectral_cells(const Graph& graph, double tolerance) {
  Cells cells = one_cell(graph.nodes);
  if (graph.nodes < 2) return cells;
  const SpectralColumns columns = spectral_columns(graph, tolerance);
  cells.margin = columns.margin;
  for (int64_t c = 0; c < columns.count() && !cells.discrete(); ++c)
    split_by_gaps(cells, columns.values.data() + c * graph.nodes, columns.tolerances[c]);
  return cells;
}

}  // namespace equiframe::inline frames
