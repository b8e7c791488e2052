#pragma once

#include <string>

#include "report/svg.h"

namespace equiframe::report {

/// Lower case, as it appears in class names: "warm".
const char* name(Colour colour);

/// Style rules `.s-NAME` (stroke) and `.f-NAME` (fill) for every colour in both schemes. Plain
/// values, not variables, so that simple SVG viewers understand them too.
std::string palette_rules();

/// The hexadecimal value of a colour in the light and in the dark scheme.
const char* light(Colour colour);
const char* dark(Colour colour);

}  // namespace equiframe::report
