#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace equiframe::inline io {

/// Where generated data are kept: $EQUIFRAME_CACHE, else $XDG_CACHE_HOME/equiframe, else
/// ~/.cache/equiframe.
std::filesystem::path cache_root();

/// The folder `name` under cache_root(), with all checksums of its manifest verified. If it is
/// missing, damaged or was never finished, `fill` makes it anew: it gets an empty folder and writes
/// the files, the manifest last. Other processes wait meanwhile and never see it half done.
/// Throws UserError if the cache cannot be written.
std::filesystem::path cached_folder(const std::string& name,
                                    const std::function<void(const std::filesystem::path&)>& fill);

}  // namespace equiframe::inline io
