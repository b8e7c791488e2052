#include "geometry/search/kd_tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/parallel.h"

namespace equiframe::inline geometry {
namespace {

constexpr int64_t kBoxNumbers = 8;    // of kernels::KdTree
constexpr size_t kSubtrees = 64;      // that are built independently, at least
constexpr int64_t kFewLeaves = 2048;  // a tree not worth several threads

using Node = kernels::TreeNode;

struct Item {
  std::array<double, 3> x;
  int32_t number;
};

class Builder {
 public:
  Builder(const double* points, int64_t count)
      : items_(static_cast<size_t>(count)), leaves_((count + kLeaf - 1) / kLeaf) {
    for (int64_t i = 0; i < count; ++i)
      items_[static_cast<size_t>(i)] = {{points[3 * i], points[3 * i + 1], points[3 * i + 2]},
                                        static_cast<int32_t>(i)};
    const auto places = static_cast<size_t>(leaves_ * kLeaf);
    arrays_.points.resize(3 * places);
    arrays_.numbers.resize(places);
    arrays_.boxes.resize(static_cast<size_t>((2 * leaves_ - 1) * kBoxNumbers));
  }

  /// Level by level until there are enough subtrees for all threads, then each on its own.
  KdTreeArrays build() && {
    std::vector<Node> level{{0, 0, leaves_}};
    while (leaves_ > kFewLeaves && level.size() < kSubtrees) {
      for_each_part(static_cast<int64_t>(level.size()),
                    [&](int64_t k) { split(level[static_cast<size_t>(k)]); });
      level = next_level(level);
    }
    for_each_part(static_cast<int64_t>(level.size()),
                  [&](int64_t k) { build_subtree(level[static_cast<size_t>(k)]); });
    return std::move(arrays_);
  }

 private:
  /// A node that is a leaf already stays.
  static std::vector<Node> next_level(const std::vector<Node>& level) {
    std::vector<Node> next;
    next.reserve(2 * level.size());
    for (const Node& node : level) {
      next.push_back(node.leaves > 1 ? node.left() : node);
      if (node.leaves > 1) next.push_back(node.right());
    }
    return next;
  }

  Item* begin(const Node& node) { return items_.data() + node.first * kLeaf; }
  Item* end(const Node& node) {
    const auto count = static_cast<int64_t>(items_.size());
    return items_.data() + std::min(count, (node.first + node.leaves) * kLeaf);
  }

  void build_subtree(const Node& node) {
    split(node);
    if (node.leaves == 1) return fill(node);
    build_subtree(node.left());
    build_subtree(node.right());
  }

  /// Writes the box of a node and parts its items between its children.
  void split(const Node& node) {
    std::array<double, 3> low = begin(node)->x, high = low;
    for (const Item* item = begin(node); item != end(node); ++item) {
      for (size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], item->x[axis]);
        high[axis] = std::max(high[axis], item->x[axis]);
      }
    }
    double* box = arrays_.boxes.data() + node.index * kBoxNumbers;
    std::copy_n(low.begin(), 3, box);
    std::copy_n(high.begin(), 3, box + kBoxNumbers / 2);
    if (low == high) {
      box[kBoxNumbers - 1] = 1;
      sort_by_number(node);
    } else if (node.leaves > 1) {
      part_by(longest_side(low, high), node);
    }
  }

  static size_t longest_side(const std::array<double, 3>& low, const std::array<double, 3>& high) {
    size_t longest = 0;
    for (size_t axis = 1; axis < 3; ++axis)
      if (high[axis] - low[axis] > high[longest] - low[longest]) longest = axis;
    return longest;
  }

  void part_by(size_t axis, const Node& node) {
    std::nth_element(begin(node), begin(node.right()), end(node),
                     [axis](const Item& a, const Item& b) { return a.x[axis] < b.x[axis]; });
  }

  void sort_by_number(const Node& node) {
    const auto before = [](const Item& a, const Item& b) { return a.number < b.number; };
    if (!std::is_sorted(begin(node), end(node), before)) std::sort(begin(node), end(node), before);
  }

  void fill(const Node& leaf) {
    double* points = arrays_.points.data() + leaf.first * kLeaf * 3;
    int32_t* numbers = arrays_.numbers.data() + leaf.first * kLeaf;
    std::fill_n(points, 3 * kLeaf, std::numeric_limits<double>::quiet_NaN());
    std::fill_n(numbers, kLeaf, -1);
    int64_t place = 0;
    for (const Item* item = begin(leaf); item != end(leaf); ++item, ++place) {
      for (int64_t axis = 0; axis < 3; ++axis)
        points[axis * kLeaf + place] = item->x[static_cast<size_t>(axis)];
      numbers[place] = item->number;
    }
  }

  std::vector<Item> items_;
  int64_t leaves_;
  KdTreeArrays arrays_;
};

}  // namespace

KdTreeArrays build_kd_tree(const double* points, int64_t count) {
  return Builder(points, count).build();
}

}  // namespace equiframe::inline geometry
