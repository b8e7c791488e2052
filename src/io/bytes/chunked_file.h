// A file read from front to back, lines or bytes, with little of it in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/input_file.h"

namespace equiframe::inline io {

/// What it hands out is valid until the next call.
class ChunkedFile {
 public:
  /// Throws UserError if the file cannot be read or is empty.
  explicit ChunkedFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  /// Of the next byte.
  int64_t position() const { return before_ + static_cast<int64_t>(next_); }
  int64_t size() const { return file_.size(); }
  int64_t remaining() const { return size() - position(); }
  /// Of the line last read, counted from 1.
  int64_t line_number() const { return line_number_; }

  /// The next line without its end (LF or CRLF); nothing at the end of the file.
  std::optional<std::string_view> next_line();

  /// The next `count` bytes, which may be changed in place; null if the file ends before.
  char* take(std::size_t count) {
    in_lines_ = false;
    if (end_ - next_ < count && !fill(count)) return nullptr;
    next_ += count;
    return buffer_.data() + next_ - count;
  }

  /// The next bytes, at most `count`, which stay the next ones.
  std::string_view peek(std::size_t count);

  /// Passes over `count` bytes; false if the file ends before.
  bool skip(int64_t count);

  /// Throws UserError with the place: the line last read, or the byte that comes next.
  [[noreturn]] void fail(std::string_view what) const;
  [[noreturn]] void fail_line(int64_t line, std::string_view what) const;
  [[noreturn]] void fail_at_byte(int64_t byte, std::string_view what) const;
  /// The same without a place.
  [[noreturn]] void fail_file(std::string_view what) const;

 private:
  /// Sees to it that the next `count` bytes are in the buffer; false if the file ends before.
  bool fill(std::size_t count);

  std::filesystem::path path_;
  InputFile file_;
  std::vector<char> buffer_;
  std::size_t next_ = 0, end_ = 0;  // of what is in the buffer and not handed out yet
  int64_t before_ = 0;              // bytes of the file before the buffer
  int64_t line_number_ = 0;
  bool in_lines_ = true;  // the last thing read was a line
};

}  // namespace equiframe::inline io
