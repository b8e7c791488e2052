#include "equiframe/version.h"

namespace equiframe {

std::string_view version() noexcept {
  return kVersion;
}

}  // namespace equiframe
