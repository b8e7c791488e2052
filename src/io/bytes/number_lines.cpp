#include "io/bytes/number_lines.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <c10/util/StringUtil.h>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "io/bytes/byte_order_mark.h"
#include "io/bytes/input_file.h"

namespace equiframe::inline io {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

const char* skip_blanks(const char* at, const char* end) {
  return std::find_if_not(at, end, is_blank);
}

}  // namespace

NumberLines::NumberLines(SourceText source, Separator separator)
    : path_(std::move(source.path)), separator_(separator), text_(std::move(source.text)) {
  text_.resize(text_.find_last_not_of(" \t\r\n") + 1);
  if (text_.starts_with(kByteOrderMark)) next_ = kByteOrderMark.size();
}

std::string_view NumberLines::next_text(std::string_view expected) {
  ++number_;
  if (at_end()) fail(c10::str("the file ends; expected ", expected));
  const size_t begin = next_, end = std::min(text_.find('\n', begin), text_.size());
  next_ = std::min(end + 1, text_.size());
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

const std::vector<int64_t>& NumberLines::next(std::string_view expected) {
  const std::string_view line = next_text(expected);
  const bool commas = separator_ == Separator::kComma;
  const char* const end = line.data() + line.size();
  const char* at = skip_blanks(line.data(), end);
  numbers_.clear();
  if (at == end && !commas) return numbers_;
  while (true) {
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    const char* const rest = skip_blanks(stop, end);
    const bool whole = rest == end || (commas ? *rest == ',' : rest > stop);
    if (error != std::errc() || !whole) {
      const char* const last =
          std::find_if(at, end, [&](char c) { return commas ? c == ',' : is_blank(c); });
      if (at == last) fail(c10::str("a number is missing; expected ", expected));
      const bool large = whole && error == std::errc::result_out_of_range;
      fail(c10::str("'", excerpt(text::trim({at, last})), "' is ",
                    large ? "too large" : "not a whole number", "; expected ", expected));
    }
    numbers_.push_back(value);
    if (rest == end) return numbers_;
    at = commas ? skip_blanks(rest + 1, end) : rest;
  }
}

void NumberLines::fail(int64_t line, std::string_view what) const {
  throw UserError(c10::str(path_.string(), ":", line, ": ", what));
}

}  // namespace equiframe::inline io
