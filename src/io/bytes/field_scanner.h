// The numbers of a line of text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace equiframe::inline io {

/// Fields stand between blanks, or between commas or semicolons with blanks around them; one
/// separator more at the end of the line does no harm. '#' ends the line.
class FieldScanner {
 public:
  explicit FieldScanner(std::string_view line, char separator = ' ')
      : at_(line.data()), end_(line.data() + line.size()), separator_(separator) {
    skip_blanks();
  }

  bool at_end() const { return at_ == end_ || *at_ == '#'; }

  /// The next field as a float, double or int64_t; nothing if it is no such number (`trouble` says
  /// why, and the field stays the next one).
  template <class Number>
  std::optional<Number> number();

  /// The next field as it is.
  std::string_view word();

  /// What is wrong with the next field, which should have been a number.
  std::string trouble() const;

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  bool ends_field(const char* at) const {
    return at == end_ || is_blank(*at) || *at == separator_ || *at == '#';
  }
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  const char* field_end() const;
  void step_to(const char* end_of_field) {
    at_ = end_of_field;
    skip_blanks();
    if (separator_ == ' ' || at_ == end_ || *at_ != separator_) return;
    ++at_;
    skip_blanks();
  }
  /// With blanks, the next field may follow; with separators, only one of them may.
  bool is_whole(const char* stop) const;

  const char* at_;
  const char* end_;
  char separator_;
};

}  // namespace equiframe::inline io
