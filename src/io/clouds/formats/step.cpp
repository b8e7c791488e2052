// .step and .stp: triangles of exact surfaces, by equiframe-cad. Read only: `Solid::write_step`
// writes solids.
#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "io/bytes/input_file.h"
#include "io/clouds/rows/point_format.h"
#include "io/helper/solid_helpers.h"

namespace equiframe::inline io {
namespace {

constexpr double kDeflection = 1e-3;  // of half the diagonal

template <class Value>
Tensor rows_of(const std::vector<Value>& values, at::ScalarType type) {
  return at::tensor(at::ArrayRef<Value>(values), type).view({-1, 3});
}

PointCloud read_step(const std::filesystem::path& path, const PointReadOptions& /*options*/) {
  const InputFile readable(path);  // says what is wrong with the path
  const cad::Reply reply = cad::ask_helper_why({.command = cad::Command::kReadStep,
                                                .deflection = kDeflection,
                                                .file = std::filesystem::absolute(path).string()});
  if (!reply.answer)
    throw UserError("cannot read '" + path.string() + "': " + reply.reason +
                    "; expected a STEP file (ISO 10303-21) with surfaces");
  cad::Packet packet = *reply.answer;
  PointCloud mesh;
  mesh.points = rows_of(packet.get_vector<double>(), at::kDouble);
  mesh.normals = rows_of(packet.get_vector<double>(), at::kDouble).to(at::kFloat);
  mesh.faces = rows_of(packet.get_vector<int64_t>(), at::kLong);
  return mesh;
}

const bool kStepRegistered = add_point_format({{".step", ".stp"}, read_step, nullptr});

}  // namespace
}  // namespace equiframe::inline io
