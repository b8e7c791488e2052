#include "equiframe/core/registry.h"

#include "core/text.h"
#include "equiframe/core/error.h"

namespace equiframe::inline core {

void refuse_name(std::string_view kind, std::string_view name,
                 const std::vector<std::string>& known) {
  throw UserError(text::unknown_name(kind, name, known));
}

}  // namespace equiframe::inline core
