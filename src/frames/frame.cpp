#include "equiframe/frames/frame.h"

#include <array>

#include "equiframe/core/error.h"

namespace equiframe::inline frames {

const char* to_string(Stratum stratum) {
  constexpr std::array<const char*, 6> kNames{"simple",   "planar",    "linear",
                                              "repeated", "isotropic", "coincident"};
  return kNames.at(static_cast<size_t>(stratum));
}

FrameGradient inexact_gradient_option(const Options& options, const std::string& frame) {
  const FrameGradient gradient = gradient_option(options);
  if (gradient == FrameGradient::kExact)
    throw UserError("frame '" + frame +
                    "' has no exact gradient; use gradient=smooth or gradient=none");
  return gradient;
}

}  // namespace equiframe::inline frames
