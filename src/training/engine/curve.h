#pragma once

#include "report/svg.h"
#include "training/engine/metrics.h"

namespace equiframe::inline training {

/// Errors over the epochs on a logarithmic axis: training loss, validation and test, and the epoch
/// that was kept. Long runs are thinned to what a picture can show; the kept epoch stays.
report::Svg training_curve(const History& history, size_t best);

}  // namespace equiframe::inline training
