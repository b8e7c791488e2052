#include "input_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "equiframe/core/error.h"

namespace equiframe {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  const std::string what = "cannot read '" + path.string() + "': ";
  if (error == ENOENT) throw UserError(what + "there is no such file; check the path");
  if (error == EISDIR) throw UserError(what + "it is a folder, expected a file");
  if (error == EACCES) throw UserError(what + "no permission; change it or choose another file");
  throw UserError(what + std::strerror(error) + "; check the path and the disk");
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail(path_, errno);
  struct stat status {};
  const int error = fstat(descriptor_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (error != 0) {
    close(descriptor_);
    fail(path_, error);
  }
  size_ = status.st_size;
}

InputFile::~InputFile() {
  close(descriptor_);
}

std::size_t InputFile::read_some(void* bytes, std::size_t count) {
  while (true) {
    const ssize_t result = ::read(descriptor_, bytes, count);
    if (result < 0 && errno == EINTR) continue;
    if (result < 0) fail(path_, errno);
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
    if (filled == bytes.size()) bytes.resize(2 * filled);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace equiframe
