#include "runtime/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "runtime/gemm_speed.h"
#include "runtime/nan_fault.h"

namespace equiframe::runtime {
namespace {

/// A BLAS below this share of oneDNN's speed on the same shape has the wrong code for the
/// processor; the right kernels measured between 0.6 and 1.2 of it.
constexpr double kSlowShare = 1.0 / 3;
/// Share of the usable cores that others must keep busy before it disturbs ours.
constexpr double kBusyShare = 0.5;

std::string rounded(double value) {
  std::ostringstream out;
  out.setf(std::ios::fixed);
  out.precision(value < 10 ? 1 : 0);
  out << value;
  return out.str();
}

/// " (19 -> 63 GFLOP/s)", or nothing if it was not measured.
std::string speed_change(const GemmSpeeds& speeds) {
  if (!speeds.before || !speeds.after) return "";
  return " (" + rounded(*speeds.before) + " -> " + rounded(*speeds.after) + " GFLOP/s)";
}

/// What a program that was not repaired may meet.
constexpr const char* kNanFault =
    "one matrix product with NaN spoils a buffer inside OpenBLAS, and every later eigh of a sound "
    "float32 matrix fails or returns NaN";

std::string fault_ended(const NanFaults& nan) {
  if (!nan.before.value_or(false) || nan.after.value_or(true)) return "";
  return std::string("; with the old kernel ") + kNanFault;
}

std::string wrong_kernel(const BlasReport& blas) {
  return "OpenBLAS runs its " + blas.repair.after + " kernel where this processor needs " +
         blas.expected;
}

Finding openblas_finding(const BlasReport& blas) {
  switch (blas.repair.outcome) {
    case RepairOutcome::kRepaired:
    case RepairOutcome::kRestarted:
      return {Severity::kOk,
              "OpenBLAS took this processor for " + blas.repair.before + "; repaired at start to " +
                  blas.repair.after + speed_change(blas.layer) + fault_ended(blas.nan),
              "for other programs: export OPENBLAS_CORETYPE=" + blas.repair.after};
    case RepairOutcome::kTurnedOff:
      return {Severity::kBad, wrong_kernel(blas) + ", and EQUIFRAME_BLAS_FIX=0 forbids the repair",
              "unset EQUIFRAME_BLAS_FIX"};
    case RepairOutcome::kUsersChoice:
      return {Severity::kBad, wrong_kernel(blas) + ", because OPENBLAS_CORETYPE is set",
              "unset OPENBLAS_CORETYPE"};
    case RepairOutcome::kTooLate:
      return {Severity::kBad, wrong_kernel(blas) + ", and other threads ran before the repair",
              "export OPENBLAS_CORETYPE=" + blas.expected + ", or repair before threads start"};
    case RepairOutcome::kImpossible:
      return {Severity::kBad, wrong_kernel(blas) + ", and it could not be switched",
              "export OPENBLAS_CORETYPE=" + blas.expected};
    case RepairOutcome::kNotNeeded:
      break;
  }
  return {Severity::kOk, "OpenBLAS chose its " + blas.info.kernel + " kernel, right from the start",
          ""};
}

/// What sets OpenBLAS right where `openblas_finding` has seen the wrong kernel.
std::optional<Finding> nan_finding(const BlasReport& blas) {
  if (!blas.nan.after.value_or(false)) return {};
  const std::string kernel = blas.info.kernel.empty() ? "this BLAS" : blas.info.kernel;
  std::string fix = openblas_finding(blas).fix;
  if (fix.empty()) fix = "another BLAS: sudo apt-get install libopenblas0-pthread";
  return Finding{Severity::kBad, "with " + kernel + " " + kNanFault, fix};
}

Finding blas_finding(const BlasReport& blas) {
  switch (blas.info.kind) {
    case BlasKind::kOpenBlas:
      return openblas_finding(blas);
    case BlasKind::kNetlib:
      return {Severity::kBad,
              "the BLAS is the reference implementation, ten times slower than OpenBLAS or worse",
              "sudo apt-get install libopenblas0-pthread"};
    case BlasKind::kNone:
      return {Severity::kWarn, "no BLAS shows itself; it may be built into LibTorch", ""};
    default:
      return {Severity::kOk, "the BLAS is " + std::string(name(blas.info.kind)), ""};
  }
}

/// For libraries whose kernel we cannot name: slow is slow.
std::optional<Finding> speed_finding(const BlasReport& blas) {
  if (blas.info.kind == BlasKind::kNetlib || is_misdetected(blas.info, blas.expected)) return {};
  if (!blas.layer.after || !blas.layer.onednn) return {};
  if (*blas.layer.after >= kSlowShare * *blas.layer.onednn) return {};
  return Finding{Severity::kWarn,
                 "the BLAS reaches " + rounded(*blas.layer.after) +
                     " GFLOP/s where oneDNN reaches " + rounded(*blas.layer.onednn),
                 "sudo apt-get install libopenblas0-pthread"};
}

std::optional<Finding> openmp_finding(const BlasReport& blas, const ThreadPlan& threads) {
  if (blas.info.threading != BlasThreading::kOpenMp || std::max(threads.blas, threads.intra_op) < 2)
    return {};
  return Finding{Severity::kWarn,
                 "OpenBLAS with OpenMP threads stalls on small matrices when another process holds "
                 "a core",
                 "sudo apt-get install libopenblas0-pthread, or OMP_NUM_THREADS=1"};
}

std::optional<Finding> thread_finding(const Machine& machine, const ThreadPlan& threads,
                                      const ThreadRequest& request) {
  const int used = std::max(threads.blas, threads.intra_op);
  const int asked = std::max(request.omp.value_or(0), request.openblas.value_or(0));
  const int most = std::max(used, asked);
  if (most <= machine.usable_cores) return {};
  const std::string cores = std::to_string(machine.usable_cores);
  const std::string what = std::to_string(most) + " threads on " + cores + " usable cores";
  return Finding{Severity::kWarn,
                 asked > used ? "the environment asks for " + what + "; " + std::to_string(used) +
                                    " are used, but other programs may stall"
                              : what,
                 "export OMP_NUM_THREADS=" + cores + " OPENBLAS_NUM_THREADS=" + cores};
}

std::optional<Finding> load_finding(const Machine& machine, const ThreadPlan& threads) {
  if (machine.load_average < kBusyShare * machine.logical_cores) return {};
  const bool several = std::max(threads.blas, threads.intra_op) > 1;
  return Finding{Severity::kWarn,
                 "the machine is busy (load " + rounded(machine.load_average) + " on " +
                     std::to_string(machine.logical_cores) + " cores): timings are unreliable" +
                     (several ? " and several threads can be slower than one" : ""),
                 several ? "export OMP_NUM_THREADS=1 while others compute" : ""};
}

std::optional<Finding> simd_finding(const Machine& machine) {
  if (machine.simd > kernels::SimdLevel::kBaseline) return {};
  return Finding{Severity::kWarn, "the kernels run without AVX2",
                 machine.cpu.avx2 ? "unset EQUIFRAME_SIMD" : ""};
}

/// Fills one figure of both shapes.
void measure(BlasReport& report, std::optional<double> GemmSpeeds::*figure,
             GemmProvider provider = GemmProvider::kBlas) {
  report.layer.*figure = sgemm_gflops(kLayerShape, provider);
  report.square.*figure = sgemm_gflops(kSquareShape, provider);
}

}  // namespace

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::kOk:
      return "ok";
    case Severity::kWarn:
      return "warn";
    case Severity::kBad:
      return "bad";
  }
  return "bad";
}

BlasReport examine_blas(const BlasRepair& repair) {
  BlasReport report;
  report.repair = repair;
  report.expected = expected_core();
  if (repair.before != repair.after && switch_kernel(repair.before) == repair.before) {
    measure(report, &GemmSpeeds::before);
    report.nan.before = has_nan_fault();
    switch_kernel(repair.after);
  }
  measure(report, &GemmSpeeds::after);
  report.nan.after = has_nan_fault();
  measure(report, &GemmSpeeds::onednn, GemmProvider::kOneDnn);
  if (repair.before == repair.after) {
    report.layer.before = report.layer.after;
    report.square.before = report.square.after;
    report.nan.before = report.nan.after;
  }
  report.info = blas_info();
  return report;
}

std::vector<Finding> diagnose(const Machine& machine, const BlasReport& blas,
                              const ThreadPlan& threads, const ThreadRequest& request) {
  std::vector<Finding> findings{blas_finding(blas)};
  for (const std::optional<Finding>& finding :
       {nan_finding(blas), speed_finding(blas), openmp_finding(blas, threads),
        thread_finding(machine, threads, request), load_finding(machine, threads),
        simd_finding(machine)}) {
    if (finding) findings.push_back(*finding);
  }
  return findings;
}

bool is_healthy(const std::vector<Finding>& findings) {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& f) { return f.severity == Severity::kBad; });
}

}  // namespace equiframe::runtime
