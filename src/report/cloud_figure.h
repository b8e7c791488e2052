#pragma once

#include <string>
#include <string_view>

#include "report/cloud_view.h"

namespace equiframe::report {

/// The element that carries a cloud; `number` tells the views of a page apart.
std::string cloud_figure(const CloudView& view, std::string_view caption, int number);

/// What all views of a page share: style rules, and the element with the script.
std::string cloud_style();
std::string cloud_script();

}  // namespace equiframe::report
