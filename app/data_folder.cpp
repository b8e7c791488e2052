#include "data_folder.h"

#include <cstdio>
#include <iostream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"

namespace equiframe::app {

namespace fs = std::filesystem;

void prepare_folder(const fs::path& folder, bool force) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error && !fs::is_directory(folder))
    throw UserError("cannot create the folder '" + folder.string() + "': " + error.message() +
                    "; choose another --out");
  if (access(folder.c_str(), W_OK) != 0)
    throw UserError("no permission to write in '" + folder.string() + "'; choose another --out");
  if (!force && !fs::is_empty(folder) && !read_manifest(folder))
    throw UserError("'" + folder.string() +
                    "' is not empty and no data set of this program; choose another --out or add "
                    "--force");
}

void remove_former(const fs::path& folder, const Manifest& former, const Manifest& present) {
  for (const auto& [name, checksum] : former.files) {
    std::error_code ignored;
    if (!present.files.contains(name)) fs::remove(folder / name, ignored);
  }
}

void print_manifest(const fs::path& folder, const Manifest& manifest, bool json) {
  if (json) {
    const nlohmann::json document{{"folder", text::printable(folder.string())},
                                  {"description", manifest.description},
                                  {"sha256", manifest.files}};
    std::cout << document.dump(2) << '\n';
    return;
  }
  for (const auto& [name, checksum] : manifest.files)
    std::printf("%s  %s\n", checksum.c_str(), name.c_str());
  std::fflush(stdout);
}

}  // namespace equiframe::app
