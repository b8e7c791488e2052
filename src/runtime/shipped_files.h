#pragma once

#include <filesystem>
#include <optional>

namespace equiframe::runtime {

/// configs/… or models/… as it comes with the program: in the current folder, beside the folder of
/// the program or of this library, or where they are installed; nothing if it is in none of them.
std::optional<std::filesystem::path> find_shipped(const std::filesystem::path& relative);

}  // namespace equiframe::runtime
