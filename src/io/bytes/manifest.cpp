#include "io/bytes/manifest.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "io/bytes/atomic_file.h"
#include "io/bytes/checksum.h"

namespace equiframe::inline io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kName = "manifest.json";
constexpr const char* kFormat = "equiframe data 1";

/// Names lead to files of the folder itself and nowhere else.
bool is_plain(const fs::path& name) {
  return name.has_filename() && name == name.filename() && name != "." && name != "..";
}

}  // namespace

Manifest write_manifest(const fs::path& folder, const std::string& description,
                        const std::vector<std::string>& files) {
  Manifest manifest{description, {}};
  for (const std::string& file : files) manifest.files[file] = sha256_file(folder / file);
  const json document{
      {"format", kFormat}, {"description", description}, {"sha256", manifest.files}};
  write_file_atomically(folder / kName, document.dump(2) + "\n");
  return manifest;
}

std::optional<Manifest> read_manifest(const fs::path& folder) {
  std::ifstream stream(folder / kName);
  const json document = json::parse(stream, nullptr, false);
  if (!document.is_object() || document.value("format", json()) != kFormat) return std::nullopt;
  const json description = document.value("description", json());
  const json files = document.value("sha256", json());
  if (!description.is_string() || !files.is_object()) return std::nullopt;
  Manifest manifest{description.get<std::string>(), {}};
  for (const auto& [name, checksum] : files.items()) {
    if (!checksum.is_string() || !is_plain(name)) return std::nullopt;
    manifest.files[name] = checksum.get<std::string>();
  }
  return manifest;
}

bool is_intact(const fs::path& folder) {
  const auto manifest = read_manifest(folder);
  if (!manifest) return false;
  for (const auto& [name, checksum] : manifest->files) {
    std::error_code error;
    if (!fs::is_regular_file(folder / name, error)) return false;
    if (sha256_file(folder / name) != checksum) return false;
  }
  return true;
}

}  // namespace equiframe::inline io
