// A text file of whole numbers, line by line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/plain_text.h"
#include "io/bytes/source_text.h"

namespace equiframe::inline io {

using text::excerpt;

/// Lines end with LF or CRLF; blank lines at the end of the file do not count.
class NumberLines {
 public:
  enum class Separator { kBlank, kComma };  ///< blanks around a comma do not count

  NumberLines(SourceText source, Separator separator);
  /// Throws UserError if the file cannot be read.
  NumberLines(const std::filesystem::path& path, Separator separator)
      : NumberLines(read_source(path), separator) {}

  bool at_end() const { return next_ == text_.size(); }
  /// Of the line last read, counted from 1.
  int64_t number() const { return number_; }

  /// The next line as it is; `expected` says what should be there.
  std::string_view next_text(std::string_view expected);

  /// The numbers of the next line.
  const std::vector<int64_t>& next(std::string_view expected);

  /// Throws UserError with the place: the line last read, or another one.
  [[noreturn]] void fail(std::string_view what) const { fail(number_, what); }
  [[noreturn]] void fail(int64_t line, std::string_view what) const;

 private:
  std::filesystem::path path_;
  Separator separator_;
  std::string text_;
  std::size_t next_ = 0;  // where the next line begins
  int64_t number_ = 0;
  std::vector<int64_t> numbers_;
};

}  // namespace equiframe::inline io
