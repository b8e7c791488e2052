#include "io/bytes/chunked_file.h"

#include <algorithm>
#include <cstring>

#include <c10/util/StringUtil.h>

#include "equiframe/core/error.h"
#include "io/bytes/byte_order_mark.h"

namespace equiframe::inline io {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestLine = std::size_t{1} << 26;

}  // namespace

ChunkedFile::ChunkedFile(const std::filesystem::path& path)
    : path_(path), file_(path), buffer_(kChunkBytes) {
  if (!fill(1)) fail_file("the file is empty; export it again");
}

bool ChunkedFile::fill(std::size_t count) {
  if (next_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + next_, end_ - next_);
    before_ += static_cast<int64_t>(next_);
    end_ -= next_;
    next_ = 0;
  }
  if (count > buffer_.size()) {
    if (static_cast<int64_t>(count) > remaining()) return false;
    buffer_.resize(std::max(count, 2 * buffer_.size()));
  }
  while (end_ < count) {
    const std::size_t some = file_.read_some(buffer_.data() + end_, buffer_.size() - end_);
    if (some == 0) return false;
    end_ += some;
  }
  return true;
}

std::optional<std::string_view> ChunkedFile::next_line() {
  in_lines_ = true;
  if (position() == 0 && peek(kByteOrderMark.size()) == kByteOrderMark) {
    in_lines_ = true;
    next_ = kByteOrderMark.size();
  }
  std::size_t searched = 0;
  const char* stop = nullptr;
  while (true) {
    const char* const from = buffer_.data() + next_ + searched;
    stop = static_cast<const char*>(std::memchr(from, '\n', end_ - next_ - searched));
    if (stop != nullptr) break;
    searched = end_ - next_;
    if (searched >= kLongestLine)
      fail_at_byte(position(), "no line ends in the next 64 MiB; expected lines of text");
    if (!fill(searched + 1)) break;
  }
  if (stop == nullptr && next_ == end_) return std::nullopt;
  const std::size_t length =
      stop == nullptr ? end_ - next_ : static_cast<std::size_t>(stop - buffer_.data()) - next_;
  std::string_view line(buffer_.data() + next_, length);
  next_ += length + (stop == nullptr ? 0 : 1);
  ++line_number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view ChunkedFile::peek(std::size_t count) {
  if (end_ - next_ < count) fill(count);
  return {buffer_.data() + next_, std::min(count, end_ - next_)};
}

bool ChunkedFile::skip(int64_t count) {
  while (count > 0) {
    const auto some = static_cast<std::size_t>(std::min<int64_t>(count, kChunkBytes));
    if (take(some) == nullptr) return false;
    count -= static_cast<int64_t>(some);
  }
  return true;
}

void ChunkedFile::fail(std::string_view what) const {
  if (in_lines_) fail_line(line_number_, what);
  fail_at_byte(position(), what);
}

void ChunkedFile::fail_line(int64_t line, std::string_view what) const {
  throw UserError(c10::str(path_.string(), ":", line, ": ", what));
}

void ChunkedFile::fail_at_byte(int64_t byte, std::string_view what) const {
  throw UserError(c10::str(path_.string(), ": byte ", byte, ": ", what));
}

void ChunkedFile::fail_file(std::string_view what) const {
  throw UserError(c10::str(path_.string(), ": ", what));
}

}  // namespace equiframe::inline io
