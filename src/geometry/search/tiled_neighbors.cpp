#include "geometry/search/tiled_neighbors.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "geometry/search/cloud_points.h"

namespace equiframe::inline geometry {
namespace {

/// Places [first, last) in the order of the points along the longest side.
struct Span {
  int64_t first = 0, last = 0;
  int64_t size() const { return last - first; }
};

/// Rows of a block that belong to a slab and have found all their neighbours, as a block of its
/// own.
class SlabRows {
 public:
  explicit SlabRows(int64_t k) : k_(k) {}

  void add(const NeighborBlock& block, int64_t row, const int32_t* rows) {
    points_.push_back(rows[block.points[row]]);
    for (int64_t j = row * k_; j < (row + 1) * k_; ++j)
      neighbors_.push_back(rows[block.neighbors[j]]);
    squared_.insert(squared_.end(), block.squared + row * k_, block.squared + (row + 1) * k_);
    offsets_.insert(offsets_.end(), block.offsets + 3 * row * k_,
                    block.offsets + 3 * (row + 1) * k_);
  }

  bool empty() const { return points_.empty(); }
  NeighborBlock block() const {
    return {.first = 0,
            .count = static_cast<int64_t>(points_.size()),
            .k = k_,
            .points = points_.data(),
            .neighbors = neighbors_.data(),
            .squared = squared_.data(),
            .offsets = offsets_.data()};
  }

 private:
  int64_t k_;
  std::vector<int32_t> points_, neighbors_;
  std::vector<double> squared_, offsets_;
};

}  // namespace

/// A slab, searched with wider and wider margins.
class TiledNeighbors::Slab {
 public:
  Slab(const TiledNeighbors& cloud, Span own)
      : cloud_(cloud), sorted_(cloud.sorted_.data_ptr<double>()) {
    wanted_.assign(static_cast<size_t>(own.size()), true);
    own_ = own;
  }

  void visit(int64_t k, NeighborOrder order,
             const std::function<void(const NeighborBlock&)>& visitor) {
    double margin = first_margin(k);
    while (true) {
      const Span around = widened(margin);
      search(around, k, order, visitor);
      if (left_.empty()) return;
      wanted_.assign(wanted_.size(), false);
      for (const int64_t place : left_) wanted_[static_cast<size_t>(place - own_.first)] = true;
      left_.clear();
      margin *= 2;
    }
  }

 private:
  double low() const { return sorted_[own_.first]; }
  double high() const { return sorted_[own_.last - 1]; }

  /// Twice the distance within which k points would be found if they filled the slab's shadow
  /// evenly, as a surface does.
  double first_margin(int64_t k) const {
    const Tensor lengths = std::get<0>(cloud_.points_.max(0)) - std::get<0>(cloud_.points_.min(0));
    const Tensor sides = std::get<0>(lengths.sort());
    const double area = std::max(sides[2].item<double>() * sides[1].item<double>(), 0.0);
    const double share = static_cast<double>(k) / static_cast<double>(cloud_.size());
    const double least = (high() - low()) * 1e-3;
    return std::max({2 * std::sqrt(area * share), least, 1e-300});
  }

  Span widened(double margin) const {
    const double* end = sorted_ + cloud_.size();
    return {std::lower_bound(sorted_, end, low() - margin) - sorted_,
            std::upper_bound(sorted_, end, high() + margin) - sorted_};
  }

  void search(Span around, int64_t k, NeighborOrder order,
              const std::function<void(const NeighborBlock&)>& visitor) {
    // By number, so that ties are broken as in one search over all.
    const auto [rows, places] = cloud_.order_.narrow(0, around.first, around.size()).sort();
    const auto* numbers = rows.data_ptr<int32_t>();
    const auto* place_of = places.data_ptr<int64_t>();
    const bool all = around.size() == cloud_.size();
    // A cloud that reaches beyond on a side ends there, for these points, at the margin.
    const double from = around.first == 0 ? -HUGE_VAL : sorted_[around.first - 1];
    const double to = around.last == cloud_.size() ? HUGE_VAL : sorted_[around.last];
    const NeighborSearch tree(cloud_.points_.index_select(0, rows.to(at::kLong)));
    const int64_t columns = std::min(k, cloud_.size());
    tree.for_each_block(columns, order, [&, place_of](const NeighborBlock& block) {
      SlabRows part(columns);
      std::vector<int64_t> again;
      for (int64_t b = 0; b < block.count; ++b) {
        const int64_t place = around.first + place_of[block.points[b]];
        if (place < own_.first || place >= own_.last) continue;
        if (!wanted_[static_cast<size_t>(place - own_.first)]) continue;
        const double room = std::min(sorted_[place] - from, to - sorted_[place]);
        const double* squared = block.squared + b * block.k;
        const double farthest = *std::max_element(squared, squared + block.k);
        const bool complete = all || (block.k == columns && farthest < room * room);
        if (complete)
          part.add(block, b, numbers);
        else
          again.push_back(place);
      }
      if (!part.empty()) visitor(part.block());
      if (again.empty()) return;
      const std::lock_guard lock(mutex_);
      left_.insert(left_.end(), again.begin(), again.end());
    });
  }

  const TiledNeighbors& cloud_;
  const double* sorted_;
  Span own_;
  std::vector<char> wanted_;  // by place from own_.first on
  std::mutex mutex_;
  std::vector<int64_t> left_;  // places
};

TiledNeighbors::TiledNeighbors(Tensor points, int64_t tile_points) {
  TORCH_CHECK(tile_points >= 1, "TiledNeighbors: tile_points must be at least 1, got ",
              tile_points);
  points_ = cloud_points(points, "the cloud");
  const Tensor lengths = std::get<0>(points_.max(0)) - std::get<0>(points_.min(0));
  const Tensor along = points_.select(1, lengths.argmax().item<int64_t>()).contiguous();
  const auto [values, order] = along.sort(/*stable=*/true, 0, /*descending=*/false);
  sorted_ = values;
  order_ = order.to(at::kInt);
  tiles_ = std::max<int64_t>(1, (size() + tile_points - 1) / tile_points);
}

void TiledNeighbors::for_each_block(int64_t k, NeighborOrder order,
                                    const std::function<void(const NeighborBlock&)>& visit) const {
  TORCH_CHECK(k >= 1, "TiledNeighbors: k must be at least 1, got ", k);
  for (int64_t tile = 0; tile < tiles_; ++tile)
    Slab(*this, {size() * tile / tiles_, size() * (tile + 1) / tiles_}).visit(k, order, visit);
}

void TiledNeighbors::for_some(const std::vector<int64_t>& points, int64_t k,
                              const std::function<void(const NeighborBlock&)>& visit) const {
  const int64_t columns = std::min(k, size());
  for_each_block(k, NeighborOrder::kByDistance, [&](const NeighborBlock& block) {
    for (int64_t b = 0; b < block.count; ++b)
      if (std::binary_search(points.begin(), points.end(), int64_t{block.points[b]}))
        visit({.first = block.first + b,
               .count = 1,
               .k = columns,
               .points = block.points + b,
               .neighbors = block.neighbors + b * columns,
               .squared = block.squared + b * columns,
               .offsets = block.offsets + 3 * b * columns});
  });
}

Tensor TiledNeighbors::middle() const {
  const int64_t tile = tiles_ / 2, first = size() * tile / tiles_;
  const int64_t count = size() * (tile + 1) / tiles_ - first;
  return points_.index_select(0, order_.narrow(0, first, count).to(at::kLong));
}

}  // namespace equiframe::inline geometry
