#include "io/bytes/source_text.h"

#include <c10/util/StringUtil.h>

#include "equiframe/core/error.h"
#include "io/bytes/input_file.h"

namespace equiframe::inline io {

SourceText read_source(const std::filesystem::path& path) {
  constexpr std::size_t kChunk = std::size_t{1} << 18U;
  const bool standard = path == "-";
  InputFile file(standard ? "/dev/stdin" : path);
  SourceText source{standard ? "standard input" : path, {}};
  std::string chunk(kChunk, '\0');
  while (const std::size_t some = file.read_some(chunk.data(), chunk.size())) {
    const std::size_t zero = std::string_view(chunk.data(), some).find('\0');
    if (zero != std::string_view::npos)
      throw UserError(c10::str("'", source.path.string(), "' is no text: byte ",
                               source.text.size() + zero + 1,
                               " is zero; expected graph6, sparse6, EXP text or a list of edges"));
    source.text.append(chunk, 0, some);
  }
  return source;
}

}  // namespace equiframe::inline io
