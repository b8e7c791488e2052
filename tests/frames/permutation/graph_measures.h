#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <torch/types.h>

#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"

/// Measurements that the tests of the permutation frames share.
namespace equiframe::zoo {

inline constexpr auto kNode = PermutationType::Kind::kNode;
inline constexpr auto kPair = PermutationType::Kind::kPair;

inline int64_t nodes_of(const Batch& x) {
  return x.pair.defined() ? x.pair.size(1) : x.x.size(1);
}

/// F(X) of the frame written `call`.
inline FrameSet<SymmetricGroup> frame_of(const std::string& call, const Batch& x,
                                         const PermutationType& in = PermutationType::Kind::kPair,
                                         const Rng& rng = {}) {
  return (*make_frame(call, SymmetricGroup(nodes_of(x)), in))(x, rng);
}

/// rho(g)^-1 X of each item for the first element g of its frame.
inline Batch form_of(const std::string& call, const Batch& x,
                     const PermutationType& in = PermutationType::Kind::kPair) {
  const auto frame = frame_of(call, x, in);
  return SymmetricGroup(nodes_of(x)).act_inverse(in, frame.elements.select(1, 0), x);
}

/// |F(X)| of a batch of one item.
inline double frame_size(const std::string& call, const Batch& x,
                         const PermutationType& in = PermutationType::Kind::kPair) {
  return std::exp(frame_of(call, x, in).log_size.item<double>());
}

/// {rho(g)^-1 X : g in F(X)} of item `item` as values -> total weight.
using FramedSet = std::map<std::vector<double>, double>;
inline FramedSet framed_set(const SymmetricGroup& group, const PermutationType& in,
                            const FrameSet<SymmetricGroup>& frame, const Batch& x,
                            int64_t item = 0) {
  const Batch one = x.map([&](const Tensor& part) { return part.narrow(0, item, 1); });
  const auto append = [](std::vector<double>& key, const Tensor& part) {
    if (!part.defined()) return;
    const Tensor flat = part.to(torch::kFloat64).contiguous().flatten();
    key.insert(key.end(), flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
  };
  FramedSet result;
  for (int64_t k = 0; k < frame.size(); ++k) {
    const double weight = frame.weights[item][k].item<double>();
    if (weight == 0) continue;
    const Batch framed = group.act_inverse(in, frame.elements[item][k].unsqueeze(0), one);
    std::vector<double> key;
    for (const Tensor& part : {framed.x, framed.pair, framed.mask, framed.weights})
      append(key, part);
    result[key] += weight;
  }
  return result;
}

/// Equal sets of framed inputs with equal weights up to rounding.
inline bool same(const FramedSet& a, const FramedSet& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const auto& s, const auto& t) {
           return s.first == t.first && std::abs(s.second - t.second) < 1e-12;
         });
}

}  // namespace equiframe::zoo
