// Long errors of TorchScript in one line.
#pragma once

#include <string>

namespace equiframe::inline torchscript {

/// The first line that says something.
inline std::string first_line(const std::string& text) {
  const auto begin = text.find_first_not_of(" \n");
  if (begin == std::string::npos) return text;
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// What was thrown stands last, below the stack of the interpreter.
inline std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return text;
  const auto begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? size_t{0} : begin + 1) + 1);
}

}  // namespace equiframe::inline torchscript
