#include "runtime/blas_info.h"

#include <string>

#include <dlfcn.h>

#include "runtime/blas_library.h"
#include "runtime/openblas_cores.h"

namespace equiframe::runtime {
namespace {

bool contains(const std::string& text, const char* piece) {
  return text.find(piece) != std::string::npos;
}

/// Vendors show themselves by a symbol of their own, some only by the name of their file or folder.
/// What is left and called libblas is the reference implementation.
BlasKind kind_of(const BlasLibrary& library, const std::string& file) {
  if (library.has("openblas_get_config")) return BlasKind::kOpenBlas;
  if (library.has("MKL_Get_Version") || contains(file, "mkl")) return BlasKind::kMkl;
  if (library.has("bli_info_get_version_str") || contains(file, "blis")) return BlasKind::kBlis;
  if (library.has("ATL_buildinfo")) return BlasKind::kAtlas;
  if (contains(file, "libblas.so") || contains(file, "librefblas")) return BlasKind::kNetlib;
  return BlasKind::kUnknown;
}

/// openblas_get_parallel: 0 = one thread, 1 = its own threads, 2 = OpenMP.
BlasThreading threading_of(const BlasLibrary& library) {
  auto* parallel = library.function<int()>("openblas_get_parallel");
  if (parallel == nullptr) return BlasThreading::kUnknown;
  switch (parallel()) {
    case 0:
      return BlasThreading::kSerial;
    case 1:
      return BlasThreading::kPthreads;
    case 2:
      return BlasThreading::kOpenMp;
    default:
      return BlasThreading::kUnknown;
  }
}

std::string text_from(const BlasLibrary& library, const char* function) {
  auto* get = library.function<const char*()>(function);
  const char* text = get == nullptr ? nullptr : get();
  return text == nullptr ? "" : text;
}

}  // namespace

std::string_view name(BlasKind kind) {
  switch (kind) {
    case BlasKind::kNone:
      return "none";
    case BlasKind::kOpenBlas:
      return "openblas";
    case BlasKind::kNetlib:
      return "netlib";
    case BlasKind::kMkl:
      return "mkl";
    case BlasKind::kBlis:
      return "blis";
    case BlasKind::kAtlas:
      return "atlas";
    case BlasKind::kUnknown:
      return "unknown";
  }
  return "unknown";
}

std::string_view name(BlasThreading threading) {
  switch (threading) {
    case BlasThreading::kUnknown:
      return "unknown";
    case BlasThreading::kSerial:
      return "serial";
    case BlasThreading::kPthreads:
      return "pthreads";
    case BlasThreading::kOpenMp:
      return "openmp";
  }
  return "unknown";
}

std::string_view name(RepairOutcome outcome) {
  switch (outcome) {
    case RepairOutcome::kNotNeeded:
      return "not-needed";
    case RepairOutcome::kRepaired:
      return "repaired";
    case RepairOutcome::kRestarted:
      return "restarted";
    case RepairOutcome::kTurnedOff:
      return "turned-off";
    case RepairOutcome::kUsersChoice:
      return "users-choice";
    case RepairOutcome::kTooLate:
      return "too-late";
    case RepairOutcome::kImpossible:
      return "impossible";
  }
  return "impossible";
}

BlasInfo blas_info() {
  const BlasLibrary& library = BlasLibrary::loaded();
  BlasInfo info;
  if (!library.found()) return info;
  info.library = file_of(library.find("sgemm_"));
  info.lapack = file_of(dlsym(RTLD_DEFAULT, "dsyevd_"));
  info.kind = kind_of(library, info.library);
  info.threading = threading_of(library);
  info.kernel = text_from(library, "openblas_get_corename");
  info.config = text_from(library, "openblas_get_config");
  info.threads = blas_threads(library);
  return info;
}

std::string expected_core() {
  const BlasLibrary& library = BlasLibrary::loaded();
  // Prescott is in every x86-64 build with run-time choice: without its table the tables are
  // hidden, and what the build has cannot be told.
  const bool tables_shown = library.has(table_symbol("Prescott").c_str());
  for (const std::string& core : suitable_cores(cpu_facts())) {
    if (!tables_shown || library.has(table_symbol(core).c_str())) return core;
  }
  return "";
}

bool is_misdetected(const BlasInfo& blas) {
  return is_misdetected(blas, expected_core());
}

}  // namespace equiframe::runtime
