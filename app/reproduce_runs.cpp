#include "reproduce_runs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "child_pool.h"
#include "commands.h"
#include "core/text.h"
#include "interruption.h"
#include "training/engine/metrics.h"
#include "training/engine/run_folder.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using experiments::PlannedRun;
using experiments::RunState;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The last whole line of a text file, or "".
std::string last_line(const fs::path& file) {
  constexpr std::streamoff kTail = 1000;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return "";
  in.seekg(std::max<std::streamoff>(0, in.tellg() - kTail));
  std::ostringstream tail;
  tail << in.rdbuf();
  const std::string text = tail.str();
  const size_t end = text.find_last_of('\n');
  if (end == std::string::npos) return "";
  const size_t start = end == 0 ? std::string::npos : text.find_last_of('\n', end - 1);
  return text.substr(start == std::string::npos ? 0 : start + 1,
                     end - (start == std::string::npos ? 0 : start + 1));
}

std::string number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4f", value);
  return buffer;
}

std::string remaining(double seconds) {
  const double minutes = std::ceil(seconds / 60);
  if (seconds < 1) return "ending";
  if (seconds < 100) return std::to_string(std::lround(seconds)) + " s left";
  if (minutes < 100) return std::to_string(std::lround(minutes)) + " min left";
  return std::to_string(std::lround(minutes / 60)) + " h left";
}

/// "0.0213", or "98.5 %" of a classifier.
std::string score_text(const Score& score) {
  if (score.measure != Measure::kCrossEntropy) return number(score.error);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1f %%", 100 * score.accuracy);
  return buffer;
}

std::string score_title(const Score& score) {
  return score.measure == Measure::kCrossEntropy ? "accuracy" : error_title(score.measure);
}

/// "gnn-1 epoch 40, valid 0.0213"
std::string state_of(const PlannedRun& run) {
  const auto entry =
      nlohmann::json::parse(last_line(run.folder / "metrics.jsonl"), nullptr, /*exceptions=*/false);
  if (!entry.is_object()) return run.name() + " starting";
  const Score valid = parse_json_line(entry.dump()).valid;
  return run.name() + " epoch " + entry["epoch"].dump() + ", valid " + score_text(valid);
}

class Runner {
 public:
  Runner(const RunsRequest& request, StatusLine& status) : request_(request), status_(status) {}

  RunsDone run() {
    sort_out();
    if (!done_.finished.empty()) request_.on_progress(done_);
    const OrderlyStop orderly;
    while (!queue_.empty() || pool_.running() > 0) {
      if (OrderlyStop::requested()) {
        stop();
        break;
      }
      while (!queue_.empty() && pool_.running() < static_cast<size_t>(request_.jobs)) start_next();
      if (const auto ended = pool_.wait(0.25)) finish(*ended);
      status_.show(overview());
    }
    return done_;
  }

 private:
  const PlannedRun& plan(size_t id) const { return request_.runs[id]; }

  /// Finished runs are taken as they are, the others are queued, longest first.
  void sort_out() {
    for (size_t id = 0; id < request_.runs.size(); ++id) {
      const RunState where = request_.fresh ? RunState::kAbsent : run_state(plan(id));
      if (where == RunState::kFinished) {
        take(id);
        continue;
      }
      if (where == RunState::kOther)
        status_.say(plan(id).name() + ": the folder holds a run of another config, kept as " +
                    set_aside(plan(id)).filename().string());
      queue_.push_back(id);
    }
    std::stable_sort(queue_.begin(), queue_.end(),
                     [&](size_t a, size_t b) { return plan(a).seconds > plan(b).seconds; });
    if (!done_.finished.empty())
      status_.say(std::to_string(done_.finished.size()) + " of " +
                  std::to_string(request_.runs.size()) + " runs are finished and reused");
  }

  void take(size_t id) {
    done_.finished[plan(id).name()] = experiments::read_outcome(plan(id).folder).value();
  }

  void start_next() {
    const size_t id = queue_.front();
    queue_.pop_front();
    const PlannedRun& run = plan(id);
    std::vector<std::string> arguments{"train", run.config.string(), "--out", run.folder.string(),
                                       request_.fresh ? "--force" : "--resume"};
    if (!request_.data.empty())
      arguments.insert(arguments.end(), {"--data", request_.data.string()});
    for (const std::string& setting : run.settings)
      arguments.insert(arguments.end(), {"--set", setting});
    std::error_code ignored;  // the log says it better
    fs::create_directories(run.folder, ignored);
    pool_.start(id, arguments, run.folder / "log.txt");
    started_[id] = Clock::now();
  }

  void finish(const ChildPool::Ended& ended) {
    started_.erase(ended.id);
    const PlannedRun& run = plan(ended.id);
    if (ended.code != kExitOk) {
      const std::string line = text::trim(last_line(run.folder / "log.txt"));
      const std::string why = ended.code == kExitInterrupted ? "it was interrupted"
                              : line.empty() ? "exit code " + std::to_string(ended.code)
                                             : line;
      if (ended.code != kExitInterrupted) done_.failed[run.name()] = why;
      return status_.say(run.name() + " is not finished: " + why);
    }
    take(ended.id);
    const auto& outcome = done_.finished[run.name()];
    status_.say(run.name() + ": test " + score_title(outcome.test) + " " +
                score_text(outcome.test) + " after " + std::to_string(outcome.epochs) +
                " epochs, " + std::to_string(std::lround(outcome.seconds)) + " s");
    request_.on_progress(done_);
  }

  void stop() {
    done_.interrupted = true;
    status_.show("saving ...");
    pool_.interrupt();
    while (pool_.running() > 0) {
      if (const auto ended = pool_.wait(1); ended && ended->code == kExitOk) finish(*ended);
    }
  }

  std::string overview() const {
    std::vector<std::string> parts;
    std::vector<double> lengths;
    for (const auto& [id, start] : started_) {
      parts.push_back(state_of(plan(id)));
      lengths.push_back(std::max(0.0, plan(id).seconds - seconds_since(start)));
    }
    for (const size_t id : queue_) lengths.push_back(plan(id).seconds);
    parts.insert(parts.begin(), std::to_string(done_.finished.size()) + "/" +
                                    std::to_string(request_.runs.size()) + " runs, " +
                                    remaining(experiments::makespan(lengths, request_.jobs)));
    return text::join(parts, "; ");
  }

  const RunsRequest& request_;
  StatusLine& status_;
  ChildPool pool_;
  std::deque<size_t> queue_;
  std::map<size_t, Clock::time_point> started_;
  RunsDone done_;
};

}  // namespace

RunsDone do_runs(const RunsRequest& request, StatusLine& status) {
  return Runner(request, status).run();
}

RunsDone finished_runs(const std::vector<experiments::PlannedRun>& runs) {
  RunsDone done;
  for (const experiments::PlannedRun& run : runs)
    if (const auto outcome = experiments::read_outcome(run.folder))
      done.finished[run.name()] = *outcome;
  return done;
}

}  // namespace equiframe::app
