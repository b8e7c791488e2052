#include "io/bytes/lzf_stream.h"

#include <algorithm>
#include <cstring>

#include <c10/util/StringUtil.h>

namespace equiframe::inline io {
namespace {

constexpr std::size_t kReach = 8192;  // how far back a copy can begin
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

}  // namespace

unsigned LzfStream::next_byte() {
  if (packed_ == 0) file_.fail("the compressed points end too early; copy or export it again");
  const char* const byte = file_.take(1);
  if (byte == nullptr) file_.fail("the file ends inside the compressed points; copy it again");
  --packed_;
  return static_cast<unsigned char>(*byte);
}

/// Control byte 000LLLLL: L + 1 literal bytes follow. Otherwise LLLooooo [llllllll] oooooooo:
/// L + 2 bytes, or L + l + 2 if L is 7, from o + 1 bytes back.
void LzfStream::unpack_piece() {
  const std::size_t old = std::min(window_.size(), kReach);
  window_.erase(window_.begin(), window_.end() - static_cast<std::ptrdiff_t>(old));
  next_ = old;
  while (window_.size() < old + kPieceBytes && (packed_ > 0 || window_.size() == old)) {
    const unsigned control = next_byte();
    if (control < 32) {
      const std::size_t length = control + 1;
      const char* const bytes =
          static_cast<int64_t>(length) <= packed_ ? file_.take(length) : nullptr;
      if (bytes == nullptr) file_.fail("the compressed points are cut short; copy it again");
      packed_ -= static_cast<int64_t>(length);
      window_.insert(window_.end(), bytes, bytes + length);
      continue;
    }
    std::size_t length = control >> 5U;
    if (length == 7) length += next_byte();
    length += 2;
    const std::size_t back = ((control & 31U) << 8U | next_byte()) + 1;
    if (back > window_.size())
      file_.fail("the compressed points are damaged: a copy from before their start");
    const std::size_t from = window_.size() - back;
    window_.resize(window_.size() + length);
    char* const copy = window_.data() + from;  // may reach into itself
    for (std::size_t k = 0; k < length; ++k) copy[back + k] = copy[k];
  }
}

void LzfStream::read(char* bytes, std::size_t count) {
  while (count > 0) {
    if (next_ == window_.size()) unpack_piece();
    const std::size_t some = std::min(count, window_.size() - next_);
    std::memcpy(bytes, window_.data() + next_, some);
    next_ += some;
    bytes += some;
    count -= some;
  }
}

}  // namespace equiframe::inline io
