#include "torchscript/templates/template.h"

#include <algorithm>

#include <c10/util/Exception.h>

namespace equiframe::inline torchscript {
namespace {

constexpr std::string_view kMark = "# part: ", kBlanks = "__";

const std::string& word_of(std::string_view name, const Words& words) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const auto& word) { return word.first == name; });
  TORCH_CHECK(found != words.end(), "a template has no word for ", name);
  return found->second;
}

/// Where the capitals begin that end at `end`, as in "into_NAME"; `end` if there are none.
size_t start_of_name(std::string_view text, size_t end) {
  size_t start = end;
  while (start > 0 &&
         (text[start - 1] == '_' || (text[start - 1] >= 'A' && text[start - 1] <= 'Z')))
    --start;
  while (start < end && text[start] == '_') ++start;
  return start;
}

void append_filled(std::string& result, std::string_view text, const Words& words) {
  size_t done = 0;
  for (size_t at = text.find(kBlanks); at != std::string_view::npos;
       at = text.find(kBlanks, at + kBlanks.size())) {
    const size_t start = start_of_name(text, at), end = at + kBlanks.size();
    if (start == at) continue;
    result.append(text.substr(done, start - done))
        .append(word_of(text.substr(start, end - start), words));
    done = end;
  }
  result.append(text.substr(done));
}

}  // namespace

Template::Template(std::string_view file) {
  while (!file.empty()) {
    const std::string_view line = file.substr(0, file.find('\n'));
    file.remove_prefix(std::min(line.size() + 1, file.size()));
    const std::string_view words = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (words.starts_with(kMark)) {
      parts_.emplace_back(words.substr(kMark.size()), "");
    } else if (!parts_.empty() && !words.empty() && !words.starts_with('#')) {
      if (words.starts_with("def ")) parts_.back().second += '\n';
      parts_.back().second.append(line).append("\n");
    }
  }
}

std::string Template::fill(const std::vector<std::string>& parts, const Words& words) const {
  for (const std::string& name : parts)
    TORCH_CHECK(std::any_of(parts_.begin(), parts_.end(),
                            [&](const auto& part) { return part.first == name; }),
                "a template has no part '", name, "'");
  std::string result;
  for (const auto& [name, text] : parts_)
    if (std::find(parts.begin(), parts.end(), name) != parts.end())
      append_filled(result, text, words);
  return result;
}

}  // namespace equiframe::inline torchscript
