#pragma once

#include <filesystem>

#include "io/bytes/manifest.h"

namespace equiframe::app {

/// Makes the folder for a data set, or sees that nothing of value is in it. Throws UserError that
/// names --out and --force.
void prepare_folder(const std::filesystem::path& folder, bool force);

/// Removes files of the data set that was in the folder before and that the new one does not have.
void remove_former(const std::filesystem::path& folder, const Manifest& former,
                   const Manifest& present);

/// The checksums of its files, or JSON with its description.
void print_manifest(const std::filesystem::path& folder, const Manifest& manifest, bool json);

}  // namespace equiframe::app
