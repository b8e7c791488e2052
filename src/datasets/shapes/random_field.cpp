#include "datasets/shapes/random_field.h"

#include <cmath>
#include <utility>

namespace equiframe::implicit {
namespace {

Vector3 random_direction(RandomDraws& draws) {
  const double z = draws.between(-1, 1), angle = draws.between(0, 2 * std::numbers::pi);
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

Vector3 random_place(double radius, RandomDraws& draws) {
  return radius * std::cbrt(draws.uniform()) * random_direction(draws);
}

/// Waves of lengths within a factor of two, each as high as `steepness` times its length over 2π.
std::vector<Wave> random_waves(int64_t count, double wave_number, double steepness,
                               RandomDraws& draws) {
  std::vector<Wave> waves;
  waves.reserve(static_cast<size_t>(count));
  for (int64_t k = 0; k < count; ++k) {
    const double number = wave_number * draws.between_ratios(0.7, 1.4);
    waves.push_back({number * random_direction(draws), draws.between(0, 2 * std::numbers::pi),
                     steepness / number});
  }
  return waves;
}

RandomField blobs(RandomDraws& draws) {
  const int64_t count = draws.whole(3, 9);
  constexpr double kLevel = 0.5;
  std::vector<Blob> all;
  Vector3 last{};
  double last_size = 0;
  for (int64_t k = 0; k < count; ++k) {
    const double size = draws.between(0.14, 0.36);
    // Each begins where it touches the one before it, so that most flow together.
    last = k == 0 ? random_place(0.3, draws)
                  : last + 0.75 * (size + last_size) * random_direction(draws);
    if (length(last) > 0.8) last = (0.5 / length(last)) * last;
    last_size = size;
    all.push_back({last, 1 / (size * size), draws.between(0.8, 1.3)});
  }
  return {blobs_field(std::move(all), kLevel), "blend of " + std::to_string(count) + " blobs"};
}

RandomField limbs(RandomDraws& draws) {
  const int64_t count = draws.whole(3, 8);
  std::vector<Segment> all;
  std::vector<Vector3> joints{random_place(0.2, draws)};
  for (int64_t k = 0; k < count; ++k) {
    const Vector3 from =
        joints[static_cast<size_t>(draws.below(static_cast<int64_t>(joints.size())))];
    Vector3 to = from + draws.between(0.3, 0.7) * random_direction(draws);
    if (length(to) > 0.85) to = (0.85 / length(to)) * to;
    if (length(to - from) < 0.1) continue;
    all.push_back({from, to, draws.between(0.06, 0.2)});
    joints.push_back(to);
  }
  const std::string recipe = "blend of " + std::to_string(all.size()) + " limbs";
  return {limbs_field(std::move(all), draws.between(0.02, 0.06)), recipe};
}

RandomField displaced(RandomDraws& draws) {
  const bool torus = draws.chance(0.5);
  const double tube = torus ? draws.between(0.2, 0.35) : draws.between(0.7, 0.9);
  const double ring = torus ? draws.between(0.5, 0.65) : 0;
  const double wave_number = draws.between_ratios(5, 16);
  const int64_t count = draws.whole(2, 6);
  const double steepness = draws.between(0.5, 1.1) / std::sqrt(static_cast<double>(count));
  return {displaced_field(torus_field(ring, tube),
                          waves_field(random_waves(count, wave_number, steepness, draws))),
          std::string(torus ? "torus" : "sphere") + " with " + std::to_string(count) + " waves"};
}

RandomField layer(RandomDraws& draws) {
  const double half = draws.between(0.04, 0.09), radius = draws.between(0.85, 1.1);
  const double kind = draws.uniform();
  if (kind < 0.3)
    return {layer_field(gyroid_field(draws.between(3, 5.5)), half, radius), "thin gyroid"};
  if (kind < 0.6) {
    const int64_t count = draws.whole(3, 5);
    auto waves =
        random_waves(count, draws.between(2.5, 5), 1.5 / static_cast<double>(count), draws);
    return {layer_field(waves_field(std::move(waves)), half, radius), "layer along waves"};
  }
  auto hills = random_waves(draws.whole(2, 4), draws.between(2, 6), draws.between(0.2, 0.5), draws);
  const Vector3 up = random_direction(draws);
  return {layer_field(waves_field(std::move(hills), up), half, radius), "thin wavy sheet"};
}

/// Wrinkles or folds on a shape: waves of some hundredths of its size.
RandomField detailed(RandomField shape, RandomDraws& draws) {
  const int64_t count = draws.whole(3, 9);
  const double wave_number = draws.between_ratios(12, 36);
  const double steepness = draws.between(0.4, 1.2) / std::sqrt(static_cast<double>(count));
  auto waves = random_waves(count, wave_number, steepness, draws);
  const bool creased = draws.chance(0.5);
  FieldPointer detail = creased ? creases_field(std::move(waves), draws.between(0.1, 0.4))
                                : waves_field(std::move(waves));
  return {displaced_field(std::move(shape.field), std::move(detail)),
          shape.recipe + (creased ? ", creased" : ", wrinkled")};
}

}  // namespace

RandomField random_field(RandomDraws& draws) {
  const double kind = draws.uniform();
  if (kind >= 0.75) return layer(draws);
  RandomField shape = kind < 0.2 ? blobs(draws) : kind < 0.45 ? limbs(draws) : displaced(draws);
  return draws.chance(0.6) ? detailed(std::move(shape), draws) : std::move(shape);
}

}  // namespace equiframe::implicit
