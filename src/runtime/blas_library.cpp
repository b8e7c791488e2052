#include "runtime/blas_library.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <vector>

#include <dlfcn.h>
#include <link.h>

namespace equiframe::runtime {
namespace {

namespace fs = std::filesystem;

/// A handle on the loaded object that holds `address`; asking for it also keeps it loaded.
void* handle_of(const void* address) {
  Dl_info where{};
  if (dladdr(address, &where) == 0 || where.dli_fname == nullptr) return nullptr;
  if (void* handle = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) return handle;
  return dlopen(nullptr, RTLD_LAZY);  // linked into the program itself
}

/// dl_iterate_phdr callback: notes the path of every object that is named like a BLAS. Handles are
/// asked for later, because the loader is locked during the walk.
int note_path(dl_phdr_info* object, std::size_t /*size*/, void* paths) {
  const std::string path = object->dlpi_name == nullptr ? "" : object->dlpi_name;
  if (path.find("blas") != std::string::npos || path.find("mkl_rt") != std::string::npos) {
    static_cast<std::vector<std::string>*>(paths)->push_back(path);
  }
  return 0;
}

/// A library with sgemm_ that was opened out of sight of the global symbols, as a host such as
/// Python does.
void* hidden_blas() {
  std::vector<std::string> paths;
  dl_iterate_phdr(note_path, &paths);
  for (const std::string& path : paths) {
    void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (dlsym(handle, "sgemm_") != nullptr) return handle;
    dlclose(handle);
  }
  return nullptr;
}

/// Started while OpenBLAS is loaded and kept even where fewer are in use.
int worker_threads(const BlasLibrary& library) {
  const auto* running = static_cast<const int*>(library.find("blas_server_avail"));
  const auto* started = static_cast<const int*>(library.find("blas_num_threads"));
  if (running == nullptr || started == nullptr || *running == 0) return 0;
  auto* parallel = library.function<int()>("openblas_get_parallel");
  const bool own = parallel != nullptr && parallel() == 1;
  return own ? *started - 1 : 0;
}

}  // namespace

const BlasLibrary& BlasLibrary::loaded() {
  static const BlasLibrary library;
  return library;
}

BlasLibrary::BlasLibrary() {
  if (const void* sgemm = dlsym(RTLD_DEFAULT, "sgemm_")) handle_ = handle_of(sgemm);
  if (handle_ == nullptr) handle_ = hidden_blas();
}

void* BlasLibrary::find(const char* symbol) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, symbol);
}

std::string file_of(const void* address) {
  Dl_info where{};
  if (address == nullptr || dladdr(address, &where) == 0 || where.dli_fname == nullptr) return "";
  std::error_code failed;
  const fs::path resolved = fs::canonical(where.dli_fname, failed);
  return failed ? where.dli_fname : resolved.string();
}

int blas_threads(const BlasLibrary& library) {
  for (const char* get : {"openblas_get_num_threads", "MKL_Get_Max_Threads"}) {
    if (auto* threads = library.function<int()>(get)) return threads();
  }
  if (auto* threads = library.function<long()>("bli_thread_get_num_threads")) {
    return static_cast<int>(threads());
  }
  return 0;
}

int strange_threads(const BlasLibrary& library) {
  std::error_code failed;
  const fs::directory_iterator tasks("/proc/self/task", failed);
  if (failed) return 1;
  const auto all = static_cast<int>(std::distance(begin(tasks), end(tasks)));
  return std::max(0, all - 1 - worker_threads(library));
}

void set_blas_threads(const BlasLibrary& library, int threads) {
  for (const char* set : {"openblas_set_num_threads", "MKL_Set_Num_Threads"}) {
    if (auto* set_threads = library.function<void(int)>(set)) return set_threads(threads);
  }
  if (auto* set_threads = library.function<void(long)>("bli_thread_set_num_threads")) {
    set_threads(threads);
  }
}

}  // namespace equiframe::runtime
