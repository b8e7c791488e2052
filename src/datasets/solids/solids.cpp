#include "datasets/solids/solids.h"

#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "io/bytes/atomic_file.h"
#include "io/helper/solid_helpers.h"

namespace equiframe::inline datasets {
namespace {

using cad::Command;
using cad::Packet;
using cad::Request;

/// Streams of randomness under a seed.
constexpr uint64_t kSolidModels = 0x534f4c4944, kSolidPoints = 0x504f494e54;
constexpr uint64_t kMaxSolidAttempts = 100;
constexpr double kSketchDeflection = 0.01, kFineDeflection = 1e-3;

template <class Value>
Tensor tensor_of(const std::vector<Value>& values, at::IntArrayRef shape, at::ScalarType type) {
  TORCH_CHECK(static_cast<int64_t>(values.size()) == c10::multiply_integers(shape),
              "equiframe-cad: a message of the wrong length");
  return at::from_blob(const_cast<Value*>(values.data()), shape, type).clone();
}

std::vector<double> numbers_of(const Tensor& points) {
  TORCH_CHECK(points.dim() == 2 && points.size(1) == 3, "points must be [P, 3], got ",
              points.sizes());
  const Tensor values = points.to(at::kCPU, at::kDouble).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

class HelperSolid final : public Solid {
 public:
  HelperSolid(uint64_t seed, int64_t number) : seed_(seed), number_(static_cast<uint64_t>(number)) {
    for (uint64_t attempt = 0; attempt < kMaxSolidAttempts; ++attempt) {
      start_ = Rng{seed, kSolidModels}.bits(number_, attempt);
      if (auto answer = cad::ask_helper({.command = Command::kRecipe, .start = start_})) {
        recipe_ = answer->get_text();
        return;
      }
    }
    throw UserError(c10::str("no valid solid in ", kMaxSolidAttempts, " attempts for number ",
                             number, " of seed ", seed,
                             "; is equiframe-cad built for this system?"));
  }

  std::string recipe() const override { return recipe_; }

  Tensor distance(const Tensor& points) const override {
    const auto distances =
        ask({.command = Command::kDistance, .start = start_, .points = numbers_of(points)})
            .get_vector<double>();
    return tensor_of(distances, {points.size(0)}, at::kDouble);
  }

  void write_step(const std::filesystem::path& path) const override {
    write_file_atomically(path, ask({.command = Command::kStep, .start = start_}).get_text());
  }

 private:
  Packet ask(const Request& request) const {
    if (auto answer = cad::ask_helper(request)) return *std::move(answer);
    throw UserError(c10::str("Open CASCADE failed on solid ", number_, " of seed ", seed_, " (",
                             recipe_, "); leave it out or take another seed"));
  }

  ShapeSamples compute_samples(int64_t points, uint64_t draw) const override {
    Packet packet = ask({.command = Command::kSample,
                         .start = start_,
                         .draw = Rng{seed_, kSolidPoints}.bits(number_, draw),
                         .count = points});
    ShapeSamples result;
    result.points = tensor_of(packet.get_vector<double>(), {points, 3}, at::kDouble);
    result.normals = tensor_of(packet.get_vector<double>(), {points, 3}, at::kDouble);
    result.patches = tensor_of(packet.get_vector<int64_t>(), {points}, at::kLong);
    result.edge_distance = tensor_of(packet.get_vector<double>(), {points}, at::kDouble);
    return result;
  }

  PointCloud compute_mesh(MeshDetail detail) const override {
    const double deflection = detail == MeshDetail::kFine ? kFineDeflection : kSketchDeflection;
    Packet packet = ask({.command = Command::kMesh, .start = start_, .deflection = deflection});
    const auto vertices = packet.get_vector<double>(), normals = packet.get_vector<double>();
    const auto triangles = packet.get_vector<int64_t>();
    const auto count = static_cast<int64_t>(vertices.size() / 3);
    PointCloud mesh;
    mesh.points = tensor_of(vertices, {count, 3}, at::kDouble);
    mesh.normals = tensor_of(normals, {count, 3}, at::kDouble).to(at::kFloat);
    mesh.faces = tensor_of(triangles, {static_cast<int64_t>(triangles.size() / 3), 3}, at::kLong);
    return mesh;
  }

  uint64_t seed_, number_;
  uint64_t start_ = 0;
  std::string recipe_;
};

}  // namespace

bool solids_available() {
  return cad::find_helper().has_value();
}

std::unique_ptr<Solid> random_solid(uint64_t seed, int64_t number) {
  if (number < 0) throw UserError(c10::str("solids are counted from 0, got ", number));
  return std::make_unique<HelperSolid>(seed, number);
}

}  // namespace equiframe::inline datasets
