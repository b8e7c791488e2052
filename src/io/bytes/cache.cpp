#include "io/bytes/cache.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "equiframe/core/error.h"
#include "io/bytes/manifest.h"

namespace equiframe::inline io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw UserError("cannot use '" + path.string() + "' as cache: " + reason +
                  "; set EQUIFRAME_CACHE to a folder that can be written");
}

/// An exclusive lock among processes and threads, held while the object lives. File systems without
/// locks do without: then two processes may both do the work.
class FileLock {
 public:
  explicit FileLock(const fs::path& path)
      : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail(path.parent_path(), std::generic_category().message(errno));
    while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { close(descriptor_); }

 private:
  int descriptor_;
};

/// A folder that disappears again unless it is moved away.
struct TemporaryFolder {
  fs::path path;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

fs::path cache_root() {
  if (const char* own = environment("EQUIFRAME_CACHE")) return own;
  if (const char* shared = environment("XDG_CACHE_HOME")) return fs::path(shared) / "equiframe";
  if (const char* home = environment("HOME")) return fs::path(home) / ".cache" / "equiframe";
  throw UserError("no place for generated data: set EQUIFRAME_CACHE to a folder or set HOME");
}

fs::path cached_folder(const std::string& name, const std::function<void(const fs::path&)>& fill) {
  const fs::path folder = cache_root() / name;
  if (is_intact(folder)) return folder;
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (error) fail(folder.parent_path(), error.message());
  const FileLock lock(folder.string() + ".lock");
  if (is_intact(folder)) return folder;  // another process was faster
  const TemporaryFolder temporary{folder.string() + ".tmp"};
  fs::remove_all(temporary.path, error);  // of a process that was killed
  if (!fs::create_directory(temporary.path, error) && error) fail(temporary.path, error.message());
  fill(temporary.path);
  fs::remove_all(folder, error);
  fs::rename(temporary.path, folder, error);
  if (error) fail(folder, error.message());
  return folder;
}

}  // namespace equiframe::inline io
