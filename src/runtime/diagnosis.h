#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/blas_info.h"
#include "runtime/machine.h"
#include "runtime/threads.h"

/// What is wrong with this machine and how to mend it, as `equiframe doctor` tells it.
namespace equiframe::runtime {

/// GFLOP/s of one shape on one thread; nothing where it could not be measured. `before` and `after`
/// the repair are the same figure if there was none.
struct GemmSpeeds {
  std::optional<double> before;
  std::optional<double> after;
  std::optional<double> onednn;
};

/// has_nan_fault of the kernels before and after the repair.
struct NanFaults {
  std::optional<bool> before;
  std::optional<bool> after;
};

struct BlasReport {
  BlasInfo info;         ///< after the repair
  std::string expected;  ///< the right kernel; may be empty
  BlasRepair repair;
  GemmSpeeds layer;   ///< at kLayerShape
  GemmSpeeds square;  ///< at kSquareShape
  NanFaults nan;
};

/// Measures the BLAS of this process before and after `repair`, the result of use_fast_blas. The
/// first figure is had by switching back for a moment where that is possible, so the conditions of
/// switch_kernel hold here too. Takes about half a second.
BlasReport examine_blas(const BlasRepair& repair);

enum class Severity { kOk, kWarn, kBad };
std::string_view name(Severity severity);

struct Finding {
  Severity severity = Severity::kOk;
  std::string what;
  std::string fix;  ///< a command line or an environment setting; empty if nothing needs doing
};

/// `threads` are those in use, `request` what the environment asked for. Findings are in a fixed
/// order: BLAS, its NaN fault, its speed, threads, load, SIMD.
std::vector<Finding> diagnose(const Machine& machine, const BlasReport& blas,
                              const ThreadPlan& threads, const ThreadRequest& request = {});

/// Whether no finding is bad.
bool is_healthy(const std::vector<Finding>& findings);

}  // namespace equiframe::runtime
