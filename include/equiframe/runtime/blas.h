#pragma once

#include <string>
#include <string_view>

#include "equiframe/export.h"

/// The repair of an OpenBLAS that took the processor for an older one.
///
/// OpenBLAS up to 0.3.24 sends Intel processors it does not know to its SSE3 kernels ("Prescott"),
/// three to eleven times slower than the right ones and with a fault in their ssymv. It chooses
/// while it is being loaded, so main() is too late for OPENBLAS_CORETYPE. Two ways remain, in this
/// order:
///
///  1. In the process: set OPENBLAS_CORETYPE for a moment and have OpenBLAS choose again, through
///     its exported gotoblas_dynamic_quit and gotoblas_dynamic_init. Costs microseconds, works for
///     a library as well as for a program. Every kernel table carries its own blocking parameters
///     and work buffers have one size for all, so nothing else needs to be set up again; the
///     products of the new kernel are compared with plain loops before it is kept.
///  2. If those symbols are hidden: set OPENBLAS_CORETYPE and start the program again. Costs one
///     more start (0.8 s with LibTorch) and is a main program's right only.
///
/// Setting the variable from .preinit_array does not work: the C library takes its environment
/// afresh after those functions have run. See docs/adr/0006-openblas-kernel.md.
namespace equiframe::runtime {

enum class RepairOutcome {
  kNotNeeded,    ///< not OpenBLAS, or the kernel is right
  kRepaired,     ///< chosen again in the process
  kRestarted,    ///< this process was started again with the right kernel
  kTurnedOff,    ///< wrong kernel, EQUIFRAME_BLAS_FIX=0
  kUsersChoice,  ///< wrong kernel, but OPENBLAS_CORETYPE is set: left alone
  kTooLate,      ///< wrong kernel, but threads run that may be inside BLAS: left alone
  kImpossible,   ///< wrong kernel, and neither way worked
};

struct BlasRepair {
  RepairOutcome outcome = RepairOutcome::kNotNeeded;
  std::string before;  ///< kernel as loaded; empty if not OpenBLAS
  std::string after;   ///< kernel in use
};

EQUIFRAME_API std::string_view name(RepairOutcome outcome);

/// What an OPENBLAS_CORETYPE in the environment is to us.
enum class UsersCore { kKept, kOverruled };

/// Sees to it that OpenBLAS runs the right kernel. To be called first thing in main(), before any
/// product; make_equivariant, load_model, the first call of the C interface and `import equiframe`
/// call it as well. A call inside BLAS does not survive a switch, so there is one only while the
/// calling thread is alone in the process but for OpenBLAS's own workers, which are idle then;
/// otherwise the outcome is kTooLate and nothing is touched. Later calls return the first result;
/// kOverruled acts once more where kKept had left the user's choice alone.
///
/// EQUIFRAME_BLAS_FIX=0 turns it off; =force means kOverruled; =restart does the same by starting
/// the program again.
EQUIFRAME_API BlasRepair use_fast_blas(UsersCore core = UsersCore::kKept);

/// As above, for main programs: may start the program again with `argv`, once, as a last resort.
EQUIFRAME_API BlasRepair use_fast_blas(char** argv);

}  // namespace equiframe::runtime
