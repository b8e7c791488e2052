#pragma once

#include "equiframe/frames/frame_set.h"
#include "frames/euclidean/cloud.h"
#include "linalg/pca.h"

namespace equiframe::inline frames {

/// The spectrum of a batch of clouds, float64 but for the bases.
struct PrincipalAxes {
  Tensor centre;  // [B, d]; zero for groups that fix the origin
  Tensor values;  // [B, d] ascending eigenvalues of sum_i w_i (x_i - c)(x_i - c)^T
  Tensor axes;    // [B, d, d], column j belongs to values[j]; undefined if not asked for
  Tensor bases;   // [B, K, d, d] in the cloud's type: the axes with every choice of signs
  kernels::Handedness hands = kernels::Handedness::kBoth;
};

/// Frames need the signed bases; the axes in float64 cost a fifth more and are for what builds on
/// them.
enum class AxesDetail { kBasesOnly, kAxesToo };

PrincipalAxes principal_axes(const EuclideanGroup& group, const Cloud& cloud, AxesDetail detail);

kernels::Handedness hands_of(const EuclideanGroup& group);

/// The signs of the columns of basis k relative to basis 0 of kernels::signed_bases, [K, d]
/// float64.
Tensor sign_patterns(int64_t dim, kernels::Handedness hands);

/// The sign choices of kernels::signed_bases in tensor operations: any d, differentiable.
Tensor signed_bases(const Tensor& axes, kernels::Handedness hands);

/// The second moments about `centre` [B, d] whose eigenvectors the axes are, [B, d, d] float64,
/// differentiable.
Tensor scatter_matrix(const Cloud& cloud, const Tensor& centre);

/// The axes of `spectrum` as functions of the cloud's points, with first and second derivatives for
/// distinct eigenvalues. Gaps below `tolerance` (relative) are damped by the Lorentzian
/// gap / (gap^2 + tolerance^2).
Tensor differentiable_axes(const Cloud& cloud, const Tensor& centre, const PrincipalAxes& spectrum,
                           double tolerance);

/// What the eigenvalues say of each item.
struct SpectrumReport {
  Tensor margin;      // [B] the smallest gap relative to the largest eigenvalue
  Tensor stratum;     // [B] int64, see Stratum
  Tensor degenerate;  // [B] bool: the axes are not determined
  bool any_degenerate = false;
  bool any_non_finite = false;
};

/// Both relative to the largest eigenvalue.
struct SpectrumTolerance {
  double gap;   // neighbours closer than this are tied
  double rank;  // eigenvalues below this are zero
};

SpectrumReport analyse_spectrum(const PrincipalAxes& spectrum, const SpectrumTolerance& tolerance);

}  // namespace equiframe::inline frames
