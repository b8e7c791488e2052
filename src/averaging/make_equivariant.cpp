#include "equiframe/averaging/make_equivariant.h"

#include <torch/types.h>

#include "equiframe/averaging/frame_average.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/runtime/blas.h"

namespace equiframe::inline averaging {

std::shared_ptr<Backbone> make_equivariant(std::shared_ptr<Backbone> backbone,
                                           const SymmetrySpec& spec,
                                           const AverageOptions& options) {
  runtime::use_fast_blas();
  return std::visit(
      [&]<Group G>(const G& group) -> std::shared_ptr<Backbone> {
        const Symmetry<G> symmetry{group, group.type(spec.in), group.type(spec.out)};
        std::shared_ptr<const Frame<G>> frame = make_frame(spec.frame, group, symmetry.in);
        return std::make_shared<FrameAverage<G>>(symmetry, std::move(frame), std::move(backbone),
                                                 options);
      },
      parse_group(spec.group));
}

}  // namespace equiframe::inline averaging
