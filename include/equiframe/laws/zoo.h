#pragma once

#include <string>
#include <vector>

#include <ATen/core/Generator.h>

#include "equiframe/core/batch.h"
#include "equiframe/export.h"

/// What laws are measured on: inputs where frames are easy and where they are hard, and backbones
/// without a symmetry of their own.
namespace equiframe::inline laws {

struct NamedCloud {
  std::string name;
  Tensor points;  // [n, d] float64
};

/// Point sets with symmetry, where principal axes tie or a reflection fixes the set. d = 2: square,
/// pentagon. d = 3: square, cube, tetrahedron, octahedron, icosahedron, prisms over regular
/// polygons. Other d: the hypercube or simplex. Vertices are exact to rounding, centred off origin.
EQUIFRAME_API std::vector<NamedCloud> symmetric_clouds(int64_t dim);

/// Order of each set's symmetry group in O(d), for the names of `symmetric_clouds`.
EQUIFRAME_API double symmetry_order(const std::string& name, int64_t dim);

/// Clouds without symmetry: "random"; "planar" (d > 1), in a random hyperplane; "few", n = d
/// points; "flat" (extents 1 and 1e-3), "far" (extent 1 at distance 1e3).
EQUIFRAME_API std::vector<NamedCloud> generic_clouds(int64_t dim, at::Generator& generator);

/// The clouds where no finite frame of O(d) exists, d > 1: "coincident", and "linear" (d > 2).
EQUIFRAME_API std::vector<NamedCloud> infinite_clouds(int64_t dim);

/// [1, n, c d]: the points, followed by `vectors` fields that share the cloud's symmetry (multiples
/// of the position relative to the centroid) and `scalars` that do (the distance to it).
EQUIFRAME_API Tensor attributed(const Tensor& points, int64_t vectors, int64_t scalars);

struct NamedGraph {
  std::string name;
  Tensor adjacency;      // [n, n] float64, symmetric, zero diagonal
  double automorphisms;  // |Aut|; 0 = not stated
};

/// path, cycle, complete, star, petersen, cube, two triangles (disconnected), empty, random.
EQUIFRAME_API std::vector<NamedGraph> graphs(at::Generator& generator);

/// A graph with constant node features as a batch of one: x [1, n, 1], pair [1, n, n, 1].
EQUIFRAME_API Batch as_batch(const NamedGraph& graph);

/// A random network of the whole input at once: it has no symmetry of any kind, not even under
/// reordering of the nodes, so whatever symmetry an average of it shows is the average's doing.
/// x [M, ...] (and pair, if there) -> [M, *out_shape]. Computes in the type of x.
class EQUIFRAME_API RandomMlp {
 public:
  RandomMlp(int64_t in_values, std::vector<int64_t> out_shape, at::Generator& generator,
            int64_t hidden = 32);
  Tensor operator()(const Batch& batch) const;

 private:
  Tensor first_, first_bias_, last_, last_bias_;
  std::vector<int64_t> out_shape_;
};

/// A random network that is equivariant under reordering of the nodes and nothing else:
/// y_i = W2 tanh(W1 x_i + mean_j tanh(W3 x_j)); x [M, N, C] -> [M, N, out]. Respects the mask.
class EQUIFRAME_API RandomSetNetwork {
 public:
  RandomSetNetwork(int64_t in_channels, int64_t out_channels, at::Generator& generator,
                   int64_t hidden = 32);
  Tensor operator()(const Batch& batch) const;

 private:
  Tensor node_, context_, last_, bias_;
};

}  // namespace equiframe::inline laws
