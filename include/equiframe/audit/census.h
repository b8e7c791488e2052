#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "equiframe/audit/typing.h"

namespace equiframe::audit {

/// How degenerate the user's inputs are, as frames see them.
struct Census {
  int64_t items = 0;
  int64_t not_finite = 0;                 ///< items with NaN or infinite numbers, not judged
  std::map<std::string, int64_t> strata;  ///< "simple", "planar", "repeated", ...
  std::vector<double> margins;            ///< relative distance to the nearest tie, ascending
  int64_t near_ties = 0;                  ///< of the simple items, margin below kNearTie
  int64_t smallest_item = 0;              ///< the item of the smallest margin
};
inline constexpr double kNearTie = 1e-2;

/// The items of a .npy file [items, N, C], or the clouds of a folder of point files in the order of
/// their names, each [N, C]. Throws UserError for channels that do not fit the first typed
/// argument.
std::vector<Tensor> read_items(const std::filesystem::path& data, const Typing& typing);

/// Each item [N, C] of the type of the first typed argument of a Euclidean subject.
Census take_census(const Typing& typing, const std::vector<Tensor>& items);

}  // namespace equiframe::audit
