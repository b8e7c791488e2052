#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "equiframe/datasets/cad_set.h"

/// Random solids as computer-aided design makes them: extrusions, revolutions, lofts and tubes, cut
/// and joined, drilled, hollowed out, their edges rounded and bevelled.
///
/// They are made by Open CASCADE in a helper program, equiframe-cad, which is built where its
/// packages are installed; everything else works without it.
namespace equiframe::inline datasets {

class Solid : public Shape {
 public:
  /// Distance of points [P, 3] to the surface, float64 [P].
  virtual Tensor distance(const Tensor& points) const = 0;
  /// The exact solid as a STEP file, which other CAD programs read.
  virtual void write_step(const std::filesystem::path& path) const = 0;
};

/// Whether equiframe-cad is there: beside the library, in its folder `equiframe`, or where the
/// environment variable EQUIFRAME_CAD says.
bool solids_available();

/// Solid `number` of the endless sequence `seed`. It depends on the two alone, so that solids can
/// be made in any order and by any thread. Its box is centred at the origin and has the half
/// diagonal
/// 1. Throws UserError that names the packages to install if equiframe-cad is not there.
std::unique_ptr<Solid> random_solid(uint64_t seed, int64_t number);

}  // namespace equiframe::inline datasets
