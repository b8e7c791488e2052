#pragma once

namespace equiframe::app {

/// For commands whose time goes into loops of their own: these take `threads`, or what
/// OMP_NUM_THREADS says, or all cores; the BLAS takes one, since its matrices are small and threads
/// stall on those.
void use_all_cores(int threads = 0);

}  // namespace equiframe::app
