#include <cstdint>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <torch/version.h>

#include "commands.h"
#include "equiframe/core/error.h"
#include "equiframe/runtime/blas.h"
#include "equiframe/version.h"
#include "runtime/blas_info.h"
#include "runtime/diagnosis.h"
#include "runtime/gemm_speed.h"
#include "runtime/machine.h"
#include "runtime/threads.h"
#include "simd/cpu.h"

namespace equiframe::app {
namespace {

using nlohmann::json;
using runtime::BlasReport;
using runtime::Finding;
using runtime::GemmShape;
using runtime::GemmSpeeds;
using runtime::Machine;
using runtime::Severity;

struct DoctorOptions {
  bool as_json = false;
  bool pretend_misdetected = false;
};

struct TorchFacts {
  std::string version = TORCH_VERSION;
  std::string capability;  // "AVX2"; the vector code LibTorch chose
  bool has_lapack = at::hasLAPACK();
  bool has_onednn = at::hasMKLDNN();
  int intra_op_threads = at::get_num_threads();
};

struct Report {
  Machine machine = runtime::machine();
  TorchFacts torch;
  BlasReport blas;
  std::vector<Finding> findings;
};

/// The line "CPU capability usage: AVX2" of LibTorch's own summary; the direct call moved between
/// versions.
std::string torch_capability() {
  const std::string key = "CPU capability usage: ";
  const std::string config = at::show_config();
  const auto at = config.find(key);
  if (at == std::string::npos) return "unknown";
  const auto start = at + key.size();
  return config.substr(start, config.find('\n', start) - start);
}

/// The repair done at the start of the program, or the one a misdetection would have needed.
runtime::BlasRepair repair_to_examine(const DoctorOptions& options) {
  const runtime::BlasRepair done = runtime::use_fast_blas();
  if (!options.pretend_misdetected || done.outcome != runtime::RepairOutcome::kNotNeeded) {
    return done;
  }
  const std::string slow = "Prescott";
  if (runtime::switch_kernel(slow) != slow) {
    throw UserError(
        "--pretend-misdetected needs an OpenBLAS with run-time choice of its kernel; see "
        "'equiframe doctor' for the BLAS in use");
  }
  runtime::switch_kernel(done.after);
  return {runtime::RepairOutcome::kRepaired, slow, done.after};
}

Report examine(const DoctorOptions& options) {
  Report report;
  report.torch.capability = torch_capability();
  report.blas = runtime::examine_blas(repair_to_examine(options));
  const runtime::ThreadPlan in_use{report.torch.intra_op_threads, report.blas.info.threads};
  report.findings =
      runtime::diagnose(report.machine, report.blas, in_use, runtime::thread_request());
  if (!report.torch.has_lapack) {
    report.findings.push_back(
        {Severity::kBad, "this LibTorch was built without LAPACK: eigenvalues are not available",
         "sudo apt-get install libtorch-dev"});
  }
  return report;
}

std::string text(const GemmShape& shape) {
  return std::to_string(shape.m) + "x" + std::to_string(shape.k) + "x" + std::to_string(shape.n);
}

json number(std::optional<double> value) {
  return value ? json(*value) : json(nullptr);
}

json truth(std::optional<bool> value) {
  return value ? json(*value) : json(nullptr);
}

json to_json(const GemmShape& shape, const GemmSpeeds& speeds) {
  return {{"shape", text(shape)},
          {"gflops_before", number(speeds.before)},
          {"gflops_after", number(speeds.after)},
          {"onednn_gflops", number(speeds.onednn)}};
}

bool is_repaired(const BlasReport& blas) {
  return blas.repair.outcome == runtime::RepairOutcome::kRepaired ||
         blas.repair.outcome == runtime::RepairOutcome::kRestarted;
}

/// The speeds at the layer shape stand beside the facts, those of the square one in "square".
json to_json(const BlasReport& blas) {
  json out = to_json(runtime::kLayerShape, blas.layer);
  out.update({{"library", blas.info.library},
              {"lapack", blas.info.lapack},
              {"kind", runtime::name(blas.info.kind)},
              {"threading", runtime::name(blas.info.threading)},
              {"config", blas.info.config},
              {"kernel", blas.info.kernel},
              {"kernel_before", blas.repair.before},
              {"expected", blas.expected},
              {"misdetected", blas.repair.outcome != runtime::RepairOutcome::kNotNeeded},
              {"repaired", is_repaired(blas)},
              {"repair", runtime::name(blas.repair.outcome)},
              {"nan_fault", truth(blas.nan.after)},
              {"nan_fault_before", truth(blas.nan.before)},
              {"square", to_json(runtime::kSquareShape, blas.square)}});
  return out;
}

json to_json(const Machine& machine) {
  const runtime::CpuFacts& cpu = machine.cpu;
  return {{"vendor", cpu.vendor},
          {"brand", cpu.brand},
          {"family", cpu.family},
          {"model", cpu.model},
          {"stepping", cpu.stepping},
          {"avx2", cpu.avx2},
          {"avx512", cpu.avx512},
          {"avx512_bf16", cpu.avx512_bf16},
          {"logical_cores", machine.logical_cores},
          {"usable_cores", machine.usable_cores},
          {"memory_bytes", machine.memory_bytes},
          {"memory_available_bytes", machine.memory_available_bytes},
          {"load_average", machine.load_average}};
}

json to_json(const Report& report) {
  const runtime::ThreadPlan recommended = runtime::recommended_threads();
  json findings = json::array();
  for (const Finding& f : report.findings) {
    findings.push_back({{"severity", runtime::name(f.severity)}, {"what", f.what}, {"fix", f.fix}});
  }
  return {{"equiframe", version()},
          {"libtorch",
           {{"version", report.torch.version},
            {"capability", report.torch.capability},
            {"lapack", report.torch.has_lapack},
            {"onednn", report.torch.has_onednn}}},
          {"cpu", to_json(report.machine)},
          {"simd", kernels::name(report.machine.simd)},
          {"threads",
           {{"intra_op", report.torch.intra_op_threads},
            {"blas", report.blas.info.threads},
            {"recommended_intra_op", recommended.intra_op},
            {"recommended_blas", recommended.blas}}},
          {"blas", to_json(report.blas)},
          {"findings", findings},
          {"healthy", runtime::is_healthy(report.findings)}};
}

std::string gibibytes(std::int64_t bytes) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(1) << static_cast<double>(bytes) / (1LL << 30) << " GiB";
  return out.str();
}

std::string figure(std::optional<double> gflops) {
  std::ostringstream out;
  if (gflops) {
    out << std::fixed << std::setprecision(1) << *gflops;
  } else {
    out << "-";
  }
  return out.str();
}

std::ostream& row(std::ostream& out, const std::string& title) {
  return out << "  " << std::left << std::setw(10) << title;
}

void print_machine(std::ostream& out, const Report& report) {
  const Machine& m = report.machine;
  const TorchFacts& torch = report.torch;
  row(out, "cpu") << m.cpu.brand << " (" << m.cpu.vendor << ", family " << m.cpu.family
                  << ", model " << m.cpu.model << ")\n";
  row(out, "cores") << m.usable_cores << " usable of " << m.logical_cores << ", load "
                    << figure(m.load_average) << "\n";
  row(out, "memory") << gibibytes(m.memory_available_bytes) << " free of "
                     << gibibytes(m.memory_bytes) << "\n";
  row(out, "simd") << kernels::name(m.simd) << " (our kernels), " << torch.capability
                   << " (LibTorch)\n";
  row(out, "threads") << torch.intra_op_threads << " intra-op, " << report.blas.info.threads
                      << " BLAS\n";
  row(out, "libtorch") << torch.version << (torch.has_lapack ? ", LAPACK" : ", no LAPACK")
                       << (torch.has_onednn ? ", oneDNN" : ", no oneDNN") << "\n";
}

void print_speed(std::ostream& out, const std::string& title, std::optional<double> layer,
                 std::optional<double> square) {
  row(out, "") << std::left << std::setw(24) << title << std::right << std::setw(12)
               << figure(layer) << std::setw(16) << figure(square) << "\n";
}

void print_blas(std::ostream& out, const BlasReport& blas) {
  row(out, "blas") << runtime::name(blas.info.kind) << ", " << runtime::name(blas.info.threading)
                   << " threads, kernel " << (blas.info.kernel.empty() ? "-" : blas.info.kernel)
                   << ", expected " << (blas.expected.empty() ? "-" : blas.expected) << "\n";
  row(out, "") << blas.info.library << "\n";
  row(out, "lapack") << blas.info.lapack << "\n";
  row(out, "sgemm") << std::left << std::setw(24) << "GFLOP/s, one thread" << std::right
                    << std::setw(12) << text(runtime::kLayerShape) << std::setw(16)
                    << text(runtime::kSquareShape) << "\n";
  if (is_repaired(blas)) {
    print_speed(out, "before: " + blas.repair.before, blas.layer.before, blas.square.before);
    print_speed(out, "after:  " + blas.repair.after, blas.layer.after, blas.square.after);
  } else {
    print_speed(out, blas.info.kernel.empty() ? "BLAS" : blas.info.kernel, blas.layer.after,
                blas.square.after);
  }
  print_speed(out, "oneDNN", blas.layer.onednn, blas.square.onednn);
}

void print(std::ostream& out, const Report& report) {
  out << "equiframe " << version() << "\n\n";
  print_machine(out, report);
  print_blas(out, report.blas);
  out << "\n";
  for (const Finding& f : report.findings) {
    out << "  " << std::left << std::setw(6) << runtime::name(f.severity) << f.what << "\n";
    if (!f.fix.empty()) out << "        fix: " << f.fix << "\n";
  }
  out << (runtime::is_healthy(report.findings) ? "\nhealthy\n" : "\nnot healthy\n");
}

}  // namespace

void add_doctor(CLI::App& app) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* command =
      app.add_subcommand("doctor", "Say what this machine has, what is wrong with it, and the fix");
  command->add_flag("--json", options->as_json, "Print JSON");
  command->add_flag("--pretend-misdetected", options->pretend_misdetected,
                    "Show the repair as if OpenBLAS had taken this processor for a Prescott");
  command->callback([options] {
    const Report report = examine(*options);
    if (options->as_json) {
      std::cout << to_json(report).dump(2) << "\n";
    } else {
      print(std::cout, report);
    }
    if (!runtime::is_healthy(report.findings)) set_exit_code(kExitCheckFailed);
  });
}

}  // namespace equiframe::app
