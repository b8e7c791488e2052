#pragma once

#include <array>
#include <memory>
#include <vector>

namespace equiframe::implicit {

using Vector3 = std::array<double, 3>;

inline Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vector3 operator*(double s, const Vector3& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
inline double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Vector3& a);

/// A smooth function of space whose zero set is a surface: negative inside, positive outside.
class ImplicitField {
 public:
  struct Value {
    double value = 0;
    Vector3 gradient{};
  };

  struct Range {
    double low = 0, high = 0;
  };

  ImplicitField() = default;
  ImplicitField(const ImplicitField&) = delete;
  ImplicitField& operator=(const ImplicitField&) = delete;
  virtual ~ImplicitField() = default;
  virtual Value at(const Vector3& p) const = 0;
  /// Bounds of the values in a ball, not always the closest: where they have one sign, nobody needs
  /// to look for a surface.
  virtual Range range(const Vector3& centre, double radius) const = 0;
};

using FieldPointer = std::unique_ptr<const ImplicitField>;

struct Blob {
  Vector3 centre{};
  double inverse_square = 1;  ///< 1 / s²
  double weight = 1;
};
/// level - Σ w exp(-|p - c|² / s²)
FieldPointer blobs_field(std::vector<Blob> blobs, double level);

struct Segment {
  Vector3 from{}, to{};
  double radius = 0;
};
/// The distance to all capsules at once, -k log Σ exp(-d / k): where two come near they flow into
/// one another over a length of about k.
FieldPointer limbs_field(std::vector<Segment> limbs, double blend);

struct Wave {
  Vector3 direction{};  ///< times the wave number
  double phase = 0;
  double height = 0;
};
/// Σ a √(sin²(k·p + φ) + w²): hills with creases between them, of a width that goes with w.
FieldPointer creases_field(std::vector<Wave> waves, double width);

/// Σ a sin(k·p + φ), plus a linear term.
FieldPointer waves_field(std::vector<Wave> waves, const Vector3& slope = {});

/// sin x cos y + sin y cos z + sin z cos x at p times `scale`, divided by it: of slope about one.
FieldPointer gyroid_field(double scale);

/// The distance to a torus about the z axis; a sphere where `ring` is zero.
FieldPointer torus_field(double ring, double tube);

/// base - displacement
FieldPointer displaced_field(FieldPointer base, FieldPointer displacement);

/// The layer where |g| < half_thickness, as far as it lies in the ball of this radius. The rim,
/// where the two meet, is rounded.
FieldPointer layer_field(FieldPointer g, double half_thickness, double radius);

}  // namespace equiframe::implicit
