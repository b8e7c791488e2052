#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

namespace equiframe::inline io {

/// Takes the next `count` bytes of a file.
using ByteSink = std::function<void(const void* bytes, std::size_t count)>;

/// Makes the file at `path` hold what `write` hands to its sink. A reader sees the old file or the
/// whole new one, never a part, also after a crash or a power cut: the bytes go to a temporary file
/// of the same folder, reach the disk, and only then take the name. Symbolic links are followed,
/// and the permissions of a file that is replaced stay.
///
/// Throws UserError for a full disk, a folder that is missing or not writable and the like; what
/// `write` throws passes through. Either way the old file stays as it was and no temporary file is
/// left behind. A path that names a device, a pipe or a file that is open here, such as
/// /dev/stdout, is written to directly; a pipe that nobody reads from is refused after seconds.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const ByteSink&)>& write);

/// The same for bytes that are at hand.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Throws UserError as above if no file can be written there: ask before the work, not after it.
void require_writable(const std::filesystem::path& path);

}  // namespace equiframe::inline io
