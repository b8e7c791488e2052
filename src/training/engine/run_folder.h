#pragma once

#include <filesystem>
#include <string>

#include "equiframe/training/run.h"

namespace equiframe::inline training {

/// The folder of a run and what is in it, held by one process at a time:
///
/// | config.toml                         | every setting, defaults included                    |
/// | metrics.jsonl                       | a line for each evaluation, a function of the config |
/// | timing.jsonl                        | the clock at each evaluation                        |
/// | checkpoint[.previous].safetensors   | to go on from                                       |
/// | model.safetensors, result.json      | when it is finished                                 |
class RunFolder {
 public:
  /// Creates the folder and takes its lock, which the system releases however the process ends.
  /// Throws UserError if another process holds it or the folder cannot be written to.
  explicit RunFolder(std::filesystem::path path);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.toml"; }
  std::filesystem::path model() const { return path_ / "model.safetensors"; }
  std::filesystem::path result() const { return path_ / "result.json"; }

  /// Whether a run was started here.
  static bool holds_run(const std::filesystem::path& path);

  /// metrics.jsonl as of `history`, whatever was written after it.
  void rewrite_metrics(const History& history);
  void append_metrics(const Evaluation& evaluation);
  void append_timing(const std::string& json_line);

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // file descriptor
};

/// What to type to go on with the run in `folder`, whose data came from `data` (empty = the cache).
std::string resume_command(const std::filesystem::path& folder, const std::filesystem::path& data);

}  // namespace equiframe::inline training
