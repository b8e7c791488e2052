#pragma once

#include <array>
#include <string>
#include <vector>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

namespace equiframe::inline groups {

/// How the last axis of a tensor transforms under x -> R x + t: a direct sum such as
/// "point + 2 vector + 3 scalar", in this order along the channels. A value without data.
class EQUIFRAME_API FieldType {
 public:
  /// | kind         | channels | rho(R, t)                                       |
  /// | scalar       | 1        | s                                               |
  /// | pseudoscalar | 1        | det(R) s                                        |
  /// | vector       | d        | R v                                             |
  /// | pseudovector | d        | det(R) R v      (a cross product, for d = 3)     |
  /// | point        | d        | R p + t         (affine, the paper's footnote)   |
  /// | tensor       | d * d    | R M R^T         (row-major; n n^T for a direction) |
  enum class Kind { kScalar, kPseudoscalar, kVector, kPseudovector, kPoint, kTensor };
  struct Field {
    Kind kind;
    int64_t count;
    bool operator==(const Field&) const = default;
  };

  FieldType() = default;
  explicit FieldType(std::vector<Field> fields);

  /// The inverse of `str`. Counts may be written "2 vector" or "2vector", plurals are accepted.
  static FieldType parse(const std::string& text);
  std::string str() const;

  const std::vector<Field>& fields() const { return fields_; }
  /// Channels taken in `dim` dimensions.
  int64_t channels(int64_t dim) const;
  bool has(Kind kind) const;
  bool operator==(const FieldType&) const = default;

  /// Throws UserError with a sentence if a tensor of `actual` channels cannot be of this type.
  void require_channels(int64_t dim, int64_t actual) const;

  /// All fields of one kind, [..., count, dim] (or [..., count] for the scalar kinds).
  Tensor select(Kind kind, int64_t dim, const Tensor& x) const;

 private:
  std::vector<Field> fields_;
};

EQUIFRAME_API std::string to_string(FieldType::Kind kind);

/// A batch of maps x -> R x + t as `FieldType` sees it; an undefined part is the identity.
struct AffineMap {
  Tensor linear;  // [*batch, d, d], orthogonal
  Tensor shift;   // [*batch, d]
};

/// rho(R, t) x for x [*batch, ..., C]. The shift is added in float64 whatever the type of x, so
/// that a cloud far from the origin keeps its extent.
EQUIFRAME_API Tensor transform(const FieldType& rho, int64_t dim, const AffineMap& map,
                               const Tensor& x);

/// rho(R, t)^-1 x, centring before it rotates: the other order cancels catastrophically.
EQUIFRAME_API Tensor transform_inverse(const FieldType& rho, int64_t dim, const AffineMap& map,
                                       const Tensor& x);

}  // namespace equiframe::inline groups
