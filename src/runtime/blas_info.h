#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equiframe/runtime/blas.h"
#include "runtime/machine.h"

/// Which BLAS serves this process, and which of its kernels suits the processor.
namespace equiframe::runtime {

enum class BlasKind { kNone, kOpenBlas, kNetlib, kMkl, kBlis, kAtlas, kUnknown };
enum class BlasThreading { kUnknown, kSerial, kPthreads, kOpenMp };

std::string_view name(BlasKind kind);
std::string_view name(BlasThreading threading);

struct BlasInfo {
  BlasKind kind = BlasKind::kNone;  ///< kNone: no library in the process shows an sgemm_
  BlasThreading threading = BlasThreading::kUnknown;
  std::string library;  ///< file that holds sgemm_, links resolved
  std::string lapack;   ///< file that holds dsyevd_, links resolved; may be empty
  std::string kernel;   ///< "Zen", "Prescott", ...; empty if the library does not tell
  std::string config;   ///< the library's own words on how it was built; may be empty
  int threads = 0;      ///< 0 if the library does not tell
};

/// What is loaded now. OpenBLAS, MKL, BLIS, ATLAS and the reference implementation are told apart.
BlasInfo blas_info();

/// OPENBLAS_CORETYPE values that suit a processor, best first, as OpenBLAS itself would choose if
/// it knew it. Empty: leave the choice to OpenBLAS (no AVX, or an AMD processor before Zen).
std::vector<std::string> suitable_cores(const CpuFacts& cpu);

/// The first suitable core of this processor that the loaded OpenBLAS has; may be empty.
std::string expected_core();

/// Whether OpenBLAS runs a kernel with narrower vectors than `expected` has. A kernel that is as
/// wide, or unknown to us, is never called wrong.
bool is_misdetected(const BlasInfo& blas, std::string_view expected);
bool is_misdetected(const BlasInfo& blas);

/// Has OpenBLAS use the kernel `core`. The caller answers for the processor being able to run it
/// and for no other thread being inside BLAS or touching the environment. Returns the name of the
/// kernel in use afterwards; nothing if the loaded BLAS cannot switch. A core the library lacks,
/// or whose products are wrong, leaves the kernel as it was.
std::optional<std::string> switch_kernel(const std::string& core);

}  // namespace equiframe::runtime
