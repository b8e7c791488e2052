#pragma once

#include <cstddef>
#include <string>

/// What the program must know to talk to whoever reads its standard error.
namespace equiframe::app {

/// Whether lines can be redrawn there.
bool is_terminal();
/// Its width in characters, 80 if nobody can tell.
std::size_t terminal_columns();

/// "4 s", "12 min 5 s", "3 h 5 min"; "?" if it is not finite.
std::string duration(double seconds);

}  // namespace equiframe::app
