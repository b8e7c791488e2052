#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "report/cloud_view.h"

namespace equiframe::report {

/// A cloud in few bytes, as a page carries it: three arrays of `count` rows.
struct PackedCloud {
  int64_t count = 0;
  std::array<double, 3> origin{};  ///< least coordinates of the finite points
  double step = 0;                 ///< a coordinate is origin + step * its number
  std::string points;              ///< three uint16 a point, little-endian
  std::string normals;             ///< three int8 a point, 127 times the unit normal; 0 0 0 = none
  std::string confidence;          ///< one uint8 a point, 255 times the confidence; empty = unknown
};

/// Coordinates lose at most half of a step, which is 1/65535 of the longest side of the box of the
/// finite points: an offset of any size costs nothing.
PackedCloud pack(const CloudView& view);

/// The rows of the finite points that are shown, ascending, int64 [min(most, number of them)]. One
/// is drawn at random from each of `most` runs of rows of equal length: rows of a scan that repeat
/// leave no pattern. The same for the same points.
Tensor shown_rows(const CloudView& view);

std::string base64(std::string_view bytes);

}  // namespace equiframe::report
