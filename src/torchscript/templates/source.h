// Texts of TorchScript: what a wrapped module does, in plain operators.
#pragma once

#include <string>

#include "equiframe/core/options.h"
#include "equiframe/groups/euclidean.h"

namespace equiframe::inline torchscript {

/// Methods `into_NAME(x, items, linear, shift)`, rho(g)^-1 of the rows of x [B, ..., C] that belong
/// to `items` [M], and `back_NAME(y, linear, shift)`, rho(g) y for y [M, ..., C].
/// linear [M, d, d], shift [M, d], both float64.
std::string field_source(const std::string& name, const FieldType& type,
                         const EuclideanGroup& group);

/// The channels of one kind of a tensor x, whose last axis is `axis`, side by side:
/// "torch.cat([x[:, :, 0:3], x[:, :, 5:8]], 2)"; "" if there are none.
std::string channels_text(const FieldType& type, FieldType::Kind kind, int64_t dim, int64_t axis);

/// A frame as the text knows it.
struct FrameChoice {
  enum class Kind { kMean, kPca, kMinimal };
  Kind kind = Kind::kPca;
  bool settles_ties = true;  ///< pca: items whose axes tie get their minimal frame
  int64_t draws = 0;         ///< as many random elements instead of all; 0 = all
};

/// "pca", "pca(degenerate=minimal)", "minimal", "mean" and "sampled(k=2, base=pca)".
FrameChoice parse_frame_choice(const std::string& call, const EuclideanGroup& group);

/// Method `frame(x, mask, draws) -> (items, linear, shift, weights)`: rows of F(x) for all items of
/// x [B, N, C]; needs `into_NAME` of the same input, and the buffers `signs`, `waves` and `phases`.
std::string frame_source(const std::string& name, const FieldType& type,
                         const EuclideanGroup& group, const FrameChoice& frame);

/// The same method by the library's operator, for evaluation and for `train()`.
std::string operator_frame_source(const FieldType& type, const EuclideanGroup& group,
                                  const std::string& frame, const std::string& train_frame);

/// Method `minimal_bases(x [N, C], w [N], centre [d], draws) -> [K, d, d]` of one item.
std::string minimal_source(const std::string& name, const FieldType& type,
                           const EuclideanGroup& group);

}  // namespace equiframe::inline torchscript
