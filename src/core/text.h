#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The little text handling that parsers of names, field types and options share.
namespace equiframe::text {

/// `s` without leading and trailing white space.
std::string trim(std::string_view s);

/// The trimmed pieces of `s` between separators that stand outside parentheses.
std::vector<std::string> split(std::string_view s, char separator);

std::string join(const std::vector<std::string>& pieces, std::string_view separator = ", ");

/// The entry of `known` closest to `word` in edit distance, or "" if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// "no KIND named 'WORD'; did you mean 'NEAREST'? known: ..." as the text of a UserError.
std::string unknown_name(std::string_view kind, std::string_view word,
                         const std::vector<std::string>& known);

}  // namespace equiframe::text
