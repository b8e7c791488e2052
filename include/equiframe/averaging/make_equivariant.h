#pragma once

#include <concepts>
#include <memory>
#include <string>

#include "equiframe/averaging/average.h"
#include "equiframe/core/backbone.h"
#include "equiframe/export.h"

namespace equiframe::inline averaging {

/// A symmetry in words.
struct SymmetrySpec {
  std::string group = "E(3)";  ///< "E(3)", "SO(2)", "S(8)", "D(4)", ...; see parse_group
  std::string in = "point";    ///< type of the input's channels
  std::string out = "point";   ///< type of the output's channels
  std::string frame = "pca";   ///< "pca", "minimal", "sampled(k=2, base=pca)", ...
};

/// `backbone` averaged over the named frame: the whole library in one call. Throws UserError, with
/// the sentence that helps, for a name or a combination that cannot be. Sees to the kernel of
/// OpenBLAS, if no other threads run yet: runtime::use_fast_blas in equiframe/runtime/blas.h, which
/// a program that starts threads or multiplies matrices before calls first thing in main().
EQUIFRAME_API std::shared_ptr<Backbone> make_equivariant(std::shared_ptr<Backbone> backbone,
                                                         const SymmetrySpec& spec,
                                                         const AverageOptions& options = {});

/// The same for any LibTorch module holder with `forward(Tensor)`, such as torch::nn::Sequential.
template <class Holder>
requires(!std::convertible_to<Holder, std::shared_ptr<Backbone>>)
    std::shared_ptr<Backbone> make_equivariant(Holder module, const SymmetrySpec& spec,
                                               const AverageOptions& options = {}) {
  return make_equivariant(as_backbone(std::move(module)), spec, options);
}

}  // namespace equiframe::inline averaging
