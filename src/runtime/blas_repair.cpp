#include <mutex>
#include <optional>
#include <string>

#include <unistd.h>

#include "equiframe/runtime/blas.h"
#include "runtime/blas_info.h"
#include "runtime/blas_library.h"
#include "runtime/gemm_check.h"
#include "runtime/openblas_cores.h"
#include "runtime/scoped_environment.h"

namespace equiframe::runtime {
namespace {

constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";
constexpr const char* kFixVariable = "EQUIFRAME_BLAS_FIX";
/// Holds the kernel of the first start while the program starts again; its presence forbids a
/// third.
constexpr const char* kRestartVariable = "EQUIFRAME_BLAS_RESTARTED_FROM";

enum class Policy { kOff, kNormal, kForce, kRestart };

Policy policy() {
  const std::string value = environment(kFixVariable).value_or("");
  if (value == "0") return Policy::kOff;
  if (value == "force") return Policy::kForce;
  if (value == "restart") return Policy::kRestart;
  return Policy::kNormal;
}

/// Has OpenBLAS choose anew, from the environment as it is now.
class Dispatch {
 public:
  explicit Dispatch(const BlasLibrary& library)
      : quit_(library.function<void()>("gotoblas_dynamic_quit")),
        init_(library.function<void()>("gotoblas_dynamic_init")),
        name_(library.function<const char*()>("openblas_get_corename")) {}

  bool available() const { return quit_ != nullptr && init_ != nullptr && name_ != nullptr; }

  std::string choose(const std::string& core) const {
    const ScopedEnvironment forced(kCoreVariable, core);
    quit_();
    init_();
    return name_();
  }

  std::string current() const { return name_(); }

 private:
  void (*quit_)();
  void (*init_)();
  const char* (*name_)();
};

/// Does not return if the program starts again.
void restart(const std::string& kernel_now, const std::string& core, char** argv) {
  const ScopedEnvironment forced(kCoreVariable, core);
  const ScopedEnvironment marker(kRestartVariable, kernel_now);
  execv("/proc/self/exe", argv);
}

/// The second start: what the first one put into the environment is for us and not for our
/// children.
BlasRepair finish_restart(const std::string& kernel_before, const BlasInfo& blas) {
  unsetenv(kRestartVariable);
  unsetenv(kCoreVariable);
  const RepairOutcome outcome =
      is_misdetected(blas) ? RepairOutcome::kImpossible : RepairOutcome::kRestarted;
  return {outcome, kernel_before, blas.kernel};
}

/// Tries the suitable cores in turn; the kernel in use afterwards, if it is as wide as expected.
std::optional<std::string> repair_in_process(const std::string& expected) {
  for (const std::string& core : suitable_cores(cpu_facts())) {
    if (kernel_width(core) < kernel_width(expected)) break;
    const std::optional<std::string> kernel = switch_kernel(core);
    if (kernel && same_core(*kernel, core)) return kernel;
  }
  return std::nullopt;
}

/// What a caller allows; argv is null for a library.
struct Wish {
  UsersCore core = UsersCore::kKept;
  char** argv = nullptr;
};

/// Nothing if the kernel may be switched, and else why not.
std::optional<RepairOutcome> objection(const BlasInfo& blas, const Wish& wish) {
  if (!is_misdetected(blas)) return RepairOutcome::kNotNeeded;
  const Policy how = policy();
  if (how == Policy::kOff) return RepairOutcome::kTurnedOff;
  const bool kept = how == Policy::kNormal && wish.core == UsersCore::kKept;
  if (kept && environment(kCoreVariable)) return RepairOutcome::kUsersChoice;
  return std::nullopt;
}

BlasRepair repair(const Wish& wish) {
  const BlasInfo blas = blas_info();
  if (const auto before = environment(kRestartVariable)) return finish_restart(*before, blas);
  if (const auto why_not = objection(blas, wish)) return {*why_not, blas.kernel, blas.kernel};
  const std::string expected = expected_core();
  const bool alone = strange_threads(BlasLibrary::loaded()) == 0;
  if (alone && policy() != Policy::kRestart) {
    if (const auto kernel = repair_in_process(expected)) {
      return {RepairOutcome::kRepaired, blas.kernel, *kernel};
    }
  }
  if (wish.argv != nullptr) restart(blas.kernel, expected, wish.argv);
  const RepairOutcome outcome = alone ? RepairOutcome::kImpossible : RepairOutcome::kTooLate;
  return {outcome, blas.kernel, blas_info().kernel};
}

/// The repair of this process: done once, and once more where the user's choice stood in the way.
BlasRepair repair_once(const Wish& wish) {
  static std::mutex one_at_a_time;
  static std::optional<BlasRepair> done;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const bool overruled =
      done && done->outcome == RepairOutcome::kUsersChoice && wish.core == UsersCore::kOverruled;
  if (!done || overruled) done = repair(wish);
  return *done;
}

}  // namespace

std::optional<std::string> switch_kernel(const std::string& core) {
  const BlasLibrary& library = BlasLibrary::loaded();
  const Dispatch dispatch(library);
  if (!dispatch.available()) return std::nullopt;
  const std::string before = dispatch.current();
  const std::string now = dispatch.choose(core);
  if (same_core(now, core) && products_are_right(library)) return now;
  return dispatch.choose(before);
}

BlasRepair use_fast_blas(UsersCore core) {
  return repair_once({core, nullptr});
}

BlasRepair use_fast_blas(char** argv) {
  return repair_once({UsersCore::kKept, argv});
}

}  // namespace equiframe::runtime
