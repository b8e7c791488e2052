#pragma once

#include <string_view>

namespace equiframe::inline io {

/// Spreadsheets begin UTF-8 with it.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace equiframe::inline io
