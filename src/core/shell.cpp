#include "core/shell.h"

namespace equiframe::text {

std::string shell_quoted(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:";
  const bool is_plain = !word.empty() && word.front() != '=' &&
                        word.find_first_not_of(kPlain) == std::string_view::npos;
  if (is_plain) return std::string(word);
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace equiframe::text
