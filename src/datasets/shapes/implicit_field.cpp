#include "datasets/shapes/implicit_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace equiframe::implicit {
namespace {

ImplicitField::Range around(double value, double spread) {
  return {value - spread, value + spread};
}

class Blobs final : public ImplicitField {
 public:
  Blobs(std::vector<Blob> blobs, double level) : blobs_(std::move(blobs)), level_(level) {}

  Value at(const Vector3& p) const override {
    Value result{level_, {}};
    for (const Blob& blob : blobs_) {
      const Vector3 d = p - blob.centre;
      const double bell = blob.weight * std::exp(-dot(d, d) * blob.inverse_square);
      result.value -= bell;
      result.gradient = result.gradient + 2 * bell * blob.inverse_square * d;
    }
    return result;
  }

  Range range(const Vector3& centre, double radius) const override {
    Range result{level_, level_};
    const auto bell = [](const Blob& blob, double distance) {
      return blob.weight * std::exp(-distance * distance * blob.inverse_square);
    };
    for (const Blob& blob : blobs_) {
      const double distance = length(centre - blob.centre);
      result.low -= bell(blob, std::max(distance - radius, 0.0));
      result.high -= bell(blob, distance + radius);
    }
    return result;
  }

 private:
  std::vector<Blob> blobs_;
  double level_;
};

class Limbs final : public ImplicitField {
 public:
  Limbs(std::vector<Segment> limbs, double blend) : limbs_(std::move(limbs)), blend_(blend) {}

  Value at(const Vector3& p) const override {
    constexpr double kFar = 1e9;
    double least = kFar;
    for (const Segment& limb : limbs_) least = std::min(least, of(limb, p).value);
    double sum = 0;
    Vector3 gradient{};
    for (const Segment& limb : limbs_) {
      const Value one = of(limb, p);
      const double weight = std::exp((least - one.value) / blend_);
      sum += weight;
      gradient = gradient + weight * one.gradient;
    }
    return {least - blend_ * std::log(sum), (1 / sum) * gradient};
  }

  Range range(const Vector3& centre, double radius) const override {
    return around(at(centre).value, radius);
  }

 private:
  static Value of(const Segment& limb, const Vector3& p) {
    const Vector3 along = limb.to - limb.from, offset = p - limb.from;
    const double t = std::clamp(dot(offset, along) / dot(along, along), 0.0, 1.0);
    const Vector3 away = offset - t * along;
    const double distance = length(away);
    return {distance - limb.radius, distance > 0 ? (1 / distance) * away : Vector3{}};
  }

  std::vector<Segment> limbs_;
  double blend_;
};

class Waves final : public ImplicitField {
 public:
  Waves(std::vector<Wave> waves, const Vector3& slope)
      : waves_(std::move(waves)), slope_(slope), steepness_(length(slope)) {
    for (const Wave& wave : waves_) steepness_ += std::abs(wave.height) * length(wave.direction);
  }

  Value at(const Vector3& p) const override {
    Value result{dot(slope_, p), slope_};
    for (const Wave& wave : waves_) {
      const double angle = dot(wave.direction, p) + wave.phase;
      result.value += wave.height * std::sin(angle);
      result.gradient = result.gradient + wave.height * std::cos(angle) * wave.direction;
    }
    return result;
  }

  Range range(const Vector3& centre, double radius) const override {
    return around(at(centre).value, steepness_ * radius);
  }

 private:
  std::vector<Wave> waves_;
  Vector3 slope_;
  double steepness_;
};

class Creases final : public ImplicitField {
 public:
  Creases(std::vector<Wave> waves, double width) : waves_(std::move(waves)), width_(width) {
    for (const Wave& wave : waves_) steepness_ += std::abs(wave.height) * length(wave.direction);
  }

  Value at(const Vector3& p) const override {
    Value result;
    for (const Wave& wave : waves_) {
      const double angle = dot(wave.direction, p) + wave.phase;
      const double s = std::sin(angle), root = std::hypot(s, width_);
      result.value += wave.height * root;
      result.gradient = result.gradient + wave.height * s * std::cos(angle) / root * wave.direction;
    }
    return result;
  }

  Range range(const Vector3& centre, double radius) const override {
    return around(at(centre).value, steepness_ * radius);
  }

 private:
  std::vector<Wave> waves_;
  double width_, steepness_ = 0;
};

class Gyroid final : public ImplicitField {
 public:
  explicit Gyroid(double scale) : scale_(scale) {}

  Value at(const Vector3& p) const override {
    Vector3 s{}, c{};
    for (size_t k = 0; k < 3; ++k) {
      s[k] = std::sin(scale_ * p[k]);
      c[k] = std::cos(scale_ * p[k]);
    }
    Value result;
    for (size_t k = 0; k < 3; ++k) {
      const size_t next = (k + 1) % 3, before = (k + 2) % 3;
      result.value += s[k] * c[next] / scale_;
      result.gradient[k] = c[k] * c[next] - s[before] * s[k];
    }
    return result;
  }

  Range range(const Vector3& centre, double radius) const override {
    return around(at(centre).value, std::numbers::sqrt3 * radius);  // each slope is at most 1
  }

 private:
  double scale_;
};

class Torus final : public ImplicitField {
 public:
  Torus(double ring, double tube) : ring_(ring), tube_(tube) {}

  Value at(const Vector3& p) const override {
    constexpr double kTiny = 1e-12;
    const double r = std::max(std::hypot(p[0], p[1]), kTiny), across = r - ring_;
    const double distance = std::max(std::hypot(across, p[2]), kTiny);
    const double x = across / (distance * r);
    return {distance - tube_, {x * p[0], x * p[1], p[2] / distance}};
  }

  Range range(const Vector3& centre, double radius) const override {
    return around(at(centre).value, radius);
  }

 private:
  double ring_, tube_;
};

class Displaced final : public ImplicitField {
 public:
  Displaced(FieldPointer base, FieldPointer displacement)
      : base_(std::move(base)), displacement_(std::move(displacement)) {}

  Value at(const Vector3& p) const override {
    const Value a = base_->at(p), b = displacement_->at(p);
    return {a.value - b.value, a.gradient - b.gradient};
  }

  Range range(const Vector3& centre, double radius) const override {
    const Range a = base_->range(centre, radius), b = displacement_->range(centre, radius);
    return {a.low - b.high, a.high - b.low};
  }

 private:
  FieldPointer base_, displacement_;
};

class Layer final : public ImplicitField {
 public:
  Layer(FieldPointer g, double half_thickness, double radius)
      : g_(std::move(g)), half_(half_thickness), radius_(radius) {}

  Value at(const Vector3& p) const override {
    const Value g = g_->at(p);
    const double distance = std::max(length(p), 1e-12);
    const double depth = across(g.value), ball = distance - radius_;
    const double difference = depth - ball;
    const double weight = (1 + difference / std::hypot(difference, half_)) / 2;
    return {larger(depth, ball), weight * g.value / std::hypot(g.value, half_) * g.gradient +
                                     (1 - weight) / distance * p};
  }

  Range range(const Vector3& centre, double radius) const override {
    const Range g = g_->range(centre, radius);
    const double least =
        g.low <= 0 && g.high >= 0 ? 0 : std::min(std::abs(g.low), std::abs(g.high));
    const double most = std::max(std::abs(g.low), std::abs(g.high));
    const double ball = length(centre) - radius_;
    return {larger(across(least), ball - radius), larger(across(most), ball + radius)};
  }

 private:
  /// |g| - half, but smooth where g is zero: at the rim the surface passes there.
  double across(double g) const { return std::hypot(g, half_) - std::numbers::sqrt2 * half_; }
  /// A smooth maximum, growing in both.
  double larger(double a, double b) const { return (a + b + std::hypot(a - b, half_)) / 2; }

  FieldPointer g_;
  double half_, radius_;
};

}  // namespace

double length(const Vector3& a) {
  return std::sqrt(dot(a, a));
}

FieldPointer blobs_field(std::vector<Blob> blobs, double level) {
  return std::make_unique<Blobs>(std::move(blobs), level);
}

FieldPointer limbs_field(std::vector<Segment> limbs, double blend) {
  return std::make_unique<Limbs>(std::move(limbs), blend);
}

FieldPointer waves_field(std::vector<Wave> waves, const Vector3& slope) {
  return std::make_unique<Waves>(std::move(waves), slope);
}

FieldPointer creases_field(std::vector<Wave> waves, double width) {
  return std::make_unique<Creases>(std::move(waves), width);
}

FieldPointer gyroid_field(double scale) {
  return std::make_unique<Gyroid>(scale);
}

FieldPointer torus_field(double ring, double tube) {
  return std::make_unique<Torus>(ring, tube);
}

FieldPointer displaced_field(FieldPointer base, FieldPointer displacement) {
  return std::make_unique<Displaced>(std::move(base), std::move(displacement));
}

FieldPointer layer_field(FieldPointer g, double half_thickness, double radius) {
  return std::make_unique<Layer>(std::move(g), half_thickness, radius);
}

}  // namespace equiframe::implicit
