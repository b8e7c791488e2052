#include "shipped_files.h"

#include <vector>

namespace equiframe::app {

namespace fs = std::filesystem;

std::optional<fs::path> find_shipped(const fs::path& relative) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<fs::path> places{"", program.parent_path(),
                               program.parent_path() / "share" / "equiframe"};
#ifdef EQUIFRAME_SHARE_DIR
  places.emplace_back(EQUIFRAME_SHARE_DIR);
#endif
  for (const fs::path& place : places)
    if (fs::exists(place / relative, error)) return place / relative;
  return std::nullopt;
}

}  // namespace equiframe::app
