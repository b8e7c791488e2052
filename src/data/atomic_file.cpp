#include "equiframe/data/atomic_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "equiframe/core/error.h"

namespace equiframe {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

[[noreturn]] void fail(const fs::path& path, int error) {
  const std::string what = "cannot write '" + path.string() + "': ";
  const std::string folder = "'" + folder_of(path).string() + "'";
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      throw UserError(what + "the disk is full; free some space or choose another folder");
    case ENOENT:
      throw UserError(what + "the folder " + folder + " does not exist; create it first");
    case ENOTDIR:
      throw UserError(what + folder + " is not a folder; choose another path");
    case EISDIR:
      throw UserError(what + "it is a folder; add a file name");
    case EACCES:
    case EPERM:
    case EROFS:
      throw UserError(what + "no permission to write in " + folder +
                      "; choose another folder or change its permissions");
    default:
      throw UserError(what + std::strerror(error) + "; check the path and the disk");
  }
}

/// A file open for writing; errors carry the name the user knows.
class OutputFile {
 public:
  OutputFile(const fs::path& path, int flags, fs::path shown)
      : descriptor_(open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)),
        shown_(std::move(shown)) {
    if (descriptor_ < 0) fail(shown_, errno);
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

  void sync() {
    if (fsync(descriptor_) != 0) fail(shown_, errno);
  }

  /// Some file systems report a full disk only here.
  void finish() {
    const int result = close(std::exchange(descriptor_, -1));
    if (result != 0 && errno != EINTR) fail(shown_, errno);
  }

 private:
  void write_out(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t written = write(descriptor_, bytes, count);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(shown_, errno);
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

/// Removes the file unless told that it has been renamed.
struct Temporary {
  fs::path path;
  bool renamed = false;
  ~Temporary() {
    std::error_code ignored;
    if (!renamed) fs::remove(path, ignored);
  }
};

/// Hidden, in the folder of `path` since a rename must not cross file systems, and unique among
/// processes and threads.
fs::path temporary_name(const fs::path& path) {
  static std::atomic<unsigned> count{0};
  return folder_of(path) / ("." + path.filename().string() + "." + std::to_string(getpid()) + "-" +
                            std::to_string(count++) + ".tmp");
}

/// Makes a rename last. Not every file system can, and the data are safe anyway.
void sync_folder(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

void write_file_atomically(const fs::path& path,
                           const std::function<void(const ByteSink&)>& write) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status) || !path.has_filename()) fail(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    OutputFile device(path, 0, path);
    fill(device, write);
    return device.finish();
  }
  const std::string name = temporary_name(path);
  fs::remove(name, error);  // left by a killed process that had our number
  OutputFile file(name, O_CREAT | O_EXCL, path);
  Temporary temporary{name};
  fill(file, write);
  file.sync();
  file.finish();
  if (std::rename(name.c_str(), path.c_str()) != 0) fail(path, errno);
  temporary.renamed = true;
  sync_folder(folder_of(path));
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  write_file_atomically(path, [&](const ByteSink& sink) { sink(bytes.data(), bytes.size()); });
}

}  // namespace equiframe
