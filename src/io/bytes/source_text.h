// A text file as a whole, from a disk or through a pipe.
#pragma once

#include <filesystem>
#include <string>

namespace equiframe::inline io {

struct SourceText {
  std::filesystem::path path;  ///< as errors name it
  std::string text;
};

/// The file, or the standard input if `path` is "-". It is read once, from its beginning to its
/// end, so that pipes serve as well. Throws UserError if it cannot be read or is no text.
SourceText read_source(const std::filesystem::path& path);

}  // namespace equiframe::inline io
