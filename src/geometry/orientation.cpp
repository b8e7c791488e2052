#include "equiframe/geometry/orientation.h"

#include <cmath>
#include <map>
#include <vector>

#include <ATen/ATen.h>

#include "cloud_points.h"
#include "neighbor_edges.h"
#include "sign_forest.h"

namespace equiframe {
namespace {

/// Volume against the largest there could be, below which a part counts as open.
constexpr double kOpen = 0.01;

/// Of one connected part, with the signs its normals have relative to its root.
struct Part {
  int64_t number = 0;
  double points = 0;
  std::array<double, 3> centre{};
  int64_t highest = -1;
  double volume = 0, most = 0;  // sums of a_i (x_i - c).n_i and of a_i |x_i - c|, a_i an area
};

class Orienter {
 public:
  Orienter(const NeighborSearch& search, const OrientedCloud& cloud, int64_t k)
      : cloud_(cloud), graph_(neighbor_graph(search, k)), forest_(cloud.count) {
    for (const int64_t edge : edges_by_weight(graph_, cloud)) {
      const auto i = static_cast<int32_t>(edge / graph_.columns);
      const int32_t j = graph_.neighbors[static_cast<size_t>(edge)];
      forest_.unite(i, j, cloud.agreement(i, j) < 0 ? -1 : 1);
    }
  }

  /// Signs [N], and the part of each point in `part` [N]; returns the number of parts.
  int64_t decide(Orientation rule, std::vector<double>& signs, int64_t* part) {
    find_parts();
    if (rule == Orientation::kOutward) measure_volumes();
    for (int64_t i = 0; i < cloud_.count; ++i) {
      const SignForest::Root root = forest_.find(static_cast<int32_t>(i));
      const Part& own = parts_.at(root.index);
      part[i] = own.number;
      signs[static_cast<size_t>(i)] = root.sign * side(own, rule);
    }
    return static_cast<int64_t>(parts_.size());
  }

 private:
  const double* x(int64_t i) const { return cloud_.x + 3 * i; }
  const double* normal(int64_t i) const { return cloud_.normals + 3 * i; }

  void find_parts() {
    for (int64_t i = 0; i < cloud_.count; ++i) {
      const auto [at, fresh] = parts_.try_emplace(forest_.find(static_cast<int32_t>(i)).index);
      Part& part = at->second;
      if (fresh) part.number = static_cast<int64_t>(parts_.size()) - 1;
      part.points += 1;
      for (size_t axis = 0; axis < 3; ++axis)  // a running mean: sums would lose digits far out
        part.centre[axis] += (x(i)[axis] - part.centre[axis]) / part.points;
      if (part.highest < 0 || x(i)[2] > x(part.highest)[2]) part.highest = i;
    }
  }

  void measure_volumes() {
    for (int64_t i = 0; i < cloud_.count; ++i) {
      const SignForest::Root root = forest_.find(static_cast<int32_t>(i));
      Part& part = parts_.at(root.index);
      const double area = graph_.reach[static_cast<size_t>(i)];
      double height = 0, squared = 0;
      for (size_t axis = 0; axis < 3; ++axis) {
        const double offset = x(i)[axis] - part.centre[axis];
        height += offset * normal(i)[axis];
        squared += offset * offset;
      }
      part.volume += area * root.sign * height;
      part.most += area * std::sqrt(squared);
    }
  }

  /// What the signs of a part have to be multiplied with.
  int side(const Part& part, Orientation rule) {
    if (rule == Orientation::kOutward && std::abs(part.volume) > kOpen * part.most)
      return part.volume < 0 ? -1 : 1;
    const int sign = forest_.find(static_cast<int32_t>(part.highest)).sign;
    return sign * normal(part.highest)[2] < 0 ? -1 : 1;
  }

  const OrientedCloud& cloud_;
  NeighborGraph graph_;
  SignForest forest_;
  std::map<int32_t, Part> parts_;  // by root
};

/// Signs [N] towards the viewpoint.
Tensor signs_towards(const std::array<double, 3>& viewpoint, const Tensor& x, const Tensor& n) {
  const Tensor to = at::tensor(at::ArrayRef<double>(viewpoint), at::kDouble) - x;  // [N, 3]
  return at::where((to * n).sum(1) < 0, -1.0, 1.0).to(at::kDouble);
}

}  // namespace

OrientedNormals orient_normals(const NeighborSearch& search, const Tensor& points,
                               const Tensor& normals, const OrientationOptions& options) {
  TORCH_CHECK(points.size(0) == search.size() && points.sizes() == normals.sizes(),
              "orient_normals: a search over ", search.size(), " points needs as many points and ",
              "normals, got ", points.sizes(), " and ", normals.sizes());
  TORCH_CHECK(options.k >= 1, "orient_normals: k must be at least 1, got ", options.k);
  OrientedNormals result{normals, at::zeros({search.size()}, at::kLong), 1};
  if (options.rule == Orientation::kNone) return result;
  const Tensor x = cloud_points(points, "the cloud"), n = cloud_points(normals, "the normals");
  Tensor signs;  // [N]
  if (options.rule == Orientation::kViewpoint) {
    signs = signs_towards(options.viewpoint, x, n);
  } else {
    const OrientedCloud cloud{x.data_ptr<double>(), n.data_ptr<double>(), search.size()};
    std::vector<double> chosen(static_cast<size_t>(search.size()));
    result.parts = Orienter(search, cloud, options.k)
                       .decide(options.rule, chosen, result.part.data_ptr<int64_t>());
    signs = at::tensor(chosen, at::kDouble);
  }
  result.normals = normals * signs.to(normals.scalar_type()).unsqueeze(1);
  return result;
}

}  // namespace equiframe
