#include "normals/orientation/orientation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <ATen/ATen.h>

#include "geometry/search/cloud_points.h"
#include "geometry/search/neighbor_edges.h"
#include "normals/orientation/sign_forest.h"

namespace equiframe::inline normals {
namespace {

/// Volume against the largest there could be, below which a part counts as open.
constexpr double kOpen = 0.01;

/// One connected part, with the signs its normals have relative to its root. Points are rows of the
/// graph.
struct ConnectedPart {
  int64_t number = 0;
  double points = 0;
  std::array<double, 3> centre{};
  int64_t highest = -1;
  double volume = 0, most = 0;  // sums of a_i (x_i - c).n_i and of a_i |x_i - c|, a_i an area
};

class Orienter {
 public:
  /// `x` and `normals` [N, 3] float64.
  Orienter(const NeighborSearch& search, const Tensor& x, const Tensor& normals, int64_t k)
      : graph_(neighbor_graph(search, k)),
        x_(x.index_select(0, graph_.points)),
        normals_(normals.index_select(0, graph_.points)),
        cloud_{x_.data_ptr<double>(), normals_.data_ptr<double>(), search.size()},
        forest_(search.size()) {
    for_each_edge_by_weight(graph_, cloud_,
                            [this](int32_t i, int32_t j, int sign) { forest_.unite(i, j, sign); });
  }

  struct Decision {
    Tensor signs, part;  // [N] float64 and int64, in the order of the cloud
    int64_t parts;
  };

  Decision decide(Orientation rule) {
    find_parts();
    if (rule == Orientation::kOutward) measure_volumes();
    Decision decision{at::empty({cloud_.count}, at::kDouble), at::empty({cloud_.count}, at::kLong),
                      static_cast<int64_t>(parts_.size())};
    auto* signs = decision.signs.data_ptr<double>();
    auto* part = decision.part.data_ptr<int64_t>();
    const auto* point = graph_.points.data_ptr<int64_t>();
    for (int64_t row = 0; row < cloud_.count; ++row) {
      const SignForest::Root root = forest_.find(static_cast<int32_t>(row));
      const ConnectedPart& own = parts_.at(root.index);
      part[point[row]] = own.number;
      signs[point[row]] = root.sign * side(own, rule);
    }
    return decision;
  }

 private:
  const double* x(int64_t row) const { return cloud_.x + 3 * row; }
  const double* normal(int64_t row) const { return cloud_.normals + 3 * row; }

  void find_parts() {
    for (int64_t row = 0; row < cloud_.count; ++row) {
      const auto [at, fresh] = parts_.try_emplace(forest_.find(static_cast<int32_t>(row)).index);
      ConnectedPart& part = at->second;
      if (fresh) part.number = static_cast<int64_t>(parts_.size()) - 1;
      part.points += 1;
      for (size_t axis = 0; axis < 3; ++axis)  // a running mean: sums would lose digits far out
        part.centre[axis] += (x(row)[axis] - part.centre[axis]) / part.points;
      if (part.highest < 0 || x(row)[2] > x(part.highest)[2]) part.highest = row;
    }
  }

  void measure_volumes() {
    for (int64_t row = 0; row < cloud_.count; ++row) {
      const SignForest::Root root = forest_.find(static_cast<int32_t>(row));
      ConnectedPart& part = parts_.at(root.index);
      const double area = graph_.reach[static_cast<size_t>(row)];
      double height = 0, squared = 0;
      for (size_t axis = 0; axis < 3; ++axis) {
        const double offset = x(row)[axis] - part.centre[axis];
        height += offset * normal(row)[axis];
        squared += offset * offset;
      }
      part.volume += area * root.sign * height;
      part.most += area * std::sqrt(squared);
    }
  }

  /// What the signs of a part have to be multiplied with.
  int side(const ConnectedPart& part, Orientation rule) {
    if (rule == Orientation::kOutward && std::abs(part.volume) > kOpen * part.most)
      return part.volume < 0 ? -1 : 1;
    const int sign = forest_.find(static_cast<int32_t>(part.highest)).sign;
    return sign * normal(part.highest)[2] < 0 ? -1 : 1;
  }

  NeighborGraph graph_;
  Tensor x_, normals_;  // [N, 3], rows of the graph
  OrientedCloud cloud_;
  SignForest forest_;
  std::map<int32_t, ConnectedPart> parts_;  // by root
};

}  // namespace

Tensor normals_towards(const std::array<double, 3>& viewpoint, const Tensor& points,
                       const Tensor& normals) {
  const Tensor to = at::tensor(at::ArrayRef<double>(viewpoint), at::kDouble) -
                    cloud_points(points, "the cloud");  // [N, 3]
  const Tensor away = (to * cloud_points(normals, "the normals")).sum(1, /*keepdim=*/true) < 0;
  return at::where(away, -normals, normals);
}

OrientedNormals orient_normals(const NeighborSearch& search, const Tensor& points,
                               const Tensor& normals, const OrientationOptions& options) {
  TORCH_CHECK(points.size(0) == search.size() && points.sizes() == normals.sizes(),
              "orient_normals: a search over ", search.size(), " points needs as many points and ",
              "normals, got ", points.sizes(), " and ", normals.sizes());
  TORCH_CHECK(options.k >= 1, "orient_normals: k must be at least 1, got ", options.k);
  OrientedNormals result{normals, at::zeros({search.size()}, at::kLong), 1};
  if (options.rule == Orientation::kNone) return result;
  if (options.rule == Orientation::kViewpoint) {
    result.normals = normals_towards(options.viewpoint, points, normals);
    return result;
  }
  const Tensor x = cloud_points(points, "the cloud"), n = cloud_points(normals, "the normals");
  const Orienter::Decision decision = Orienter(search, x, n, options.k).decide(options.rule);
  result.part = decision.part;
  result.parts = decision.parts;
  result.normals = normals * decision.signs.to(normals.scalar_type()).unsqueeze(1);
  return result;
}

}  // namespace equiframe::inline normals
