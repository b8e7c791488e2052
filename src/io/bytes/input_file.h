// Files open for reading, whose troubles are told to the user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace equiframe::inline io {

/// A file, a pipe or a device read from front to back.
class InputFile {
 public:
  /// Throws UserError if there is no such file or it cannot be opened.
  explicit InputFile(const std::filesystem::path& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  /// Not a pipe or a device: it has a size and can be read again.
  bool is_ordinary() const { return ordinary_; }
  std::int64_t size() const { return size_; }
  /// Bytes that are still to be read.
  std::int64_t remaining() const { return size_ - position_; }

  /// The next bytes, at most `count`; 0 at the end of the file. Waits for what a pipe or a terminal
  /// is still to bring, but throws UserError if nobody opens the pipe to write for some seconds.
  std::size_t read_some(void* bytes, std::size_t count);

  /// The next `count` bytes; false if the file ends before.
  bool read(void* bytes, std::size_t count);

  /// All that is left. Throws UserError if a pipe or a device has more than 256 MiB: /dev/zero has.
  std::string read_all();

 private:
  std::filesystem::path path_;
  int descriptor_;
  bool ordinary_ = true;
  std::int64_t size_ = 0, position_ = 0;
  int patience_ = 0;  // how often to look for the writer of a pipe
};

/// All of a file.
std::string read_whole_file(const std::filesystem::path& path);

/// Throws UserError unless there is an ordinary file that can be opened: for readers that jump
/// about in it or read it twice.
void require_ordinary_file(const std::filesystem::path& path);

}  // namespace equiframe::inline io
