#include "io/bytes/field_scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include <c10/util/StringUtil.h>

#include "core/text.h"
#include "io/bytes/number_lines.h"

namespace equiframe::inline io {

template <class Number>
std::optional<Number> FieldScanner::number() {
  const char* first = at_;
  if (first != end_ && *first == '+') ++first;
  Number value{};
  auto [stop, error] = std::from_chars(first, end_, value);
  if (!is_whole(stop) || (first != at_ && *first == '-')) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    long double wide = 0;
    if (error == std::errc::result_out_of_range &&
        std::from_chars(first, stop, wide).ec == std::errc()) {
      value = static_cast<Number>(wide);  // zero if it was too small
      if (std::isfinite(value)) error = std::errc();
    }
  }
  if (error != std::errc()) return std::nullopt;
  step_to(stop);
  return value;
}

template std::optional<float> FieldScanner::number();
template std::optional<double> FieldScanner::number();
template std::optional<int64_t> FieldScanner::number();

bool FieldScanner::is_whole(const char* stop) const {
  if (separator_ == ' ' || !ends_field(stop)) return ends_field(stop);
  while (stop != end_ && is_blank(*stop)) ++stop;
  return stop == end_ || *stop == separator_ || *stop == '#';
}

const char* FieldScanner::field_end() const {
  return std::find_if(at_, end_, [this](char c) {
    return c == '#' || (separator_ == ' ' ? is_blank(c) : c == separator_);
  });
}

std::string_view FieldScanner::word() {
  const char* const stop = field_end();
  std::string_view field(at_, static_cast<std::size_t>(stop - at_));
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  step_to(stop);
  return field;
}

std::string FieldScanner::trouble() const {
  const std::string field = text::trim({at_, field_end()});
  if (field.empty()) return "a number is missing";
  double value = 0;
  const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  const bool large = error == std::errc::result_out_of_range && *stop == '\0';
  return c10::str("'", excerpt(field), "' is ", large ? "too large a number" : "not a number");
}

}  // namespace equiframe::inline io
