#pragma once

#include <locale>
#include <sstream>
#include <string>
#include <string_view>

/// Text that does not depend on where it is made. A program that honours its user's locale has
/// std::printf and streams, and so c10::str, write 1234.5 as "1.234,5": fine in a message, not in a
/// file, a name or code.
namespace equiframe::text {

/// The pieces one after the other, as streams write them without a locale.
template <class... Pieces>
std::string plain(const Pieces&... pieces) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  (out << ... << pieces);
  return std::move(out).str();
}

/// `value` by a format of std::printf, such as "%.3f".
std::string printed(const char* format, double value);

/// The fewest digits that read back as the same number.
std::string shortest(double value);

/// What others wrote, such as a file's name or a word of its content, for a terminal: UTF-8 stays,
/// control characters and other bytes become \xNN.
std::string printable(std::string_view text);

/// The same for the beginning of `text`, as much as a message of one line can hold.
std::string excerpt(std::string_view text);

}  // namespace equiframe::text
