#pragma once

#include <cstdint>
#include <optional>

#include "runtime/blas_info.h"
#include "runtime/machine.h"

namespace equiframe::runtime {

/// How many threads LibTorch's own loops (at::set_num_threads) and the BLAS should use.
struct ThreadPlan {
  int intra_op = 1;
  int blas = 1;
};

/// Thread counts the user asked for in the environment; nothing where the variable is not set or
/// not a positive number.
struct ThreadRequest {
  std::optional<int> omp;       ///< OMP_NUM_THREADS
  std::optional<int> openblas;  ///< OPENBLAS_NUM_THREADS
};

ThreadRequest thread_request();

/// What the environment asks for, though never more than the usable cores (with 999 threads on two
/// a loop over 24 points takes minutes), and else by how the BLAS does its threads:
///
/// | BLAS            | intra_op   | blas  | reason                                                |
/// |-----------------|------------|-------|-------------------------------------------------------|
/// | own threads     | half, >= 1 | cores | its pool and LibTorch's take each other's cores       |
/// | OpenMP OpenBLAS | 1          | 1     | small matrices stall, 3 to 900 times slower           |
/// | serial          | cores      | 1     |                                                       |
/// | unknown         | cores      | cores | MKL shares LibTorch's pool                            |
///
/// Measured on two cores, docs/adr/0006-openblas-kernel.md. `usable_cores` must be positive.
ThreadPlan recommended_threads(int usable_cores, BlasThreading threading,
                               const ThreadRequest& request);

/// For this machine, the loaded BLAS and this environment. A program applies it at its start:
///
///     const ThreadPlan plan = recommended_threads();
///     set_blas_threads(plan.blas);
///     at::set_num_threads(plan.intra_op);
ThreadPlan recommended_threads();

/// `wished` threads, one at least, and no more than this machine has usable cores.
int bounded_threads(std::int64_t wished);

/// Does nothing if the loaded BLAS offers no way. With an OpenMP OpenBLAS this is LibTorch's count
/// too, so set that one afterwards.
void set_blas_threads(int threads);

}  // namespace equiframe::runtime
