#include "equiframe/core/error.h"
#include "equiframe/torchscript/script_model.h"

namespace equiframe::inline torchscript {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

TypedArgument parse_typed_argument(const std::string& text) {
  const auto equals = text.find('=');
  TypedArgument result;
  if (equals == std::string::npos) {
    result.type = trimmed(text);
  } else {
    result.name = trimmed(text.substr(0, equals));
    result.type = trimmed(text.substr(equals + 1));
  }
  if (result.type.empty() || (equals != std::string::npos && result.name.empty()))
    throw UserError("'" + text +
                    "' names no type; write it like \"point + 2 scalar\" or "
                    "\"x=point + 2 scalar\"");
  return result;
}

}  // namespace equiframe::inline torchscript
