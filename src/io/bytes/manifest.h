#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// `manifest.json`: what a folder of data holds and how to see that it is whole.
namespace equiframe::inline io {

struct Manifest {
  std::string description;                   ///< how the data were made
  std::map<std::string, std::string> files;  ///< name in the folder -> SHA-256, hexadecimal
};

/// Writes the checksums of these files of the folder, atomically. To be called last: a folder with
/// a manifest was finished.
Manifest write_manifest(const std::filesystem::path& folder, const std::string& description,
                        const std::vector<std::string>& files);

/// Nothing if there is none or it cannot be understood.
std::optional<Manifest> read_manifest(const std::filesystem::path& folder);

/// Whether the folder has a manifest and every file in it the checksum it should have.
bool is_intact(const std::filesystem::path& folder);

}  // namespace equiframe::inline io
