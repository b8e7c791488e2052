// The leaves of a kd-tree that can matter to a group of queries: with r the distance from the
// centre c of the group to its k-th neighbour, query q has its k neighbours within r + |q - c|. One
// walk through the tree, which starts at the group and lowers r as it goes, finds them.
#pragma once

#include "geometry/kernels/nearest_select.h"

namespace equiframe::kernels::inline geometry {
namespace {

/// What rounding may take from a sum of distances, and underflow from a square.
constexpr double kSlack = 1 + 1e-13, kTiny = 1e-150;

inline double squared_bound(double distance) {
  const double safe = distance * kSlack + kTiny;
  return safe * safe;
}

inline double squared_length(double x, double y, double z) {
  return (x * x + y * y) + z * z;
}

inline double distance(const double* p, const double* q) {
  return __builtin_sqrt(squared_length(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
}

/// A box of queries, padded like those of the tree.
struct QueryGroup {
  double low[4], high[4], centre[4];
  double radius;  // the farthest query from the centre
};

inline QueryGroup group_of(const NearestQueries& queries) {
  QueryGroup group{};
  for (int axis = 0; axis < 3; ++axis) {
    double low = queries.points[axis], high = low;
    for (std::int64_t i = 1; i < queries.count; ++i) {
      const double x = queries.points[3 * i + axis];
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    group.low[axis] = low;
    group.high[axis] = high;
    group.centre[axis] = low + 0.5 * (high - low);
  }
  double most = 0;
  for (std::int64_t i = 0; i < queries.count; ++i) {
    const double* p = queries.points + 3 * i;
    const double d =
        squared_length(p[0] - group.centre[0], p[1] - group.centre[1], p[2] - group.centre[2]);
    most = d > most ? d : most;
  }
  group.radius = __builtin_sqrt(most);
  return group;
}

/// Squared distance of a box of the tree from the box low, high.
inline double squared_gap(const double* box, const double* low, const double* high) {
  Doubles sum{};
  for (int i = 0; i < 4; i += kWidth<double>) {
    const Doubles above = load(box + i) - load(high + i);
    const Doubles below = load(low + i) - load(box + 4 + i);
    const Doubles gap = larger(larger(above, below), Doubles{});
    sum += gap * gap;
  }
  double total = 0;
  for (int lane = 0; lane < kWidth<double>; ++lane) total += sum[lane];
  return total;
}

inline const double* points_of(const KdTree& tree, std::int64_t leaf) {
  return tree.points + leaf * 3 * kLeafPoints;
}

/// Squared distances from q to eight points: visit(first of a register, squared distances).
template <class Visit>
inline void for_leaf(const double* leaf, const Doubles (&q)[3], const Visit& visit) {
  for (int i = 0; i < kLeafPoints; i += kWidth<double>) {
    const double *ys = leaf + kLeafPoints, *zs = ys + kLeafPoints;
    const Doubles x = load(leaf + i) - q[0], y = load(ys + i) - q[1], z = load(zs + i) - q[2];
    visit(i, (x * x + y * y) + z * z);
  }
}

/// The walk. Leaves that matter end up in the scratch.
class LeafCollector {
 public:
  LeafCollector(const KdTree& tree, const QueryGroup& group, std::int64_t k,
                NearestScratch& scratch)
      : tree_(tree), group_(group), k_(k), scratch_(scratch), next_check_((k + 7) / 8) {
    for (int axis = 0; axis < 3; ++axis) centre_[axis] = splat<Doubles>(group.centre[axis]);
  }

  /// From leaf `start` outwards, or from the root if it is negative. Returns whether it went to the
  /// end: a group that is wide against the distance of neighbours is better split.
  bool collect(std::int64_t start) {
    TreeNode node{0, 0, tree_.leaves};
    if (start < 0) {
      push(node, 0);
    } else {
      for (; node.leaves > 1; node = down(node, start)) push(beside(node, start), kUnknown);
      add(node.first, 0);
    }
    while (depth_ > 0 && !wide_) {
      Entry entry = stack_[--depth_];
      if (entry.squared == kUnknown) entry.squared = gap(entry.node);
      while (entry.squared <= bound_ && !is_leaf(entry.node)) entry = nearer_child(entry.node);
      if (entry.squared <= bound_) add_all(entry);
    }
    return !wide_ && finish();
  }

  std::int64_t count() const { return count_; }
  /// The distance of the centre to its k-th neighbour, or a little more.
  double reach() const { return reach_; }

 private:
  struct Entry {
    TreeNode node;
    double squared;  // distance from the group
  };
  static constexpr double kNever = 1.7976931348623157e308, kUnknown = -1;

  void push(const TreeNode& node, double squared) { stack_[depth_++] = {node, squared}; }

  /// The child that leaf `start` is in, and the other one.
  static TreeNode down(const TreeNode& node, std::int64_t start) {
    return start < node.first + node.left_leaves() ? node.left() : node.right();
  }
  static TreeNode beside(const TreeNode& node, std::int64_t start) {
    return start < node.first + node.left_leaves() ? node.right() : node.left();
  }

  bool is_leaf(const TreeNode& node) const {
    return node.leaves == 1 || tree_.boxes[8 * node.index + 7] != 0;
  }

  /// Of points that coincide, the k first ones are enough.
  void add_all(const Entry& entry) {
    const std::int64_t enough = (k_ + kLeafPoints - 1) / kLeafPoints;
    const std::int64_t leaves = entry.node.leaves < enough ? entry.node.leaves : enough;
    for (std::int64_t i = 0; i < leaves; ++i) add(entry.node.first + i, entry.squared);
  }

  double gap(const TreeNode& node) const {
    return squared_gap(tree_.boxes + 8 * node.index, group_.low, group_.high);
  }

  /// The other child is left for later.
  Entry nearer_child(const TreeNode& node) {
    const Entry a{node.left(), gap(node.left())}, b{node.right(), gap(node.right())};
    const bool second = b.squared < a.squared;
    const Entry& far = second ? a : b;
    if (far.squared <= bound_) push(far.node, far.squared);
    return second ? b : a;
  }

  void add(std::int64_t leaf, double squared) {
    if (count_ == scratch_.capacity) scratch_.reserve(2 * count_ + 64);
    scratch_.leaves[count_] = static_cast<std::int32_t>(leaf);
    scratch_.leaf_squared[count_] = squared;
    double* to = scratch_.centre_squared + kLeafPoints * count_;
    for_leaf(points_of(tree_, leaf), centre_, [to](int i, Doubles d) {
      const Doubles real = d == d ? d : splat<Doubles>(kNever);
      std::memcpy(to + i, &real, sizeof real);
    });
    ++count_;
    if (count_ < next_check_) return;
    next_check_ = 2 * count_;
    lower_reach();
  }

  /// A new r from the points seen so far.
  void lower_reach() {
    const std::int64_t seen = count_ * kLeafPoints;
    const double* squared = scratch_.centre_squared;
    double most = reach_squared_;
    if (most == kNever) {
      most = 0;
      for (std::int64_t i = 0; i < seen; ++i) {
        const double d = squared[i];
        most = d > most && d < kNever ? d : most;
      }
    }
    const std::int64_t within = count_within(squared, seen, most);
    if (within < k_) return;
    reach_squared_ = narrowed(squared, seen, k_, {0, most, 0, within}, kFewSteps).high;
    reach_ = __builtin_sqrt(reach_squared_);
    bound_ = squared_bound(reach_ + group_.radius);
    wide_ = group_.radius > kWide * reach_;
  }

  /// Leaves that were taken before r was as low as it is now are left out again.
  bool finish() {
    lower_reach();
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      scratch_.leaves[kept] = scratch_.leaves[i];
      kept += scratch_.leaf_squared[i] <= bound_ ? 1 : 0;
    }
    count_ = kept;
    return !wide_;
  }

  static constexpr int kFewSteps = 4;
  static constexpr double kWide = 4;

  const KdTree& tree_;
  const QueryGroup& group_;
  std::int64_t k_;
  NearestScratch& scratch_;
  std::int64_t next_check_;  // leaves
  Doubles centre_[3];
  std::int64_t count_ = 0;
  double reach_squared_ = kNever, reach_ = kNever, bound_ = kNever;
  Entry stack_[128];  // two for each level of the tree are enough
  int depth_ = 0;
  bool wide_ = false;
};

}  // namespace
}  // namespace equiframe::kernels::inline geometry
