#pragma once

#include <cstdint>

/// What the neighbours of a point, each with a normal of its own, say about one another in numbers
/// that no motion and no sign of a normal changes. Plain C++20, no LibTorch.
namespace equiframe::kernels::inline normals {

/// Of each point: how far the elements of its frame disagree, how flat its patch is, the scatter of
/// its nearest points about its plane and their mean height over it. The last two are lengths.
inline constexpr std::int64_t kToldNumbers = 4;

/// Of a neighbour, for offset x, normals m of the neighbour and n of the point: |x|; |n.x| and
/// |m.x|, as they are, over their scatter and over |x|; (n.m)^2 and log(1 - (n.m)^2); (n.x)(m.x)
/// (n.m) / |x|^2, which tells a bend from a step; the neighbour's told numbers.
inline constexpr std::int64_t kVoteFeatures = 10 + kToldNumbers;

template <class T>
struct VotePatch {
  std::int64_t count;
  const T* offsets;  ///< [count, 3] in units of the patch
  const T* normals;  ///< [count, 3] unit, of any sign
  const T* told;     ///< [count, kToldNumbers], lengths in units of the patch
};

/// Feature c of voter k is at `data[c * channel + k * voter]`.
template <class T>
struct VoteFeatures {
  T* data;
  std::int64_t channel, voter;
};

/// About a point with this normal and scatter.
template <class T>
void vote_features(const VotePatch<T>& patch, const T* normal, T scatter,
                   const VoteFeatures<T>& to);

}  // namespace equiframe::kernels::inline normals
