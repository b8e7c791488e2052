#include <torch/types.h>

#include "equiframe/frames/generic.h"
#include "frames/builtin_groups.h"

namespace equiframe::inline frames {
namespace {

const bool kIdentityRegistered = for_each_builtin_group([]<Group G>() {
  return Frames<G>::instance().add(
      "identity", "no symmetry: the backbone as it is (a baseline, not a frame of the group)",
      [](const G& group, const typename G::Representation&, const Options&) {
        return std::make_unique<IdentityFrame<G>>(group);
      });
});

}  // namespace
}  // namespace equiframe::inline frames
