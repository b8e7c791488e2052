#include "normals/kernels/vote_features.h"

#include <algorithm>
#include <cmath>

namespace equiframe::kernels::inline normals {

template <class T>
void vote_features(const VotePatch<T>& patch, const T* normal, T scatter,
                   const VoteFeatures<T>& to) {
  constexpr T kFar = T(0.25), kLeast = T(1e-3), kOfSpacing = T(0.02), kNearest = T(1e-6);
  for (std::int64_t k = 0; k < patch.count; ++k) {
    const T *x = patch.offsets + 3 * k, *m = patch.normals + 3 * k,
            *told = patch.told + kToldNumbers * k;
    const auto put = [&, at = to.data + to.voter * k](std::int64_t c, T value) {
      at[c * to.channel] = value;
    };
    const T squared = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], distance = std::sqrt(squared);
    const T here = normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2];
    const T there = m[0] * x[0] + m[1] * x[1] + m[2] * x[2];
    const T cosine = normal[0] * m[0] + normal[1] * m[1] + normal[2] * m[2];
    const T over_here = std::abs(here), over_there = std::abs(there), aligned = cosine * cosine;
    put(0, distance / (1 + kFar * distance));
    put(1, over_here / (1 + over_here));
    put(2, over_there / (1 + over_there));
    put(3, over_here / (over_here + scatter + kOfSpacing));
    put(4, over_there / (over_there + told[2] + kOfSpacing));
    put(5, over_here / (distance + kNearest));
    put(6, over_there / (distance + kNearest));
    put(7, aligned);
    put(8, std::log(std::max(1 - aligned, T(0)) + kLeast));
    put(9, here * there * cosine / (squared + kLeast));
    put(10, told[0]);
    put(11, told[1]);
    put(12, std::log(told[2] + kLeast));
    put(13, std::log(told[3] + kLeast));
  }
}

template void vote_features(const VotePatch<float>&, const float*, float,
                            const VoteFeatures<float>&);
template void vote_features(const VotePatch<double>&, const double*, double,
                            const VoteFeatures<double>&);

}  // namespace equiframe::kernels::inline normals
