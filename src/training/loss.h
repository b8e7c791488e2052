#pragma once

#include "equiframe/data/dataset.h"
#include "equiframe/training/train_options.h"

namespace equiframe {

/// The differentiable training loss, averaged over the coordinates of real nodes; the cross-entropy
/// over items.
Tensor training_loss(const TrainOptions& options, const Tensor& prediction, const Example& example);

/// Which numbers of the target belong to real nodes, in its shape; undefined if all do.
Tensor real_numbers(const Example& example);

/// The class of each item, [B] int64, of targets [B] or [B, 1], checked against what is predicted:
/// [B, 1] is the logit of class 1 against class 0, [B, C] the logits of C classes.
Tensor classes(const Tensor& prediction, const Tensor& target);
/// -log of the probability that the prediction gives to the class, [B].
Tensor cross_entropy(const Tensor& prediction, const Tensor& classes);

}  // namespace equiframe
