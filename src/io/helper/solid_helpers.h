#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/helper/solid_protocol.h"

namespace equiframe::cad {

/// Where the program equiframe-cad is.
std::optional<std::filesystem::path> find_helper();

/// Asks an idle helper, or starts another; threads may ask at the same time. The answer without its
/// status, or nothing where the model does not exist or Open CASCADE failed on it, crashed or took
/// for ever. Throws UserError if there is no helper or it cannot run at all.
std::optional<Packet> ask_helper(const Request& request);

/// The same, but what is wrong is an answer too.
struct Reply {
  std::optional<Packet> answer;
  std::string reason;  ///< where there is no answer, if the helper said one
};
Reply ask_helper_why(const Request& request);

}  // namespace equiframe::cad
