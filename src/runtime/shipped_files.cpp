#include "runtime/shipped_files.h"

#include <vector>

#include <dlfcn.h>

namespace equiframe::runtime {
namespace {

namespace fs = std::filesystem;

/// The folder of the program that runs: of ours, or of an interpreter of Python.
fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

/// The folder of libequiframe.so; "" if the loader does not know it.
fs::path library_folder() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&find_shipped), &here) == 0) return {};
  std::error_code error;
  return fs::canonical(here.dli_fname, error).parent_path();
}

}  // namespace

std::optional<fs::path> find_shipped(const fs::path& relative) {
  const fs::path share = fs::path("share") / "equiframe";
  const fs::path program = program_folder(), library = library_folder();
  const fs::path above = library.parent_path();  // PREFIX/lib/TRIPLET or PREFIX/lib, or the build's
  const fs::path places[] = {"",
                             program.parent_path(),
                             program.parent_path() / share,
                             above,
                             above / share,
                             above.parent_path() / share,
                             EQUIFRAME_SHARE_DIR};
  std::error_code error;
  for (const fs::path& place : places)
    if (fs::exists(place / relative, error)) return place / relative;
  return std::nullopt;
}

}  // namespace equiframe::runtime
