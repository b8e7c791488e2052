#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/runner/reproduce.h"
#include "experiments/runner/run_outcome.h"
#include "status_line.h"

namespace equiframe::app {

/// Where the runs of a plan stand.
struct RunsDone {
  std::map<std::string, experiments::RunOutcome> finished;  ///< by name
  std::map<std::string, std::string> failed;                ///< name -> why
  bool interrupted = false;
};

struct RunsRequest {
  std::vector<experiments::PlannedRun> runs;
  std::filesystem::path data;
  int64_t jobs = 1;
  bool fresh = false;  ///< train again what is there
  /// Called whenever a run is finished, the ones of earlier calls included.
  std::function<void(const RunsDone&)> on_progress;
};

/// Trains what is not finished yet, each run in a process of its own that `equiframe train` could
/// have started too, `jobs` at a time, longest first. Ctrl-C lets them save and returns.
RunsDone do_runs(const RunsRequest& request, StatusLine& status);

/// What lies in the folders of the runs, however long it was trained; trains nothing.
RunsDone finished_runs(const std::vector<experiments::PlannedRun>& runs);

}  // namespace equiframe::app
