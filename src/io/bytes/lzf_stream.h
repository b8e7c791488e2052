// Unpacking LZF, the compression of .pcd files, piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/bytes/chunked_file.h"

namespace equiframe::inline io {

/// A block of LZF holds literal bytes and copies of what stood at most 8 KiB before, so that a
/// window of that length is all the memory it takes.
class LzfStream {
 public:
  /// The block is the next `packed` bytes of `file`, which must outlive this.
  LzfStream(ChunkedFile& file, int64_t packed) : file_(file), packed_(packed) {}

  /// The next `count` bytes. Throws UserError at the byte where the block is damaged or ends.
  void read(char* bytes, std::size_t count);

  /// How many bytes of the block are left.
  int64_t packed() const { return packed_; }

  /// The most bytes that a packed one can stand for: 3 become 264.
  static constexpr int64_t kMaxGain = 88;

 private:
  void unpack_piece();
  unsigned next_byte();

  ChunkedFile& file_;
  int64_t packed_;
  std::vector<char> window_;
  std::size_t next_ = 0;  // of what is in the window and was not handed out
};

}  // namespace equiframe::inline io
