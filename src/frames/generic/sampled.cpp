#include <torch/types.h>

#include "core/plain_text.h"
#include "equiframe/frames/generic.h"
#include "frames/builtin_groups.h"

namespace equiframe::inline frames {
namespace {

/// The base frame as a call. A sorting frame too large to list is asked for no more than k draws.
template <Group G>
std::string base_call(const Options& options, int64_t k) {
  std::string fallback = "whole";
  if constexpr (std::is_same_v<G, EuclideanGroup>) fallback = "pca";
  if constexpr (std::is_same_v<G, SymmetricGroup>) fallback = "laplacian";
  const std::string base = options.get("base", fallback);
  return base == "laplacian" ? text::plain("laplacian(draws=", k, ")") : base;
}

const bool kSampledRegistered = for_each_builtin_group([]<Group G>() {
  return Frames<G>::instance().add(
      "sampled", "k draws from another frame, without replacement where it is listed (Eq. 7)",
      [](const G& group, const typename G::Representation& in, const Options& options) {
        const int64_t k = options.get_int("k", 1);
        if (k < 1) throw UserError("frame 'sampled': k must be 1 or more");
        std::shared_ptr<const Frame<G>> base = make_frame(base_call<G>(options, k), group, in);
        return std::make_unique<SampledFrame<G>>(std::move(base), k);
      });
});

}  // namespace
}  // namespace equiframe::inline frames
