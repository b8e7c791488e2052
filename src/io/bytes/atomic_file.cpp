#include "io/bytes/atomic_file.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "equiframe/core/error.h"

namespace equiframe::inline io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

[[noreturn]] void cannot_write(const fs::path& path, const std::string& reason) {
  throw UserError("cannot write '" + path.string() + "': " + reason);
}

[[noreturn]] void fail_write(const fs::path& path, int error) {
  const std::string folder = "'" + folder_of(path).string() + "'";
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      cannot_write(path, "the disk is full; free some space or choose another folder");
    case EFBIG:
      cannot_write(path,
                   "a file may not be so large here; raise 'ulimit -f' or choose another disk");
    case ENOENT:
      cannot_write(path, "the folder " + folder + " does not exist; create it first");
    case ENOTDIR:
      cannot_write(path, folder + " is not a folder; choose another path");
    case EISDIR:
      cannot_write(path, "it is a folder; add a file name");
    case ENXIO:
      cannot_write(path, "nobody reads from this pipe or device; start the reader first");
    case EACCES:
    case EPERM:
    case EROFS:
      cannot_write(path, "no permission to write in " + folder +
                             "; choose another folder or change its permissions");
    default:
      cannot_write(path, std::string(std::strerror(error)) + "; check the path and the disk");
  }
}

/// Opens a pipe as soon as somebody reads from it, which is waited for, but not forever.
int open_directly(const fs::path& path) {
  constexpr int kTries = 50, kMilliseconds = 100;
  int descriptor = -1;
  for (int k = 0; k < kTries; ++k) {
    descriptor = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0 || errno != ENXIO || !fs::is_fifo(path)) break;
    poll(nullptr, 0, kMilliseconds);
    errno = ENXIO;
  }
  if (descriptor >= 0) fcntl(descriptor, F_SETFL, 0);  // writing waits for the reader
  return descriptor;
}

/// A file open for writing; errors carry the name the user knows.
class OutputFile {
 public:
  OutputFile(int descriptor, fs::path shown) : descriptor_(descriptor), shown_(std::move(shown)) {
    if (descriptor_ < 0) fail_write(shown_, errno);
    buffer_.reserve(kBufferBytes);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  void append(const char* bytes, std::size_t count) {
    if (buffer_.size() + count > kBufferBytes) flush();
    if (count > kBufferBytes) return write_out(bytes, count);
    buffer_.insert(buffer_.end(), bytes, bytes + count);
  }

  void flush() {
    write_out(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  /// As far as the file system has them.
  void set_permissions(fs::perms permissions) {
    fchmod(descriptor_, static_cast<mode_t>(permissions));
  }

  void sync() {
    if (fsync(descriptor_) != 0) fail_write(shown_, errno);
  }

  /// Some file systems report a full disk only here.
  void finish() {
    const int result = close(std::exchange(descriptor_, -1));
    if (result != 0 && errno != EINTR) fail_write(shown_, errno);
  }

 private:
  void write_out(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t written = write(descriptor_, bytes, count);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_write(shown_, errno);
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
  }

  int descriptor_;
  fs::path shown_;
  std::vector<char> buffer_;
};

void fill(OutputFile& file, const std::function<void(const ByteSink&)>& write) {
  write([&file](const void* bytes, std::size_t count) {
    file.append(static_cast<const char*>(bytes), count);
  });
  file.flush();
}

/// Where a path leads through symbolic links, and what is there.
struct Target {
  fs::path path;
  fs::file_status status;
  std::optional<int> descriptor;  // of a file that is open here: /dev/stdout and its kind

  bool is_written_directly() const {
    return descriptor || (fs::exists(status) && !fs::is_regular_file(status));
  }
};

/// The number N of /proc/self/fd/N, also by the names that /dev has for it.
std::optional<int> own_descriptor(const fs::path& link) {
  std::error_code error, unused;
  const fs::path folder = fs::canonical(folder_of(link), error);
  if (error || folder != fs::canonical("/proc/self/fd", unused)) return std::nullopt;
  const std::string name = link.filename().string();
  int number = -1;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

/// Throws UserError if no file can be written there.
Target writable_target(const fs::path& path) {
  constexpr int kMaxLinks = 40;
  if (path.empty()) cannot_write(path, "the file name is empty; name a file");
  std::error_code error;
  Target target{path, fs::status(path, error), std::nullopt};
  if (fs::is_directory(target.status) || !path.has_filename()) fail_write(path, EISDIR);
  for (int k = 0; true; ++k) {
    target.descriptor = own_descriptor(target.path);
    if (target.is_written_directly()) return target;
    if (!fs::is_symlink(fs::symlink_status(target.path, error))) break;
    if (k == kMaxLinks) fail_write(path, ELOOP);
    target.path = folder_of(target.path) / fs::read_symlink(target.path, error);
    if (error) fail_write(path, error.value());
  }
  if (access((folder_of(target.path) / ".").c_str(), W_OK | X_OK) != 0)
    fail_write(target.path, errno);
  if (fs::exists(target.status) && access(target.path.c_str(), W_OK) != 0)
    cannot_write(path, "it is write-protected; change its permissions or choose another name");
  return target;
}

/// Removes the file unless told that it has been renamed.
struct Temporary {
  fs::path path;
  bool renamed = false;
  ~Temporary() {
    std::error_code ignored;
    if (!renamed) fs::remove(path, ignored);
  }
};

/// Hidden, in the folder of `path` since a rename must not cross file systems, unique among
/// processes and threads, and no longer than a name may be.
fs::path temporary_name(const fs::path& path) {
  constexpr std::size_t kShown = 100;
  static std::atomic<unsigned> count{0};
  return folder_of(path) / ("." + path.filename().string().substr(0, kShown) + "." +
                            std::to_string(getpid()) + "-" + std::to_string(count++) + ".tmp");
}

/// Makes a rename last. Not every file system can, and the data are safe anyway.
void sync_folder(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

void require_writable(const fs::path& path) {
  writable_target(path);
}

void write_file_atomically(const fs::path& path,
                           const std::function<void(const ByteSink&)>& write) {
  const Target target = writable_target(path);
  if (target.is_written_directly()) {
    OutputFile device(target.descriptor ? dup(*target.descriptor) : open_directly(path), path);
    fill(device, write);
    return device.finish();
  }
  const std::string name = temporary_name(target.path);
  std::error_code ignored;
  fs::remove(name, ignored);  // left by a killed process that had our number
  OutputFile file(open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666), path);
  Temporary temporary{name};
  if (fs::exists(target.status)) file.set_permissions(target.status.permissions());
  fill(file, write);
  file.sync();
  file.finish();
  if (std::rename(name.c_str(), target.path.c_str()) != 0) fail_write(path, errno);
  temporary.renamed = true;
  sync_folder(folder_of(target.path));
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  write_file_atomically(path, [&](const ByteSink& sink) { sink(bytes.data(), bytes.size()); });
}

}  // namespace equiframe::inline io
