#include "all_cores.h"

#include <ATen/Parallel.h>

#include "runtime/machine.h"
#include "runtime/threads.h"

namespace equiframe::app {

void use_all_cores(int threads) {
  runtime::set_blas_threads(1);
  const int wished = runtime::thread_request().omp.value_or(runtime::machine().usable_cores);
  at::set_num_threads(runtime::bounded_threads(threads > 0 ? threads : wished));
}

}  // namespace equiframe::app
