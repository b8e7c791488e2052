#include "equiframe/core/rng.h"

#include <cstring>

#include <ATen/CPUGeneratorImpl.h>
#include <torch/types.h>

#include "core/default_generator.h"

namespace equiframe::inline core {
namespace {

/// The finaliser of SplitMix64: a bijection of 64 bits that passes the usual statistical batteries.
uint64_t mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

uint64_t hash_bytes(const unsigned char* bytes, size_t count) {
  uint64_t h = mix(count);
  for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    h = (h ^ mix(word)) * 0x2545f4914f6cdd1dULL;
  }
  uint64_t rest = 0;
  std::memcpy(&rest, bytes, count);
  return mix(h ^ rest);
}

}  // namespace

uint64_t Rng::bits(uint64_t key, uint64_t counter) const {
  return mix(mix(mix(mix(seed) ^ stream) ^ key) ^ counter);
}

uint64_t Rng::below(uint64_t bound, uint64_t key, uint64_t counter) const {
  TORCH_CHECK(bound > 0 && bound <= (uint64_t{1} << 32U), "Rng::below: bound must be in [1, 2^32]");
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((static_cast<Wide>(bits(key, counter)) * bound) >> 64U);
}

at::Generator make_generator(uint64_t seed) {
  default_generator();  // which LibTorch asks for at every draw, whatever the generator
  return at::make_generator<at::CPUGeneratorImpl>(seed);
}

Tensor item_keys(const Tensor& x, const Tensor& id) {
  if (id.defined()) {
    TORCH_CHECK(id.dim() == 1 && id.size(0) == x.size(0), "item ids must be [", x.size(0),
                "], got ", id.sizes());
    return id.to(torch::kInt64);
  }
  const Tensor items = x.detach().contiguous();
  const Tensor keys = torch::empty({x.size(0)}, torch::kInt64);
  if (items.numel() == 0) return keys.zero_();
  const auto* bytes = static_cast<const unsigned char*>(items.data_ptr());
  const size_t stride = items.nbytes() / static_cast<size_t>(x.size(0));
  auto* out = keys.data_ptr<int64_t>();
  for (size_t b = 0; b < static_cast<size_t>(x.size(0)); ++b)
    out[b] = static_cast<int64_t>(hash_bytes(bytes + b * stride, stride));
  return keys;
}

}  // namespace equiframe::inline core
