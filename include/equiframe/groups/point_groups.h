#pragma once

#include <string>

#include "equiframe/export.h"
#include "equiframe/groups/field_type.h"
#include "equiframe/groups/group.h"

/// Point groups: finite groups of orthogonal maps. Their elements are numbers, so the group laws
/// are exact.
namespace equiframe::inline groups {

/// The finite symmetry groups of the plane: C_n, the n rotations by multiples of 2 pi / n, and D_n,
/// which adds the n reflections. Element k < n rotates by 2 pi k / n; element n + k first mirrors
/// the y axis, then rotates.
class EQUIFRAME_API PlanarGroup {
 public:
  using Element = Tensor;  // [*batch], int64
  using Representation = FieldType;
  enum class Reflections { kExcluded, kIncluded };

  PlanarGroup(int64_t n, Reflections reflections);
  static PlanarGroup C(int64_t n) { return {n, Reflections::kExcluded}; }
  static PlanarGroup D(int64_t n) { return {n, Reflections::kIncluded}; }

  std::string name() const;
  Element identity() const;
  Element compose(const Element& g, const Element& h) const;
  Element inverse(const Element& g) const;
  /// Uniform.
  Element sample(int64_t count, at::Generator& generator) const;
  Tensor distance(const Element& g, const Element& h) const;
  Tensor act(const FieldType& rho, const Element& g, const Tensor& x) const;
  Tensor act_inverse(const FieldType& rho, const Element& g, const Tensor& x) const;
  Batch act(const FieldType& rho, const Element& g, const Batch& x) const;
  Batch act_inverse(const FieldType& rho, const Element& g, const Batch& x) const;
  FieldType type(const std::string& text) const;

  double order() const;
  Element elements() const;
  /// [*batch, 2, 2] float64.
  Tensor matrix(const Element& g) const;

 private:
  int64_t n_;
  Reflections reflections_;
};

static_assert(FiniteGroup<PlanarGroup>);

/// {-1, +1}^d: the reflections of the coordinate axes of R^d. Bit i of an element flips axis i.
class EQUIFRAME_API SignFlips {
 public:
  using Element = Tensor;  // [*batch], int64 bit masks
  using Representation = FieldType;

  explicit SignFlips(int64_t dim);

  std::string name() const;
  Element identity() const;
  Element compose(const Element& g, const Element& h) const;
  Element inverse(const Element& g) const;
  /// Uniform.
  Element sample(int64_t count, at::Generator& generator) const;
  Tensor distance(const Element& g, const Element& h) const;
  Tensor act(const FieldType& rho, const Element& g, const Tensor& x) const;
  Tensor act_inverse(const FieldType& rho, const Element& g, const Tensor& x) const;
  Batch act(const FieldType& rho, const Element& g, const Batch& x) const;
  Batch act_inverse(const FieldType& rho, const Element& g, const Batch& x) const;
  FieldType type(const std::string& text) const;

  double order() const;
  Element elements() const;
  /// [*batch, d, d] float64, diagonal.
  Tensor matrix(const Element& g) const;

 private:
  int64_t dim_;
};

static_assert(FiniteGroup<SignFlips>);

}  // namespace equiframe::inline groups
