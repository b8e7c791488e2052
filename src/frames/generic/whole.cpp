#include <torch/types.h>

#include "equiframe/frames/generic.h"
#include "frames/builtin_groups.h"

namespace equiframe::inline frames {
namespace {

constexpr double kLargestEnumeration = 50000;

/// samples = 0 means: enumerate. Infinite groups, and groups too large to list, are drawn from.
template <Group G>
std::unique_ptr<Frame<G>> make_whole(const G& group, const Options& options) {
  constexpr int64_t kDefaultDraws = 64;
  int64_t fallback = kDefaultDraws;
  if constexpr (FiniteGroup<G>) fallback = group.order() <= kLargestEnumeration ? 0 : kDefaultDraws;
  const int64_t samples = options.get_int("samples", fallback);
  if (samples < 0) throw UserError("frame 'whole': samples must be 0 (all) or more");
  if (samples == 0 && fallback != 0)
    throw UserError("frame 'whole': " + group.name() +
                    " cannot be listed; give samples=k for k draws");
  if constexpr (std::is_same_v<G, EuclideanGroup>) {
    if (group.has_shifts())
      throw UserError("frame 'whole': " + group.name() +
                      " is not compact, so it has no uniform distribution to average over; use "
                      "'pca', or the group without translations");
  }
  return std::make_unique<WholeFrame<G>>(group, samples);
}

const bool kWholeRegistered = for_each_builtin_group([]<Group G>() {
  return Frames<G>::instance().add(
      "whole", "the group itself: listed if finite, Haar draws otherwise (group averaging)",
      [](const G& group, const typename G::Representation&, const Options& options) {
        return make_whole(group, options);
      });
});

}  // namespace
}  // namespace equiframe::inline frames
