#pragma once

#include <string>

#include "equiframe/export.h"
#include "equiframe/groups/field_type.h"
#include "equiframe/groups/group.h"

namespace equiframe::inline groups {

/// The isometries of R^d: E(d), SE(d), O(d), SO(d) and T(d) for every d >= 1, x -> R x + t.
class EQUIFRAME_API EuclideanGroup {
 public:
  /// Class invariant: linear is orthogonal, in the type of the data; shift is float64.
  struct Element {
    Tensor linear;  // [*batch, d, d]
    Tensor shift;   // [*batch, d]
  };
  using Representation = FieldType;
  enum class Linear { kIdentity, kRotations, kOrthogonal };
  enum class Shifts { kNone, kAll };

  EuclideanGroup(int64_t dim, Linear linear, Shifts shifts);
  static EuclideanGroup E(int64_t dim) { return {dim, Linear::kOrthogonal, Shifts::kAll}; }
  static EuclideanGroup SE(int64_t dim) { return {dim, Linear::kRotations, Shifts::kAll}; }
  static EuclideanGroup O(int64_t dim) { return {dim, Linear::kOrthogonal, Shifts::kNone}; }
  static EuclideanGroup SO(int64_t dim) { return {dim, Linear::kRotations, Shifts::kNone}; }
  static EuclideanGroup T(int64_t dim) { return {dim, Linear::kIdentity, Shifts::kAll}; }

  int64_t dim() const { return dim_; }
  Linear linear() const { return linear_; }
  bool has_shifts() const { return shifts_ == Shifts::kAll; }
  bool has_reflections() const { return linear_ == Linear::kOrthogonal; }

  std::string name() const;
  Element identity() const;
  Element compose(const Element& g, const Element& h) const;
  Element inverse(const Element& g) const;
  /// Haar on the linear part. T(d) is not compact: shifts are standard normal.
  Element sample(int64_t count, at::Generator& generator) const;
  Tensor distance(const Element& g, const Element& h) const;
  Tensor act(const FieldType& rho, const Element& g, const Tensor& x) const;
  Tensor act_inverse(const FieldType& rho, const Element& g, const Tensor& x) const;
  /// Moves x; pair, mask and weights are invariant (the paper's action on graphs (Y, A)).
  Batch act(const FieldType& rho, const Element& g, const Batch& x) const;
  Batch act_inverse(const FieldType& rho, const Element& g, const Batch& x) const;
  FieldType type(const std::string& text) const;

  /// The (d+1) x (d+1) matrices [R t; 0 1]: the homogeneous form that makes the affine action a
  /// representation, [*batch, d+1, d+1].
  Tensor homogeneous(const Element& g) const;

 private:
  AffineMap map(const Element& g) const;

  int64_t dim_;
  Linear linear_;
  Shifts shifts_;
};

template <class F>
EuclideanGroup::Element map_parts(const EuclideanGroup::Element& g, F&& f) {
  return {f(g.linear), f(g.shift)};
}

template <class F>
EuclideanGroup::Element zip_parts(const EuclideanGroup::Element& a,
                                  const EuclideanGroup::Element& b, F&& f) {
  return {f(a.linear, b.linear), f(a.shift, b.shift)};
}

/// `count` matrices of O(dim), Haar distributed, [count, dim, dim] float64; det = +1 for rotations.
EQUIFRAME_API Tensor haar_orthogonal(int64_t dim, EuclideanGroup::Linear linear, int64_t count,
                                     at::Generator& generator);

static_assert(Group<EuclideanGroup>);

}  // namespace equiframe::inline groups
