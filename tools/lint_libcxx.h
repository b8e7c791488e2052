// For clang-tidy alone: libc++ 14 has no std::from_chars of numbers that are not whole.
#pragma once

#include <charconv>

namespace std {
from_chars_result from_chars(const char* first, const char* last, float& value);
from_chars_result from_chars(const char* first, const char* last, double& value);
}  // namespace std
