#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "all_cores.h"
#include "build_commit.h"
#include "commands.h"
#include "core/text.h"
#include "data_bar.h"
#include "equiframe/core/error.h"
#include "experiments/normals/normals_report.h"
#include "interruption.h"
#include "io/bytes/atomic_file.h"
#include "normals_accuracy.h"
#include "reproduce_commands.h"
#include "reproduce_runs.h"
#include "runtime/machine.h"
#include "training/engine/load_data.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using experiments::NormalsReport;
using experiments::NormalsRow;
using experiments::PlannedRun;

struct NormalsCommand {
  std::string budget = "quick";
  experiments::ReproduceOptions options;
  fs::path abc;
  std::vector<fs::path> meshes;
  std::vector<std::string> parts;
  bool fresh = false, as_is = false, json = false;

  bool does(const std::string& part) const {
    return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
  }
};

const std::vector<std::string> kNormalsParts{"train", "accuracy"};

experiments::ReproduceOptions resolve(const NormalsCommand& command) {
  experiments::ReproduceOptions options = command.options;
  options.budget = experiments::parse_budget(command.budget);
  options.configs = find_configs(options.configs, "normals");
  if (options.out.empty()) options.out = fs::path("runs") / ("normals-" + command.budget);
  if (options.jobs == 0) options.jobs = runtime::machine().usable_cores;
  if (!command.abc.empty()) {
    if (!options.data.empty()) throw UserError("--data and --abc are two data sets; give one");
    options.data = command.abc;
    options.data_set = "abc";
  }
  return options;
}

/// What to type to get, or to go on with, the same.
std::string command_line(const NormalsCommand& command, const experiments::ReproduceOptions& o) {
  PrintedCommand printed("equiframe reproduce normals");
  printed.add("--budget", command.budget);
  printed.add("--configs", command.options.configs.string());
  printed.add("--data", command.options.data.string());
  printed.add("--abc", command.abc.string());
  for (const fs::path& mesh : command.meshes) printed.add("--mesh", mesh.string());
  printed.add("--out", o.out.string());
  printed.add("--rows", text::join(o.rows, ","));
  printed.add("--parts", text::join(command.parts, ","));
  printed.add("--seeds", o.seeds > 0 ? std::to_string(o.seeds) : "");
  printed.add("--jobs", std::to_string(o.jobs));
  for (const std::string& setting : o.settings) printed.add("--set", setting);
  printed.add_flag("--as-is", command.as_is);
  return printed.line();
}

std::vector<NormalsRow> report_rows(const std::vector<PlannedRun>& runs, const RunsDone& done) {
  std::vector<NormalsRow> rows;
  for (const PlannedRun& run : runs) {
    if (rows.empty() || rows.back().name != run.row) {
      rows.emplace_back();
      rows.back().name = run.row;
      rows.back().protocol = load_config(run.config);
    }
    NormalsRow& row = rows.back();
    ++row.planned;
    const auto finished = done.finished.find(run.name());
    if (finished != done.finished.end())
      (run.variant == "I" ? row.upright : row.turned).push_back(finished->second);
    const auto failed = done.failed.find(run.name());
    if (failed != done.failed.end()) row.failure = failed->second;
  }
  return rows;
}

/// Both columns of the weights trained on upright clouds.
void measure_turnings(std::vector<NormalsRow>& rows, const fs::path& data, StatusLine& status) {
  for (NormalsRow& row : rows)
    for (const experiments::RunOutcome& run : row.upright) {
      end_if_requested();
      status.show("turning the test clouds of " + row.name);
      row.turning.push_back(experiments::measure_turning(run, data));
    }
}

/// Trains every row in both ways. True if it came to an end.
bool train(NormalsReport& report, const NormalsCommand& command,
           const experiments::ReproduceOptions& options, StatusLine& status) {
  RunsRequest request{plan_normals(options), options.data, options.jobs, command.fresh, nullptr};
  RunsDone done;
  if (command.as_is) {
    done = finished_runs(request.runs);
  } else {
    {
      DataBar bar;  // made once, before the clock of any run is started
      load_data(request.runs.front().resolved.data, options.data, &bar);
    }
    request.on_progress = [](const RunsDone&) {};
    done = do_runs(request, status);
  }
  report.rows = report_rows(request.runs, done);
  for (const auto& [name, why] : done.failed) report.failures.push_back(c10::str(name, ": ", why));
  if (!done.interrupted) measure_turnings(report.rows, options.data, status);
  return !done.interrupted;
}

std::string distinct_data(const NormalsReport& report) {
  std::vector<std::string> values;
  for (const NormalsRow& row : report.rows)
    for (const experiments::RunOutcome* run : row.runs()) {
      const std::string value = run->data_description + ", SHA-256 " + run->data_checksum;
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
  return values.empty() ? "none" : text::join(values, "; ");
}

std::vector<std::pair<std::string, std::string>> facts(const NormalsReport& report, int64_t jobs,
                                                       double seconds) {
  const Provenance where = provenance(build_commit());
  return {{"command", report.command},
          {"budget", to_string(report.budget)},
          {"data", distinct_data(report)},
          {"program", "equiframe " + where.equiframe + ", LibTorch " + where.libtorch},
          {"commit", where.commit.empty() ? "unknown" : where.commit},
          {"machine", where.cpu + ", " + where.simd + ", " + std::to_string(jobs) +
                          " runs at a time on " + std::to_string(runtime::machine().usable_cores) +
                          " cores"},
          {"time of this call", std::to_string(std::lround(seconds)) + " s"}};
}

void write_all(const NormalsReport& report, const fs::path& out) {
  write_file_atomically(out / "report.html", to_html(report));
  write_file_atomically(out / "report.md", to_markdown(report));
  write_file_atomically(out / "report.json", to_json(report));
}

void print_end(const NormalsCommand& command, const NormalsReport& report, const fs::path& out) {
  if (command.json)
    std::cout << to_json(report);
  else
    std::cout << markdown_table(report) << '\n'
              << summary(report) << "\nwrote " << (out / "report.html").string()
              << ", report.md and report.json\n";
  if (!report.failures.empty()) set_exit_code(kExitCheckFailed);
}

void reproduce(const NormalsCommand& command) {
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& part : command.parts)
    if (std::find(kNormalsParts.begin(), kNormalsParts.end(), part) == kNormalsParts.end())
      throw UserError(text::unknown_name("part", part, kNormalsParts));
  const experiments::ReproduceOptions options = resolve(command);
  NormalsReport report;
  report.budget = options.budget;
  report.command = command_line(command, options);
  prepare_report_folder(options.out);
  std::vector<experiments::AccuracySurface> surfaces;
  if (command.does("accuracy")) surfaces = accuracy_surfaces(options.budget, command.meshes);
  use_all_cores();
  StatusLine status;
  const bool ended = [&] {
    const OrderlyStop orderly;
    try {
      if (command.does("train") && !train(report, command, options, status)) return false;
      if (!surfaces.empty()) add_accuracy(report, std::move(surfaces), status);
    } catch (const Interrupted&) {
      return false;
    }
    return true;
  }();
  status.show("");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  report.provenance = facts(report, options.jobs, seconds.count());
  write_all(report, options.out);
  if (ended) return print_end(command, report, options.out);
  say_how_to_go_on("stopped; every run is saved", report.command);
}

}  // namespace

void add_reproduce_normals(CLI::App& reproduce_command) {
  const auto command = std::make_shared<NormalsCommand>();
  experiments::ReproduceOptions& options = command->options;
  options.jobs = 0;  // as many as cores
  CLI::App* sub = reproduce_command.add_subcommand(
      "normals", "Table 1: normals of clouds, seven networks, and our accuracy beside PCA's");
  sub->add_option("--budget", command->budget,
                  "quick (5 minutes), hour, or paper (as many shapes and epochs, weeks)")
      ->capture_default_str();
  sub->add_option("-o,--out", options.out,
                  "folder of the runs and the report; runs/normals-BUDGET if left out");
  sub->add_option("--rows", options.rows, "configs to run, such as pointnet,fa-dgcnn")
      ->delimiter(',');
  sub->add_option("--parts", command->parts, "of train, accuracy; both if left out")
      ->delimiter(',');
  sub->add_option("--seeds", options.seeds, "runs of each row and setting, from seed 1 on")
      ->check(CLI::PositiveNumber);
  sub->add_option("--jobs", options.jobs, "runs at a time; as many as cores if left out")
      ->check(CLI::PositiveNumber);
  sub->add_option("--configs", options.configs, "folder with the configs; found if left out");
  sub->add_option("--data", options.data, "folder of 'equiframe data cad'; the cache if left out");
  sub->add_option("--abc", command->abc, "folder with meshes of ABC, in place of our shapes");
  sub->add_option("--mesh", command->meshes, "mesh files to measure the accuracy on");
  sub->add_option("--set", options.settings, "section.key=value, over the config of every row")
      ->allow_extra_args(false);
  sub->add_flag("--fresh", command->fresh, "train again what is finished or begun");
  sub->add_flag("--as-is", command->as_is,
                "train nothing: report the runs that are finished, also shorter ones");
  sub->add_flag("--json", command->json, "print the report as JSON");
  sub->callback([command] { reproduce(*command); });
}

}  // namespace equiframe::app
