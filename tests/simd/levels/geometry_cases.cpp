#include <algorithm>
#include <limits>

#include "geometry/kernels/nearest.h"
#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {
namespace {

/// Points in the order of their first coordinate, eight to a leaf: results do not depend on the
/// shape of a tree.
class StripTree {
 public:
  StripTree(std::int64_t count, std::uint32_t seed) : count_(count) {
    Draws draws(seed);
    std::vector<std::vector<double>> rows;
    for (std::int64_t i = 0; i < count; ++i) rows.push_back(draws.numbers<double>(3));
    for (std::size_t i = 7; i < rows.size(); i += 7) rows[i] = rows[i - 1];  // ties
    std::sort(rows.begin(), rows.end());
    const std::int64_t leaves = (count + kLeafPoints - 1) / kLeafPoints;
    points_.assign(static_cast<std::size_t>(leaves * 3 * kLeafPoints),
                   std::numeric_limits<double>::quiet_NaN());
    for (std::int64_t i = 0; i < leaves * kLeafPoints; ++i)
      numbers_.push_back(static_cast<std::int32_t>(i));
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t axis = 0; axis < 3; ++axis)
        points_[place(i, axis)] = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(axis)];
    boxes_.resize(static_cast<std::size_t>((2 * leaves - 1) * 8));
    bound({0, 0, leaves});
  }

  KdTree view() const {
    return {points_.data(), numbers_.data(), boxes_.data(),
            static_cast<std::int64_t>(numbers_.size()) / kLeafPoints};
  }
  std::int64_t count() const { return count_; }
  double coordinate(std::int64_t i, std::int64_t axis) const { return points_[place(i, axis)]; }

 private:
  static std::size_t place(std::int64_t i, std::int64_t axis) {
    const std::int64_t leaf = i / kLeafPoints;
    return static_cast<std::size_t>((leaf * 3 + axis) * kLeafPoints + i % kLeafPoints);
  }

  void bound(const TreeNode& node) {
    const std::int64_t last = std::min(count_, (node.first + node.leaves) * kLeafPoints);
    double* box = boxes_.data() + 8 * node.index;
    for (std::int64_t axis = 0; axis < 3; ++axis) {
      box[axis] = box[axis + 4] = coordinate(node.first * kLeafPoints, axis);
      for (std::int64_t i = node.first * kLeafPoints; i < last; ++i) {
        box[axis] = std::min(box[axis], coordinate(i, axis));
        box[axis + 4] = std::max(box[axis + 4], coordinate(i, axis));
      }
    }
    if (node.leaves == 1) return;
    bound(node.left());
    bound(node.right());
  }

  std::int64_t count_;
  std::vector<double> points_, boxes_;
  std::vector<std::int32_t> numbers_;
};

std::vector<Output> nearest(SimdLevel level) {
  const StripTree tree(301, 3);
  std::vector<Output> outputs;
  for (const std::int64_t k : {1, 9, 40}) {
    std::vector<std::int32_t> places(static_cast<std::size_t>(tree.count() * k));
    std::vector<double> squared(places.size());
    NearestScratch scratch;
    for (std::int64_t first = 0; first < tree.count(); first += kLeafPoints) {
      const std::int64_t size = std::min<std::int64_t>(kLeafPoints, tree.count() - first);
      double points[3 * kLeafPoints];
      for (std::int64_t i = 0; i < size; ++i)
        for (std::int64_t axis = 0; axis < 3; ++axis)
          points[3 * i + axis] = tree.coordinate(first + i, axis);
      Table<NearestKernels>::at(level).nearest(
          tree.view(), {points, size, static_cast<std::int32_t>(first)},
          {k, NearestOrder::kByDistance}, {places.data() + first * k, squared.data() + first * k},
          scratch);
    }
    outputs.push_back(output("places", std::vector<double>(places.begin(), places.end())));
    outputs.push_back(output("squared distances", squared));
  }
  return outputs;
}

template <class T>
std::vector<Output> nearest_rows(SimdLevel level) {
  const std::int64_t count = 90, width = 7, k = 20;
  std::vector<T> values = Draws(4).numbers<T>(count * width);
  std::copy_n(values.begin(), 10 * width, values.begin() + 30 * width);  // ties
  bool present[count];
  for (std::int64_t i = 0; i < count; ++i) present[i] = i % 11 != 3;
  std::vector<std::int64_t> indices(static_cast<std::size_t>(count * k));
  Table<NearestRowsKernels>::at(level).of<T>().nearest_rows({values.data(), present, count, width},
                                                            0, count, k, indices.data());
  return {output("indices", std::vector<double>(indices.begin(), indices.end()))};
}

}  // namespace

std::vector<Case> geometry_cases() {
  return {{"nearest", 0, {nearest}},
          {"nearest_rows", 0, {nearest_rows<float>, nearest_rows<double>}}};
}

}  // namespace equiframe::kernels::levels
