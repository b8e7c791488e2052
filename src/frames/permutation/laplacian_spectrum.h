#pragma once

#include <vector>

#include "core/simple_graph.h"

namespace equiframe::inline frames {

/// An eigenvalue of L = diag(A 1) - A and how often it occurs.
struct LaplacianEigenvalue {
  double value = 0;
  int64_t multiplicity = 0;
};

/// The usual `tolerance` of a graph's spectrum, relative to the largest value.
inline constexpr double kSpectrumTolerance = 1e-8;

/// All of them, ascending. Values that differ by no more than `tolerance` times the largest are
/// one; such small ones are zero. O(n^3).
std::vector<LaplacianEigenvalue> laplacian_spectrum(const SimpleGraph& graph,
                                                    double tolerance = kSpectrumTolerance);

}  // namespace equiframe::inline frames
