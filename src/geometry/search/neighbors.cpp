#include "geometry/search/neighbors.h"

#include <algorithm>
#include <array>
#include <memory>

#include <ATen/ATen.h>

#include "core/parallel.h"
#include "geometry/search/cloud_points.h"
#include "geometry/search/kd_tree.h"

namespace equiframe::inline geometry {
namespace {

constexpr int64_t kBlockNeighbors = 8192;  // of all points of a block: they stay in the cache

int64_t leaves_of_block(int64_t k) {
  return std::max<int64_t>(1, kBlockNeighbors / (k * kLeaf));
}

/// Memory that is written before it is read.
template <class T>
std::unique_ptr<T[]> space_for(int64_t count) {
  return std::unique_ptr<T[]>(new T[static_cast<size_t>(count)]);
}

/// A block of queries as the leaves of a tree of their own, and what is found for them.
class BlockSearch {
 public:
  /// `queries` is `tree` itself where the points of a cloud look for their neighbours.
  BlockSearch(const KdTreeArrays& tree, const KdTreeArrays& queries,
              const kernels::NearestWanted& wanted)
      : tree_(tree), queries_(queries), wanted_(wanted) {
    const int64_t size = leaves_of_block(wanted.k) * kLeaf * wanted.k;
    places_ = space_for<int32_t>(size);
    neighbors_ = space_for<int32_t>(size);
    squared_ = space_for<double>(size);
    offsets_ = space_for<double>(3 * size);
  }

  NeighborBlock operator()(int64_t first_leaf, int64_t last_leaf) {
    const kernels::KdTree tree = tree_.view();
    int64_t count = 0;
    for (int64_t leaf = first_leaf; leaf < last_leaf; ++leaf) {
      const int64_t points = load(leaf);
      const bool self = &tree_ == &queries_;
      const auto place = static_cast<int32_t>(self ? leaf * kLeaf : -1);
      kernels::nearest(tree, {coordinates_.data(), points, place}, wanted_,
                       {places_.get() + count * wanted_.k, squared_.get() + count * wanted_.k},
                       scratch_);
      look_up(count, points);
      count += points;
    }
    return {.first = first_leaf * kLeaf,
            .count = count,
            .k = wanted_.k,
            .points = queries_.numbers.data() + first_leaf * kLeaf,
            .neighbors = neighbors_.get(),
            .squared = squared_.get(),
            .offsets = offsets_.get()};
  }

 private:
  /// The points of a leaf of the queries, [count, 3]; returns their number.
  int64_t load(int64_t leaf) {
    const double* points = queries_.points.data() + leaf * kLeaf * 3;
    const int32_t* numbers = queries_.numbers.data() + leaf * kLeaf;
    int64_t count = 0;
    for (; count < kLeaf && numbers[count] >= 0; ++count)
      for (int64_t axis = 0; axis < 3; ++axis)
        coordinates_[static_cast<size_t>(3 * count + axis)] = points[axis * kLeaf + count];
    return count;
  }

  /// Numbers and offsets of the neighbours of the last `count` points, from point `first` on.
  void look_up(int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const double* x = coordinates_.data() + 3 * i;
      const int64_t row = (first + i) * wanted_.k;
      for (int64_t j = row; j < row + wanted_.k; ++j) {
        const int32_t place = places_[j];
        const double* y = tree_.points.data() + place / kLeaf * kLeaf * 3 + place % kLeaf;
        double* offset = offsets_.get() + 3 * j;
        for (int64_t axis = 0; axis < 3; ++axis) offset[axis] = y[axis * kLeaf] - x[axis];
        neighbors_[j] = tree_.numbers[static_cast<size_t>(place)];
      }
    }
  }

  const KdTreeArrays &tree_, &queries_;
  kernels::NearestWanted wanted_;
  kernels::NearestScratch scratch_;
  std::array<double, 3 * kLeaf> coordinates_{};
  std::unique_ptr<int32_t[]> places_, neighbors_;  // [count, k]
  std::unique_ptr<double[]> squared_, offsets_;    // [count, k], [count, k, 3]
};

void for_each_block(const KdTreeArrays& tree, const KdTreeArrays& queries,
                    const kernels::NearestWanted& wanted,
                    const std::function<void(const NeighborBlock&)>& visit) {
  const int64_t leaves = queries.leaves(), together = leaves_of_block(wanted.k);
  for_each_part((leaves + together - 1) / together, [&](int64_t part) {
    BlockSearch search(tree, queries, wanted);
    visit(search(part * together, std::min(leaves, (part + 1) * together)));
  });
}

/// One point of a block as a block of its own.
NeighborBlock row_of(const NeighborBlock& block, int64_t row) {
  return {.first = block.first + row,
          .count = 1,
          .k = block.k,
          .points = block.points + row,
          .neighbors = block.neighbors + row * block.k,
          .squared = block.squared + row * block.k,
          .offsets = block.offsets + 3 * row * block.k};
}

Neighbors gather(const KdTreeArrays& tree, const KdTreeArrays& queries, int64_t count, int64_t k) {
  Neighbors result{at::empty({count, k}, at::kLong), at::empty({count, k}, at::kDouble)};
  auto* indices = result.indices.data_ptr<int64_t>();
  auto* squared = result.squared.data_ptr<double>();
  for_each_block(tree, queries, {k, kernels::NearestOrder::kByDistance},
                 [&](const NeighborBlock& block) {
                   for (int64_t i = 0; i < block.count; ++i) {
                     std::copy_n(block.neighbors + i * k, k, indices + block.points[i] * k);
                     std::copy_n(block.squared + i * k, k, squared + block.points[i] * k);
                   }
                 });
  return result;
}

}  // namespace

struct NeighborSearch::Tree {
  int64_t size;
  KdTreeArrays arrays;

  int64_t columns(int64_t k) const {
    TORCH_CHECK(k >= 1, "NeighborSearch: k must be at least 1, got ", k);
    return std::min(k, size);
  }
};

NeighborSearch::NeighborSearch(const Tensor& points) {
  const Tensor cloud = cloud_points(points, "the cloud");
  tree_ = std::make_unique<const Tree>(
      Tree{cloud.size(0), build_kd_tree(cloud.data_ptr<double>(), cloud.size(0))});
}

NeighborSearch::~NeighborSearch() = default;
NeighborSearch::NeighborSearch(NeighborSearch&&) noexcept = default;
NeighborSearch& NeighborSearch::operator=(NeighborSearch&&) noexcept = default;

int64_t NeighborSearch::size() const {
  return tree_->size;
}

Neighbors NeighborSearch::nearest(int64_t k) const {
  return gather(tree_->arrays, tree_->arrays, size(), tree_->columns(k));
}

Neighbors NeighborSearch::nearest(const Tensor& queries, int64_t k) const {
  if (queries.dim() == 2 && queries.size(0) == 0)
    return {at::empty({0, tree_->columns(k)}, at::kLong),
            at::empty({0, tree_->columns(k)}, at::kDouble)};
  const Tensor points = cloud_points(queries, "the queries");
  const KdTreeArrays order = build_kd_tree(points.data_ptr<double>(), points.size(0));
  return gather(tree_->arrays, order, points.size(0), tree_->columns(k));
}

void NeighborSearch::for_each_block(int64_t k, NeighborOrder order,
                                    const std::function<void(const NeighborBlock&)>& visit) const {
  const auto wanted = order == NeighborOrder::kAny ? kernels::NearestOrder::kAny
                                                   : kernels::NearestOrder::kByDistance;
  equiframe::for_each_block(tree_->arrays, tree_->arrays, {tree_->columns(k), wanted}, visit);
}

/// Those leaves of the tree that hold a wanted point are searched, and its rows are handed on.
void NeighborSearch::for_some(const std::vector<int64_t>& points, int64_t k,
                              const std::function<void(const NeighborBlock&)>& visit) const {
  const auto& numbers = tree_->arrays.numbers;
  std::vector<int64_t> leaves;
  for (size_t place = 0; place < numbers.size(); ++place) {
    const auto leaf = static_cast<int64_t>(place) / kLeaf;
    if (numbers[place] >= 0 && (leaves.empty() || leaves.back() != leaf) &&
        std::binary_search(points.begin(), points.end(), int64_t{numbers[place]}))
      leaves.push_back(leaf);
  }
  const kernels::NearestWanted wanted{tree_->columns(k), kernels::NearestOrder::kByDistance};
  for_each_part(static_cast<int64_t>(leaves.size()), [&](int64_t part) {
    BlockSearch search(tree_->arrays, tree_->arrays, wanted);
    const int64_t leaf = leaves[static_cast<size_t>(part)];
    const NeighborBlock block = search(leaf, leaf + 1);
    for (int64_t b = 0; b < block.count; ++b)
      if (std::binary_search(points.begin(), points.end(), int64_t{block.points[b]}))
        visit(row_of(block, b));
  });
}

}  // namespace equiframe::inline geometry
