#include "io/helper/solid_helpers.h"

#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <c10/util/StringUtil.h>
#include <dlfcn.h>
#include <unistd.h>

#include "equiframe/core/error.h"
#include "io/helper/helper_process.h"

namespace equiframe::cad {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "equiframe-cad";
constexpr const char* kVariable = "EQUIFRAME_CAD";
constexpr int kSignalBase = 128;

bool can_run(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// The folder of the library that holds this function.
fs::path own_folder() {
  Dl_info where{};
  const bool known = dladdr(reinterpret_cast<const void*>(&find_helper), &where) != 0;
  return known && where.dli_fname != nullptr ? fs::path(where.dli_fname).parent_path() : fs::path();
}

fs::path required_helper() {
  if (auto program = find_helper()) return *std::move(program);
  throw UserError(
      "random solids need the program equiframe-cad; install libocct-modeling-algorithms-dev, "
      "libocct-modeling-data-dev and libocct-data-exchange-dev and build again, or do without "
      "solids");
}

/// Those that have nothing to do, by program. Each remembers the model it was asked about last.
class IdleHelpers {
 public:
  std::unique_ptr<HelperProcess> take(const fs::path& program) {
    {
      const std::lock_guard lock(mutex_);
      auto& idle = idle_[program];
      if (!idle.empty()) {
        auto helper = std::move(idle.back());
        idle.pop_back();
        return helper;
      }
    }
    return std::make_unique<HelperProcess>(program);
  }
  void give_back(const fs::path& program, std::unique_ptr<HelperProcess> helper) {
    const std::lock_guard lock(mutex_);
    idle_[program].push_back(std::move(helper));
  }

 private:
  std::mutex mutex_;
  std::map<fs::path, std::vector<std::unique_ptr<HelperProcess>>> idle_;
};

IdleHelpers& idle_helpers() {
  static IdleHelpers helpers;
  return helpers;
}

/// Open CASCADE crashed or took for ever: that happens. Everything else is for the user to know.
void refuse_other_ends(int code) {
  for (const int expected : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF})
    if (code == kSignalBase + expected) return;
  if (code > kSignalBase)
    throw UserError(c10::str(kProgram, " was ended by signal ", code - kSignalBase));
  throw UserError(c10::str(kProgram, " cannot run (exit code ", code,
                           "); are the libraries of Open CASCADE it was built with installed?"));
}

}  // namespace

std::optional<fs::path> find_helper() {
  if (const char* path = std::getenv(kVariable)) {
    if (can_run(path)) return path;
    return std::nullopt;
  }
  const fs::path folder = own_folder();
  for (const fs::path& path : {folder / kProgram, folder / "equiframe" / kProgram})
    if (can_run(path)) return path;
  return std::nullopt;
}

Reply ask_helper_why(const Request& request) {
  const fs::path program = required_helper();
  auto helper = idle_helpers().take(program);
  auto answer = helper->ask(packed(request).bytes());
  if (!answer) {
    refuse_other_ends(helper->exit_code());
    return {std::nullopt, "Open CASCADE crashed on it or took too long"};
  }
  idle_helpers().give_back(program, std::move(helper));
  Packet packet(*std::move(answer));
  const auto status = packet.get<Status>();
  if (status == Status::kDone) return {packet, ""};
  return {std::nullopt, status == Status::kFailed ? packet.get_text() : ""};
}

std::optional<Packet> ask_helper(const Request& request) {
  return ask_helper_why(request).answer;
}

}  // namespace equiframe::cad
