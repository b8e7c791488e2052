// How a text file of points without types is laid out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equiframe::inline io {

struct TextLayout {
  char separator = ' ';
  std::vector<std::string> names;   ///< of the columns: x, y, z, nx, ny, nz, red, intensity, ...
  bool named = false;               ///< by the file; otherwise guessed from the first points
  int64_t header_line = 0;          ///< a line that names the columns; 0: none, or in a comment
  int64_t count_line = 0;           ///< a line that holds the number of points, as in .pts; 0: none
  std::optional<int64_t> promised;  ///< that number
};

/// Looks at the first points of a file. Columns are named by a line before the first point, as
/// words or behind the mark of a comment, or else guessed: the first three are x, y, z; of the
/// following threes, the first of whole numbers from 0 to 255 is red, green, blue and the first
/// within [-1, 1] is nx, ny, nz; a fourth column alone or before a colour is the intensity.
/// Throws UserError for a file without points or with fewer than three columns.
TextLayout find_layout(const std::filesystem::path& path);

/// "#", "//" or "%" begin a comment; blank lines count as one.
bool is_comment(std::string_view line);

/// The most that a component of a normal may be if nothing says that it is one.
constexpr double kLargestNormal = 1.01;

}  // namespace equiframe::inline io
