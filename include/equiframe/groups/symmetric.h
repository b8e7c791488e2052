#pragma once

#include <string>

#include "equiframe/export.h"
#include "equiframe/groups/group.h"

namespace equiframe::inline groups {

/// How a tensor transforms under S_n: how many node axes, counted back from the channel axis, are
/// relabelled. "set": [*, C], none; "node": [*, n, C]; "pair": [*, n, n, C], (P A P^T).
class EQUIFRAME_API PermutationType {
 public:
  enum class Kind { kSet = 0, kNode = 1, kPair = 2 };

  PermutationType() = default;
  PermutationType(Kind kind) : kind_(kind) {}  // NOLINT(google-explicit-constructor)
  static PermutationType parse(const std::string& text);
  std::string str() const;

  Kind kind() const { return kind_; }
  int64_t node_axes() const { return static_cast<int64_t>(kind_); }
  bool operator==(const PermutationType&) const = default;

 private:
  Kind kind_ = Kind::kNode;
};

/// S_n acting by relabelling. An element is the index tensor of i -> sigma(i), and
/// (sigma x)_{sigma(i)} = x_i, so that P_{sigma tau} = P_sigma P_tau with the paper's
/// P_ij = 1 iff i = sigma(j).
class EQUIFRAME_API SymmetricGroup {
 public:
  using Element = Tensor;  // [*batch, n], int64
  using Representation = PermutationType;

  explicit SymmetricGroup(int64_t size);
  int64_t size() const { return size_; }

  std::string name() const;
  Element identity() const;
  Element compose(const Element& g, const Element& h) const;
  Element inverse(const Element& g) const;
  /// Uniform.
  Element sample(int64_t count, at::Generator& generator) const;
  /// The number of nodes sent to different places.
  Tensor distance(const Element& g, const Element& h) const;
  Tensor act(const PermutationType& rho, const Element& g, const Tensor& x) const;
  Tensor act_inverse(const PermutationType& rho, const Element& g, const Tensor& x) const;
  /// Relabels x as `rho`, pair as pair, mask and weights as node.
  Batch act(const PermutationType& rho, const Element& g, const Batch& x) const;
  Batch act_inverse(const PermutationType& rho, const Element& g, const Batch& x) const;
  PermutationType type(const std::string& text) const;

  double order() const;
  /// All n! of them, lexicographic; refused beyond n = 9.
  Element elements() const;

 private:
  int64_t size_;
};

static_assert(FiniteGroup<SymmetricGroup>);

}  // namespace equiframe::inline groups
