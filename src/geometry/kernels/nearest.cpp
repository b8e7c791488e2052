#include "geometry/kernels/nearest.h"

#include <cstdlib>
#include <new>

#include "geometry/kernels/nearest_select.h"

namespace equiframe::kernels::inline geometry {
namespace {

// The leaves of a kd-tree that can matter to a group of queries: with r the distance from the
// centre c of the group to its k-th neighbour, query q has its k neighbours within r + |q - c|. One
// walk through the tree, which starts at the group and lowers r as it goes, finds them. Every query
// is then compared with all points of those leaves.

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

/// Takes the query itself out of the candidates, where it is.
inline void take_out(std::int32_t place, Candidates& candidates) {
  std::int64_t i = 0;
  while (candidates.places[i] != place) ++i;
  --candidates.count;
  candidates.places[i] = candidates.places[candidates.count];
  candidates.squared[i] = candidates.squared[candidates.count];
}

class GroupSearch {
 public:
  GroupSearch(const KdTree& tree, const NearestWanted& wanted, NearestScratch& scratch)
      : tree_(tree), wanted_(wanted), scratch_(scratch) {}

  void operator()(const NearestQueries& queries, const NearestResult& result) {
    const QueryGroup group = group_of(queries);
    LeafCollector collector(tree_, group, wanted_.k, scratch_);
    if (!collector.collect(queries.self < 0 ? -1 : queries.self / kLeafPoints)) {
      const std::int64_t half = queries.count / 2;
      (*this)(part(queries, 0, half), result);
      (*this)(part(queries, half, queries.count - half), at(result, half));
      return;
    }
    leaves_ = collector.count();
    double reach = collector.reach();  // from `last` to its k-th neighbour
    const double* last = group.centre;
    for (std::int64_t i = 0; i < queries.count; ++i) {
      const double* query = queries.points + 3 * i;
      const double by_centre = collector.reach() + distance(query, group.centre);
      const double by_last = reach + distance(query, last);
      const double bound = squared_bound(by_last < by_centre ? by_last : by_centre);
      const auto self = static_cast<std::int32_t>(queries.self < 0 ? -1 : queries.self + i);
      reach = __builtin_sqrt(search(query, self, bound, at(result, i)));
      last = query;
    }
  }

 private:
  static NearestQueries part(const NearestQueries& all, std::int64_t first, std::int64_t count) {
    const std::int64_t self = all.self < 0 ? -1 : all.self + first;
    return {all.points + 3 * first, count, static_cast<std::int32_t>(self)};
  }

  NearestResult at(const NearestResult& result, std::int64_t query) const {
    return {result.places + query * wanted_.k, result.squared + query * wanted_.k};
  }

  /// All points of the leaves within `bound`.
  Candidates candidates(const double* query, double bound) const {
    const Doubles q[3] = {splat<Doubles>(query[0]), splat<Doubles>(query[1]),
                          splat<Doubles>(query[2])};
    const Doubles bounds = splat<Doubles>(bound);
    Candidates found{scratch_.squared, scratch_.places, 0};
    for (std::int64_t i = 0; i < leaves_; ++i) {
      const std::int32_t leaf = scratch_.leaves[i];
      for_leaf(points_of(tree_, leaf), q, [&](int first, Doubles squared) {
        append_within(squared, bounds, leaf * kLeafPoints + first, found);
      });
    }
    return found;
  }

  /// Neighbours of one query, which are within `bound`; returns a bound of their squared distances.
  double search(const double* query, std::int32_t self, double bound, const NearestResult& result) {
    Candidates found = candidates(query, bound);
    std::int32_t* places = result.places;
    double* squared = result.squared;
    std::int64_t others = wanted_.k;
    if (self >= 0) {
      take_out(self, found);
      *places++ = self;
      *squared++ = 0;
      --others;
    }
    const double reach = select_nearest(found, others, bound, tree_.numbers, scratch_.pairs);
    if (wanted_.order == NearestOrder::kByDistance) {
      sort_nearest(found, tree_.numbers, scratch_.pairs, {squared, places, others});
    } else {
      for (std::int64_t i = 0; i < others; ++i) squared[i] = found.squared[i];
      for (std::int64_t i = 0; i < others; ++i) places[i] = found.places[i];
    }
    return reach;
  }

  const KdTree& tree_;
  const NearestWanted& wanted_;
  NearestScratch& scratch_;
  std::int64_t leaves_ = 0;
};

inline void nearest_of_group(const KdTree& tree, const NearestQueries& queries,
                             const NearestWanted& wanted, const NearestResult& result,
                             NearestScratch& scratch) {
  GroupSearch(tree, wanted, scratch)(queries, result);
}

}  // namespace
}  // namespace equiframe::kernels::inline geometry

EQUIFRAME_KERNELS(NearestKernels, {&nearest_of_group});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline geometry {

namespace {

constexpr std::int64_t kRegister = 8;  // numbers, at least as many as any register holds

template <class T>
void grow(T*& array, std::int64_t count) {
  void* memory = std::realloc(array, static_cast<std::size_t>(count) * sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  array = static_cast<T*>(memory);
}

}  // namespace

NearestScratch::~NearestScratch() {
  std::free(leaves);
  std::free(leaf_squared);
  std::free(centre_squared);
  std::free(squared);
  std::free(places);
  std::free(pairs);
}

void NearestScratch::reserve(std::int64_t leaf_count) {
  if (leaf_count <= capacity) return;
  const std::int64_t points = leaf_count * kLeafPoints;
  grow(leaves, leaf_count);
  grow(leaf_squared, leaf_count);
  grow(centre_squared, points);
  grow(squared, points + kRegister);
  grow(places, points + kRegister);
  grow(pairs, points);
  capacity = leaf_count;
}

void nearest(const KdTree& tree, const NearestQueries& queries, const NearestWanted& wanted,
             const NearestResult& result, NearestScratch& scratch) {
  Table<NearestKernels>::chosen().nearest(tree, queries, wanted, result, scratch);
}

}  // namespace equiframe::kernels::inline geometry
#endif
