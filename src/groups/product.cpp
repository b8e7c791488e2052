#include "equiframe/groups/product.h"

#include "core/text.h"
#include "equiframe/core/error.h"

namespace equiframe::inline groups {

std::pair<std::string, std::string> parse_product_type(const std::string& text,
                                                       const std::string& owner) {
  auto pieces = text::split(text, '&');
  if (pieces.size() != 2)
    throw UserError("'" + text + "' is not a type of " + owner +
                    "; write the two factors' types as 'first & second'");
  return {std::move(pieces[0]), std::move(pieces[1])};
}

}  // namespace equiframe::inline groups
