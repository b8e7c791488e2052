#pragma once

#include "equiframe/report/svg.h"
#include "equiframe/training/metrics.h"

namespace equiframe {

/// Errors over the epochs on a logarithmic axis: training loss, validation and test, and the epoch
/// that was kept. Long runs are thinned to what a picture can show; the kept epoch stays.
report::Svg training_curve(const History& history, size_t best);

}  // namespace equiframe
