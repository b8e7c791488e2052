#include "io/bytes/input_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "equiframe/core/error.h"

namespace equiframe::inline io {
namespace {

constexpr int kLooks = 50, kMilliseconds = 100;  // five seconds for a pipe to get a writer
constexpr std::size_t kMaxPipeBytes = std::size_t{1} << 28;

[[noreturn]] void cannot_read(const std::filesystem::path& path, const std::string& reason) {
  throw UserError("cannot read '" + path.string() + "': " + reason);
}

[[noreturn]] void fail_read(const std::filesystem::path& path, int error) {
  if (error == ENOENT) cannot_read(path, "there is no such file; check the path");
  if (error == EISDIR) cannot_read(path, "it is a folder, expected a file");
  if (error == EACCES) cannot_read(path, "no permission; change it or choose another file");
  cannot_read(path, std::string(std::strerror(error)) + "; check the path and the disk");
}

}  // namespace

// A pipe opened this way does not wait for its writer, which may never come.
InputFile::InputFile(const std::filesystem::path& path)
    : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (descriptor_ < 0) fail_read(path_, errno);
  struct stat status {};
  const int error = fstat(descriptor_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (error != 0) {
    close(descriptor_);
    fail_read(path_, error);
  }
  ordinary_ = S_ISREG(status.st_mode);
  size_ = status.st_size;
  if (S_ISFIFO(status.st_mode)) patience_ = kLooks;
}

InputFile::~InputFile() {
  close(descriptor_);
}

std::size_t InputFile::read_some(void* bytes, std::size_t count) {
  pollfd waiting{descriptor_, POLLIN, 0};
  while (true) {
    const ssize_t result = ::read(descriptor_, bytes, count);
    if (result < 0 && errno == EINTR) continue;
    if (result < 0 && errno == EAGAIN) {  // the writer takes its time
      patience_ = 0;
      poll(&waiting, 1, -1);
      continue;
    }
    if (result < 0) fail_read(path_, errno);
    if (result == 0 && patience_ > 0) {  // no writer, or one that has left already
      if (poll(&waiting, 1, kMilliseconds) > 0) patience_ = 1;
      if (--patience_ == 0 && waiting.revents == 0)
        cannot_read(path_, "nobody writes to this pipe; start the writer first");
      continue;
    }
    if (result > 0) patience_ = 0;
    position_ += result;
    return static_cast<std::size_t>(result);
  }
}

bool InputFile::read(void* bytes, std::size_t count) {
  auto* next = static_cast<char*>(bytes);
  while (count > 0) {
    const std::size_t some = read_some(next, count);
    if (some == 0) return false;
    next += some;
    count -= some;
  }
  return true;
}

std::string InputFile::read_all() {
  // One byte of room more than expected meets the end of the file without growing.
  std::string bytes(static_cast<std::size_t>(remaining() > 0 ? remaining() : 0) + 1, '\0');
  std::size_t filled = 0;
  while (const std::size_t some = read_some(bytes.data() + filled, bytes.size() - filled)) {
    filled += some;
    if (!ordinary_ && filled >= kMaxPipeBytes)
      cannot_read(path_,
                  "more than 256 MiB came from this pipe or device; save it as a file first");
    if (filled == bytes.size()) bytes.resize(2 * filled);
  }
  bytes.resize(filled);
  return bytes;
}

std::string read_whole_file(const std::filesystem::path& path) {
  return InputFile(path).read_all();
}

void require_ordinary_file(const std::filesystem::path& path) {
  if (!InputFile(path).is_ordinary())
    cannot_read(path, "it is a pipe or a device; save it as a file first");
}

}  // namespace equiframe::inline io
