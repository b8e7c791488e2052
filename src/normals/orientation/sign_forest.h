// Disjoint sets whose members have signs relative to each other.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace equiframe::inline normals {

class SignForest {
 public:
  explicit SignForest(int64_t count)
      : parent_(static_cast<size_t>(count)),
        size_(static_cast<size_t>(count), 1),
        reversed_(static_cast<size_t>(count), 0) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  struct Root {
    int32_t index;
    int sign;  // of the member, relative to the root
  };

  Root find(int32_t member) {
    Root root{member, 1};
    while (parent(root.index) != root.index) {
      root.sign *= sign(root.index);
      root.index = parent(root.index);
    }
    int to_root = root.sign;
    for (int32_t i = member; i != root.index;) {  // all on the way point at the root from now on
      const int32_t next = parent(i);
      const int own = sign(i);
      parent(i) = root.index;
      set_sign(i, to_root);
      to_root *= own;
      i = next;
    }
    return root;
  }

  /// Joins the sets of a and b, unless they are one, so that their signs have the product
  /// `relative`.
  void unite(int32_t a, int32_t b, int relative) {
    Root large = find(a), small = find(b);
    if (large.index == small.index) return;
    if (size(large.index) < size(small.index)) std::swap(large, small);
    parent(small.index) = large.index;
    set_sign(small.index, large.sign * small.sign * relative);
    size(large.index) += size(small.index);
  }

 private:
  int32_t& parent(int32_t i) { return parent_[static_cast<size_t>(i)]; }
  int32_t& size(int32_t i) { return size_[static_cast<size_t>(i)]; }
  /// Relative to the parent.
  int sign(int32_t i) const { return reversed_[static_cast<size_t>(i)] != 0 ? -1 : 1; }
  void set_sign(int32_t i, int sign) {
    reversed_[static_cast<size_t>(i)] = static_cast<char>(sign < 0);
  }

  std::vector<int32_t> parent_, size_;
  std::vector<char> reversed_;
};

}  // namespace equiframe::inline normals
