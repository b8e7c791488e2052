#pragma once

#include "equiframe/datasets/dataset.h"
#include "training/config/train_options.h"

namespace equiframe::inline training {

/// The differentiable training loss, averaged over the coordinates of real nodes; the cross-entropy
/// over items, the angle of normals over real nodes.
Tensor training_loss(const TrainOptions& options, const Tensor& prediction, const Example& example);

/// Which numbers of the target belong to real nodes, in its shape; undefined if all do.
Tensor real_numbers(const Example& example);

/// The class of each item, [B] int64, of targets [B] or [B, 1], checked against what is predicted:
/// [B, 1] is the logit of class 1 against class 0, [B, C] the logits of C classes.
Tensor classes(const Tensor& prediction, const Tensor& target);
/// -log of the probability that the prediction gives to the class, [B].
Tensor cross_entropy(const Tensor& prediction, const Tensor& classes);

/// 1 - (n.t)^2 of predicted and true normals [B, N, 3] or [B, 3], as [B, N] or [B, 1]: the squared
/// sine of the angle, whichever way both point. Neither need have unit length.
Tensor unoriented_errors(const Tensor& prediction, const Example& example);

}  // namespace equiframe::inline training
