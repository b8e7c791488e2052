// A file open for reading, whose troubles are told to the user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace equiframe {

class InputFile {
 public:
  /// Throws UserError if there is no such file or it cannot be opened.
  explicit InputFile(const std::filesystem::path& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  std::int64_t size() const { return size_; }
  /// Bytes that are still to be read.
  std::int64_t remaining() const { return size_ - position_; }

  /// The next bytes, at most `count`; 0 at the end of the file.
  std::size_t read_some(void* bytes, std::size_t count);

  /// The next `count` bytes; false if the file ends before.
  bool read(void* bytes, std::size_t count);

  /// All that is left.
  std::string read_all();

 private:
  std::filesystem::path path_;
  int descriptor_;
  std::int64_t size_ = 0, position_ = 0;
};

}  // namespace equiframe
