#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>

#include "commands.h"
#include "core/shell.h"
#include "core/text.h"
#include "data_bar.h"
#include "equiframe/core/error.h"
#include "experiments/nbody/nbody_report.h"
#include "interruption.h"
#include "io/bytes/atomic_file.h"
#include "progress.h"
#include "report/format.h"
#include "reproduce_commands.h"
#include "reproduce_runs.h"
#include "runtime/machine.h"
#include "runtime/shipped_files.h"
#include "runtime/threads.h"
#include "training/engine/load_data.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using experiments::NBodyReport;
using experiments::PlannedRun;

struct ReproduceCommand {
  std::string budget = "quick";
  experiments::ReproduceOptions options;
  bool fresh = false;
  bool json = false;
};

/// What to type to get, or to go on with, the same.
std::string command_line(const ReproduceCommand& command, const experiments::ReproduceOptions& o) {
  PrintedCommand printed("equiframe reproduce nbody");
  printed.add("--budget", command.budget);
  printed.add("--configs", command.options.configs.string());
  printed.add("--data", o.data.string());
  printed.add("--out", o.out.string());
  printed.add("--rows", text::join(o.rows, ","));
  printed.add("--seeds", o.seeds > 0 ? std::to_string(o.seeds) : "");
  printed.add("--jobs", std::to_string(o.jobs));
  for (const std::string& setting : o.settings) printed.add("--set", setting);
  return printed.line();
}

experiments::ReproduceOptions resolve(const ReproduceCommand& command) {
  experiments::ReproduceOptions options = command.options;
  options.budget = experiments::parse_budget(command.budget);
  options.configs = find_configs(options.configs, "nbody");
  if (options.out.empty()) options.out = fs::path("runs") / ("nbody-" + command.budget);
  if (options.jobs == 0) options.jobs = runtime::machine().usable_cores;
  return options;
}

/// Loads a data set once for all runs that share it.
class SharedData {
 public:
  explicit SharedData(fs::path folder) : folder_(std::move(folder)) {}
  const Splits& of(const Choice& data) {
    if (!splits_ || data != choice_) splits_ = load_data(choice_ = data, folder_, nullptr);
    return *splits_;
  }

 private:
  fs::path folder_;
  Choice choice_;
  std::optional<Splits> splits_;
};

/// Gives runs whose learning rate ends with the last epoch a last epoch that the time allows.
void fit_schedules(std::vector<PlannedRun>& runs, SharedData& data, bool fresh) {
  for (PlannedRun& run : runs) {
    const TrainOptions& train = run.resolved.train;
    if (train.max_seconds == 0 || !experiments::has_ending_schedule(train)) continue;
    if (!fresh && experiments::adopt_schedule(run)) continue;
    fit_schedule(run, experiments::measure_epoch(run.resolved, data.of(run.resolved.data)));
  }
}

std::string long_time(double seconds) {
  char buffer[48];
  const double hours = seconds / 3600;
  std::snprintf(buffer, sizeof buffer,
                hours < 1    ? "%.0f min"
                : hours < 48 ? "%.1f h"
                             : "%.1f days",
                hours < 1    ? seconds / 60
                : hours < 48 ? hours
                             : hours / 24);
  return buffer;
}

/// Measures an epoch of every run without a time limit that is still to be done, and says how long
/// all of it may take.
void estimate(std::vector<PlannedRun>& runs, SharedData& data, int64_t jobs, StatusLine& status) {
  std::map<std::string, experiments::EpochTime> times;  // by row
  std::vector<double> lengths;
  for (PlannedRun& run : runs) {
    if (run.seconds > 0 || run_state(run) == experiments::RunState::kFinished) continue;
    if (!times.contains(run.row)) {
      status.show("measuring an epoch of " + run.row);
      times[run.row] = experiments::measure_epoch(run.resolved, data.of(run.resolved.data));
      status.say(run.row + ": an epoch takes " + report::number(times[run.row].training) +
                 " s, all " + std::to_string(run.resolved.train.epochs) + " with evaluations " +
                 long_time(times[run.row].total(run.resolved.train)));
    }
    run.seconds = times[run.row].total(run.resolved.train);
    lengths.push_back(run.seconds);
  }
  if (lengths.empty()) return;
  status.say("all runs at most " + long_time(experiments::makespan(lengths, jobs)) + " with " +
             std::to_string(jobs) +
             " at a time; Ctrl-C saves everything, and the same command goes on");
}

/// Errors under E(3) of finished runs by their names, each measured once.
using EuclideanErrors = std::map<std::string, double>;

std::vector<experiments::ReportRow> report_rows(const std::vector<PlannedRun>& runs,
                                                const RunsDone& done, EuclideanErrors& errors) {
  std::vector<experiments::ReportRow> rows;
  for (const PlannedRun& run : runs) {
    if (rows.empty() || rows.back().name != run.row) {
      rows.emplace_back();
      rows.back().name = run.row;
      rows.back().protocol = load_config(run.config);
    }
    ++rows.back().planned;
    const auto finished = done.finished.find(run.name());
    if (finished != done.finished.end()) {
      if (!errors.contains(run.name()))
        errors[run.name()] = experiments::euclidean_error(run.folder / "model.safetensors");
      rows.back().runs.push_back({finished->second, errors[run.name()]});
    }
    const auto failed = done.failed.find(run.name());
    if (failed != done.failed.end()) rows.back().failure = failed->second;
  }
  return rows;
}

void print_end(const ReproduceCommand& command, const NBodyReport& report, const fs::path& out,
               const RunsDone& done) {
  if (done.interrupted) return say_how_to_go_on("stopped; everything is saved", report.command);
  if (command.json)
    std::cout << to_json(report);
  else
    std::cout << markdown_table(report) << '\n'
              << summary(report) << "\nwrote " << (out / "report.html").string()
              << ", report.md and report.json\n";
  if (!done.failed.empty()) set_exit_code(kExitCheckFailed);
}

void reproduce(const ReproduceCommand& command) {
  const experiments::ReproduceOptions options = resolve(command);
  RunsRequest request{plan_nbody(options), options.data, options.jobs, command.fresh, nullptr};
  prepare_report_folder(options.out);
  NBodyReport report{options.budget, options.jobs, command_line(command, options), {}, {}};
  {
    DataBar bar;
    report.figures =
        experiments::measure_nbody_figures(request.runs.front().resolved.data, options.data, &bar);
  }
  runtime::set_blas_threads(1);  // what follows is measured or is done by others
  at::set_num_threads(1);
  StatusLine status;
  {
    SharedData data(options.data);
    fit_schedules(request.runs, data, command.fresh);
    estimate(request.runs, data, options.jobs, status);
  }
  EuclideanErrors errors;
  request.on_progress = [&](const RunsDone& done) {
    report.rows = report_rows(request.runs, done, errors);
    write_report(report, options.out);
  };
  const RunsDone done = do_runs(request, status);
  request.on_progress(done);
  status.show("");
  print_end(command, report, options.out, done);
}

void add_nbody(CLI::App& parent) {
  const auto command = std::make_shared<ReproduceCommand>();
  experiments::ReproduceOptions& options = command->options;
  options.jobs = 0;  // as many as cores
  CLI::App* nbody = parent.add_subcommand(
      "nbody", "Table 3 and figures 3 and 4: five charged particles, seven networks");
  nbody
      ->add_option("--budget", command->budget,
                   "quick (5 minutes), hour, or paper (every epoch, days)")
      ->capture_default_str();
  nbody->add_option("-o,--out", options.out,
                    "folder of the runs and the report; runs/nbody-BUDGET if left out");
  nbody->add_option("--rows", options.rows, "configs to run, such as gnn,fa-gnn; all if left out")
      ->delimiter(',');
  nbody->add_option("--seeds", options.seeds, "runs of each row, from seed 1 on")
      ->check(CLI::PositiveNumber);
  nbody->add_option("--jobs", options.jobs, "runs at a time; as many as cores if left out")
      ->check(CLI::PositiveNumber);
  nbody->add_option("--configs", options.configs, "folder with the configs; found if left out");
  nbody->add_option("--data", options.data, "folder with the data; its cache if left out");
  nbody->add_option("--set", options.settings, "section.key=value, over the config of every row")
      ->allow_extra_args(false);
  nbody->add_flag("--fresh", command->fresh, "train again what is finished or begun");
  nbody->add_flag("--json", command->json, "print the report as JSON");
  nbody->callback([command] { reproduce(*command); });
}

}  // namespace

void PrintedCommand::add(const std::string& option, const std::string& value) {
  if (!value.empty()) line_ += " " + option + " " + text::shell_quoted(value);
}

void PrintedCommand::add_flag(const std::string& option, bool wanted) {
  if (wanted) line_ += " " + option;
}

fs::path find_configs(const fs::path& asked, const std::string& experiment) {
  std::error_code error;
  if (!asked.empty())
    return fs::is_directory(asked / experiment, error) ? asked / experiment : asked;
  if (const auto found = runtime::find_shipped(fs::path("configs") / experiment)) return *found;
  throw UserError("there is no folder configs/" + experiment +
                  " here, nor beside the program; name it with --configs");
}

void prepare_report_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UserError("cannot make the folder '" + folder.string() + "': " + error.message() +
                    "; choose another with --out");
  for (const char* file : {"report.html", "report.md", "report.json"})
    require_writable(folder / file);
}

void add_reproduce(CLI::App& app) {
  CLI::App* reproduce = app.add_subcommand(
      "reproduce", "Train the rows of a table of the paper and report them beside its numbers");
  add_nbody(*reproduce);
  add_reproduce_normals(*reproduce);
  add_reproduce_separation(*reproduce);
}

}  // namespace equiframe::app
