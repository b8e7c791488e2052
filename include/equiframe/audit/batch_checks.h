#pragma once

#include "equiframe/audit/symmetry_errors.h"

/// Whether an answer depends on anything but its own input.
namespace equiframe::audit {

struct BatchChecks {
  double repeat = 0;        ///< the same batch twice: 0 = deterministic
  double alone = 0;         ///< an item alone against the item in a batch
  double across_calls = 0;  ///< copies of one item: how far answers of different calls are apart
  double within_call = 0;   ///< and those of one call
  double beside_nan = 0;    ///< an item whose neighbour in the batch is NaN, against its answer
  bool nan_measured = false;
};
BatchChecks measure_batch(const Subject& subject, const Inputs& inputs,
                          const MeasureOptions& options = {});

/// Errors of relabelling by the number of points. A list of neighbours that is cut off shows as an
/// error that begins with a certain number.
struct OrderChecks {
  struct Size {
    int64_t points = 0;
    double error = 0;
    double spread = 1;  ///< factor on the coordinates
  };
  std::vector<Size> sizes;  ///< only those that the model takes
  bool measured = false;
  int64_t first_broken = 0;  ///< fewest points with an error; 0 = none
  int64_t last_exact = 0;    ///< most points below that without one; 0 = none
};
/// Numbers up to four times the `usual` one; larger ones are left out once it has taken long.
OrderChecks measure_order(const Subject& subject, int64_t usual,
                          const MeasureOptions& options = {});

}  // namespace equiframe::audit
