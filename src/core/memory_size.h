#pragma once

#include <cstdint>
#include <string>

namespace equiframe::text {

/// "500MB", "2 GB", "1500000000" in bytes; a UserError for anything else, naming `option`.
std::int64_t parse_memory_size(const std::string& text, const std::string& option);
/// "1.5 GB"
std::string memory_text(double bytes);

}  // namespace equiframe::text
