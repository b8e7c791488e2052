#pragma once

#include "equiframe/data/dataset.h"
#include "equiframe/training/train_options.h"

namespace equiframe {

/// The differentiable training loss, averaged over the coordinates of real nodes.
Tensor training_loss(const TrainOptions& options, const Tensor& prediction, const Example& example);

/// Which numbers of the target belong to real nodes, in its shape; undefined if all do.
Tensor real_numbers(const Example& example);

}  // namespace equiframe
