#pragma once

#include <cstdint>
#include <vector>

namespace equiframe::inline frames {

/// Keeps the entries whose value is tied with the largest: sorted descending, up to the first gap
/// above `tolerance`. `margin` is lowered to the distance of any of these decisions from flipping.
/// Returns positions into `values`, ascending.
std::vector<int64_t> top_cluster(const std::vector<double>& values, double tolerance,
                                 double& margin);

/// Directions attached to a cloud from which bases are built: centred points, and vector features.
/// Lengths are relative to the largest point (or vector) of the cloud.
struct Directions {
  int64_t dim = 0;
  std::vector<double> coordinates;  // [A, dim]
  std::vector<bool> is_point;       // [A]; points are preferred to vectors
  int64_t size() const { return static_cast<int64_t>(is_point.size()); }
  const double* at(int64_t a) const { return coordinates.data() + a * dim; }
};

struct SearchLimits {
  double tolerance;       // invariants closer than this are tied
  double rank_tolerance;  // residuals below this add no dimension
  int64_t max_candidates;
};

struct SearchResult {
  std::vector<std::vector<double>> bases;  // each [rank, dim], orthonormal rows
  int64_t rank = 0;                        // dimensions found, at most the number asked for
  double margin = 0;
};

/// Gram-Schmidt bases of up to `steps` directions, chosen greedily by invariants of the cloud alone
/// (the largest residual first, then its coordinates in the basis so far), all ties kept. The set
/// of bases moves with the cloud and does not depend on the order of the directions.
/// Throws std::length_error when more than `max_candidates` remain.
SearchResult search_bases(const Directions& directions, int64_t steps, const SearchLimits& limits);

}  // namespace equiframe::inline frames
