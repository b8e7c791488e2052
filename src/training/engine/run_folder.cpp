#include "training/engine/run_folder.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/shell.h"
#include "equiframe/core/error.h"
#include "io/bytes/atomic_file.h"
#include "training/engine/metrics.h"

namespace equiframe::inline training {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, int error) {
  throw UserError("cannot write to the run folder '" + path.string() +
                  "': " + std::strerror(error) + "; choose another with --out");
}

std::string holder(int lock) {
  char text[32] = {};
  const ssize_t count = pread(lock, text, sizeof text - 1, 0);
  return count > 0 ? " (process " + std::string(text, static_cast<size_t>(count)) + ")" : "";
}

/// What a killed process was writing.
void remove_unfinished_files(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".tmp") fs::remove(entry.path(), ignored);
  }
}

/// A whole line or an error; a line that a crash cuts off is repaired by `rewrite_metrics`.
void append(const fs::path& file, const std::string& line) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse(file.parent_path(), errno);
  const ssize_t written = write(descriptor, line.data(), line.size());
  const int error = written < 0 ? errno : ENOSPC;
  close(descriptor);
  if (written != static_cast<ssize_t>(line.size())) refuse(file.parent_path(), error);
}

}  // namespace

RunFolder::RunFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) refuse(path_, error.value());
  lock_ = open((path_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) refuse(path_, errno);
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const std::string who = holder(lock_);
    close(lock_);
    throw UserError("another training" + who + " is running in '" + path_.string() +
                    "'; wait for it, stop it, or choose another folder with --out");
  }
  const std::string id = std::to_string(getpid());
  if (ftruncate(lock_, 0) != 0 || pwrite(lock_, id.data(), id.size(), 0) < 0) {
    const int reason = errno;
    close(lock_);
    refuse(path_, reason);
  }
  remove_unfinished_files(path_);
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) close(lock_);
}

bool RunFolder::holds_run(const fs::path& path) {
  return fs::exists(path / "config.toml");
}

void RunFolder::rewrite_metrics(const History& history) {
  std::string text;
  for (const Evaluation& evaluation : history) text += to_json_line(evaluation);
  write_file_atomically(path_ / "metrics.jsonl", text);
}

void RunFolder::append_metrics(const Evaluation& evaluation) {
  append(path_ / "metrics.jsonl", to_json_line(evaluation));
}

void RunFolder::append_timing(const std::string& json_line) {
  append(path_ / "timing.jsonl", json_line + "\n");
}

std::string resume_command(const fs::path& folder, const fs::path& data) {
  std::string line = "equiframe train " + text::shell_quoted(folder.string()) + " --resume";
  if (!data.empty()) line += " --data " + text::shell_quoted(data.string());
  return line;
}

}  // namespace equiframe::inline training
