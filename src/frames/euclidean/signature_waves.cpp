#include "frames/euclidean/signature_waves.h"

#include <cmath>

#include <torch/types.h>

#include "equiframe/core/rng.h"

namespace equiframe::inline frames {

SignatureWaves signature_waves(int64_t channels) {
  constexpr int64_t kWaves = 12;
  auto generator = make_generator(20220318);
  const Tensor frequencies = 2.5 * torch::randn({channels, kWaves}, generator, torch::kFloat64);
  return {frequencies, 2 * M_PI * torch::rand({kWaves}, generator, torch::kFloat64)};
}

}  // namespace equiframe::inline frames
