#pragma once

#include <filesystem>

namespace equiframe::test_support {

/// The folder of the sources, with configs/, models/ and docs/.
inline std::filesystem::path source_tree() {
  return std::filesystem::path(__FILE__).parent_path() / "../..";
}

}  // namespace equiframe::test_support
