#include "nn/graphs/graph.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe::inline nn {
namespace {

/// The points of one item, sorted into cubes of the radius' size.
class Cells {
 public:
  Cells(const double* points, int64_t count, int64_t dim, double radius)
      : points_(points), dim_(dim), radius_(radius) {
    for (int64_t i = 0; i < count; ++i) cells_[key(cell_of(i))].push_back(i);
  }

  /// Ascending; without i itself. `allowed(j)` says which points count.
  template <class Allowed>
  std::vector<int64_t> near(int64_t i, const Allowed& allowed) const {
    std::vector<int64_t> found;
    std::vector<int64_t> cell = cell_of(i);
    visit(cell, 0, [&](int64_t j) {
      if (j != i && allowed(j) && squared_distance(i, j) < radius_ * radius_) found.push_back(j);
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  std::vector<int64_t> cell_of(int64_t i) const {
    std::vector<int64_t> cell;
    for (int64_t k = 0; k < dim_; ++k)
      cell.push_back(static_cast<int64_t>(std::floor(points_[i * dim_ + k] / radius_)));
    return cell;
  }

  /// Cells that collide share a list; the distance decides in the end.
  static uint64_t key(const std::vector<int64_t>& cell) {
    uint64_t hash = 0;
    for (const int64_t c : cell) hash = (hash ^ static_cast<uint64_t>(c)) * 0x9e3779b97f4a7c15u;
    return hash;
  }

  template <class F>
  void visit(std::vector<int64_t>& cell, int64_t axis, const F& f) const {
    if (axis == dim_) {
      const auto list = cells_.find(key(cell));
      if (list == cells_.end()) return;
      for (const int64_t j : list->second) f(j);
      return;
    }
    const auto a = static_cast<size_t>(axis);
    const int64_t home = cell[a];
    for (int64_t step = -1; step <= 1; ++step) {
      cell[a] = home + step;
      visit(cell, axis + 1, f);
    }
    cell[a] = home;
  }

  double squared_distance(int64_t i, int64_t j) const {
    double sum = 0;
    for (int64_t k = 0; k < dim_; ++k) {
      const double d = points_[i * dim_ + k] - points_[j * dim_ + k];
      sum += d * d;
    }
    return sum;
  }

  const double* points_;
  int64_t dim_;
  double radius_;
  std::unordered_map<uint64_t, std::vector<int64_t>> cells_;
};

}  // namespace

Tensor complete_graph(int64_t batch, int64_t nodes, const Tensor& mask) {
  const Tensor slot = torch::arange(std::max<int64_t>(0, nodes - 1), torch::kLong);
  const Tensor node = torch::arange(nodes, torch::kLong).unsqueeze(1);
  const Tensor others = slot + (slot >= node).to(torch::kLong);  // [N, N - 1]
  const Tensor all = others.unsqueeze(0).expand({batch, nodes, -1});
  if (!mask.defined()) return all.contiguous();
  const Tensor sender = mask.unsqueeze(1).expand({-1, nodes, -1}).gather(2, all);
  return torch::where(sender & mask.unsqueeze(2), all, torch::full({}, -1, torch::kLong));
}

Tensor radius_graph(const Tensor& points, double radius, const Tensor& mask) {
  TORCH_CHECK(points.dim() == 3, "radius_graph: points must be [B, N, d], got ", points.sizes());
  if (!(radius > 0)) throw UserError("a neighbour cut-off must be a positive distance");
  const int64_t batch = points.size(0), nodes = points.size(1), dim = points.size(2);
  const Tensor p = points.detach().to(torch::kFloat64).contiguous();
  const Tensor real = mask.defined() ? mask.contiguous() : Tensor();
  std::vector<std::vector<int64_t>> lists(static_cast<size_t>(batch * nodes));
  for (int64_t b = 0; b < batch; ++b) {
    const bool* seen = real.defined() ? real.data_ptr<bool>() + b * nodes : nullptr;
    const auto allowed = [&](int64_t j) { return seen == nullptr || seen[j]; };
    const Cells cells(p.data_ptr<double>() + b * nodes * dim, nodes, dim, radius);
    for (int64_t i = 0; i < nodes; ++i)
      if (allowed(i)) lists[static_cast<size_t>(b * nodes + i)] = cells.near(i, allowed);
  }
  size_t degree = 1;
  for (const auto& list : lists) degree = std::max(degree, list.size());
  Tensor result = torch::full({batch, nodes, static_cast<int64_t>(degree)}, -1, torch::kLong);
  int64_t* to = result.data_ptr<int64_t>();
  for (const auto& list : lists) {
    std::copy(list.begin(), list.end(), to);
    to += degree;
  }
  return result;
}

Tensor gather_senders(const Tensor& x, const Tensor& neighbors) {
  const int64_t batch = x.size(0), nodes = x.size(1), degree = neighbors.size(2);
  const Tensor first = torch::arange(batch, torch::kLong).view({-1, 1, 1}) * nodes;
  const Tensor rows = (neighbors.clamp_min(0) + first).flatten();
  const Tensor values =
      x.flatten(0, 1).index_select(0, rows).view({batch, nodes, degree, x.size(2)});
  const Tensor absent = neighbors < 0;
  if (!absent.any().item<bool>()) return values;
  return values.masked_fill(absent.unsqueeze(-1), 0);
}

}  // namespace equiframe::inline nn
