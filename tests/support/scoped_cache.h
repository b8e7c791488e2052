#pragma once

#include <cstdlib>
#include <string>

#include "tests/io/temporary_folder.h"

namespace equiframe::data_test {

/// An empty cache of its own while the object lives.
class ScopedCache {
 public:
  ScopedCache() : ScopedCache("") {}
  explicit ScopedCache(const std::string& path)
      : path_(path.empty() ? folder_.path() : std::filesystem::path(path)) {
    setenv("EQUIFRAME_CACHE", path_.c_str(), 1);
  }
  ScopedCache(const ScopedCache&) = delete;
  ScopedCache& operator=(const ScopedCache&) = delete;
  ~ScopedCache() { unsetenv("EQUIFRAME_CACHE"); }

  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

}  // namespace equiframe::data_test
