#pragma once

#include <string>
#include <string_view>

namespace equiframe::text {

/// `word` so that a POSIX shell reads it back as one word: as it is, or in quotes where it has to
/// be. Every command that is printed to be pasted goes through here.
std::string shell_quoted(std::string_view word);

}  // namespace equiframe::text
