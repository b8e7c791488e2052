#include "frames/permutation/laplacian_spectrum.h"

#include <algorithm>
#include <cmath>

#include "frames/permutation/graph_eigen.h"

namespace equiframe::inline frames {

std::vector<LaplacianEigenvalue> laplacian_spectrum(const SimpleGraph& graph, double tolerance) {
  const int64_t n = graph.nodes;
  std::vector<double> laplacian(static_cast<size_t>(n * n), 0.0);
  for (const auto& [u, v] : graph.edges) {
    laplacian[u * n + v] = laplacian[v * n + u] = -1;
    laplacian[u * n + u] += 1;
    laplacian[v * n + v] += 1;
  }
  const double scale =
      laplacian.empty() ? 1 : std::max(1.0, *std::max_element(laplacian.begin(), laplacian.end()));
  for (double& entry : laplacian) entry /= scale;
  const std::vector<double> values = symmetric_eigen(n, laplacian).values;
  const double tie = values.empty() ? 0 : tolerance * std::abs(values.back());
  std::vector<LaplacianEigenvalue> spectrum;
  for (size_t k = 0; k < values.size(); ++k) {
    if (k > 0 && values[k] - values[k - 1] <= tie)
      ++spectrum.back().multiplicity;
    else
      spectrum.push_back({std::abs(values[k]) <= tie ? 0 : scale * values[k], 1});
  }
  return spectrum;
}

}  // namespace equiframe::inline frames
