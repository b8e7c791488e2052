#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "all_cores.h"
#include "build_commit.h"
#include "commands.h"
#include "core/text.h"
#include "equiframe/core/error.h"
#include "equiframe/models/model_file.h"
#include "experiments/separation/separation_report.h"
#include "interruption.h"
#include "io/bytes/atomic_file.h"
#include "progress.h"
#include "reproduce_commands.h"
#include "reproduce_runs.h"
#include "runtime/machine.h"
#include "separation_counts.h"
#include "separation_sets.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using experiments::Pairing;
using experiments::SeparationReport;
using experiments::SeparationRow;

struct SeparationCommand {
  std::string budget = "quick";
  fs::path out, graph8c, exp, regular, configs;
  int64_t seeds = 0, jobs = 0;
  std::vector<std::string> rows, parts, settings;
  bool fresh = false, as_is = false, json = false;

  bool does(const std::string& part) const {
    return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
  }
};

const std::vector<std::string> kSeparationParts{"count", "classify", "figures"};

std::vector<SeparationRow> wanted(const std::vector<std::string>& asked) {
  const auto all = experiments::table2_rows();
  if (asked.empty()) return all;
  std::vector<std::string> known;
  known.reserve(all.size());
  for (const SeparationRow& row : all) known.push_back(row.name);
  std::vector<SeparationRow> rows;
  for (const std::string& name : asked) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) throw UserError(text::unknown_name("row", name, known));
    rows.push_back(all[static_cast<size_t>(found - known.begin())]);
  }
  return rows;
}

/// The network of a row for graphs of another size than eight nodes.
std::string resized(std::string model, int64_t nodes) {
  const std::string eight = "nodes=8";
  const size_t found = model.find(eight);
  if (found != std::string::npos)
    model.replace(found, eight.size(), "nodes=" + std::to_string(nodes));
  return model;
}

/// Unseparated and falsely separated graphs of every row.
void count(SeparationReport& report, const GraphSets& sets, SeparationCounts counts) {
  ProgressBar bar("networks", static_cast<double>(report.rows.size()) *
                                  static_cast<double>(report.graph8c_seeds + report.exp_seeds));
  double before = 0;
  for (SeparationRow& row : report.rows) {
    const auto run = [&](const std::string& model, const GraphSet& set, Pairing pairing,
                         int64_t seeds) -> std::optional<experiments::Separation> {
      before += static_cast<double>(seeds);
      if (model.empty()) return std::nullopt;
      const SeparationCounts::Key key{build_commit(), model, set.checksum, seeds};
      if (const auto known = counts.find(key)) return known;
      experiments::SeparationOptions options;
      options.seeds = seeds;
      options.progress = [&](int64_t done) {
        end_if_requested();
        bar.update(before + static_cast<double>(done - seeds), row.title);
      };
      const auto result = experiments::separation(model, set.graphs, pairing, options);
      counts.keep(key, result);
      return result;
    };
    row.graph8c = run(row.graph8c_model, sets.graph8c, Pairing::kAll, report.graph8c_seeds);
    row.exp = run(row.exp_model, sets.exp, Pairing::kNeighbours, report.exp_seeds);
    if (!sets.regular.graphs.empty())
      row.regular = run(resized(row.graph8c_model, sets.regular.graphs.front().nodes), sets.regular,
                        Pairing::kAll, report.graph8c_seeds);
  }
}

RunsDone train(RunsRequest& request) {
  StatusLine status;
  request.on_progress = [](const RunsDone&) {};
  RunsDone done = do_runs(request, status);
  status.show("");
  return done;
}

/// Trains every row on EXP-classify. False if it was interrupted.
bool classify(SeparationReport& report, const SeparationCommand& command, const fs::path& exp,
              const fs::path& out) {
  experiments::ReproduceOptions options;
  options.budget = experiments::parse_budget(command.budget);
  options.configs = find_configs(command.configs, "exp-classify");
  options.out = out / "exp-classify";
  options.jobs = command.jobs > 0 ? command.jobs : runtime::machine().usable_cores;
  options.settings = command.settings;
  for (const SeparationRow& row : report.rows)
    if (!command.rows.empty() || !row.exp_model.empty() || command.budget == "paper")
      options.rows.push_back(row.name);
  RunsRequest request{plan_exp_classify(options), exp, options.jobs, command.fresh, nullptr};
  const RunsDone done = command.as_is ? finished_runs(request.runs) : train(request);
  for (const auto& [name, why] : done.failed) report.failures.push_back(c10::str(name, ": ", why));
  for (SeparationRow& row : report.rows)
    for (const experiments::PlannedRun& run : request.runs)
      if (run.row == row.name && done.finished.contains(run.name()))
        row.classified = {load_config(run.config), done.finished.at(run.name())};
  return !done.interrupted;
}

/// Figure 2 on GRAPH8c: all graphs, or every twentieth if it has to be quick.
experiments::GraphFigures figures(const GraphSet& graph8c, bool quick) {
  constexpr int64_t kEvery = 20;
  experiments::InvarianceOptions options;
  options.stride = quick ? kEvery : 1;
  ProgressBar bar("figure 2");
  options.progress = [&](double share) {
    end_if_requested();
    bar.update(share, "invariance error");
  };
  return {experiments::invariance_errors(graph8c.graphs, options),
          experiments::coset_counts(graph8c.graphs)};
}

std::string command_line(const SeparationCommand& command, const fs::path& out) {
  PrintedCommand printed("equiframe reproduce separation");
  printed.add("--budget", command.budget);
  printed.add("--configs", command.configs.string());
  printed.add("--graph8c", command.graph8c.string());
  printed.add("--exp", command.exp.string());
  printed.add("--regular", command.regular.string());
  printed.add("--seeds", command.seeds > 0 ? std::to_string(command.seeds) : "");
  printed.add("--jobs", command.jobs > 0 ? std::to_string(command.jobs) : "");
  printed.add("--rows", text::join(command.rows, ","));
  printed.add("--parts", text::join(command.parts, ","));
  for (const std::string& setting : command.settings) printed.add("--set", setting);
  printed.add_flag("--as-is", command.as_is);
  printed.add("--out", out.string());
  return printed.line();
}

std::vector<std::pair<std::string, std::string>> facts(const SeparationReport& report,
                                                       const GraphSets& sets, double seconds) {
  const Provenance where = provenance(build_commit());
  const auto source = [](const GraphSet& set, const std::string& name) {
    return name + ", " + std::to_string(set.graphs.size()) + " graphs, sha256 " +
           set.checksum.substr(0, 16);
  };
  return {
      {"command", report.command},
      {"budget", report.budget + ", " + std::to_string(report.graph8c_seeds) +
                     " networks on GRAPH8c and " + std::to_string(report.exp_seeds) + " on EXP"},
      {"GRAPH8c", source(sets.graph8c, report.graph8c_source)},
      {"EXP", source(sets.exp, report.exp_source)},
      {"program", "equiframe " + where.equiframe + ", LibTorch " + where.libtorch},
      {"commit", where.commit.empty() ? "unknown" : where.commit},
      {"machine", where.cpu + ", " + where.simd},
      {"time of this call", std::to_string(std::lround(seconds)) + " s"}};
}

void write_all(const SeparationReport& report, const fs::path& out) {
  write_file_atomically(out / "report.html", to_html(report));
  write_file_atomically(out / "report.md", to_markdown(report));
  write_file_atomically(out / "report.json", to_json(report));
}

void require_known(const SeparationCommand& command) {
  if (command.budget != "quick" && command.budget != "paper")
    throw UserError(text::unknown_name("budget", command.budget, {"quick", "paper"}));
  for (const std::string& part : command.parts)
    if (std::find(kSeparationParts.begin(), kSeparationParts.end(), part) == kSeparationParts.end())
      throw UserError(text::unknown_name("part", part, kSeparationParts));
}

/// True if all parts that are asked for came to an end.
bool measure(SeparationReport& report, const SeparationCommand& command, const fs::path& out) {
  const OrderlyStop orderly;
  const auto start = std::chrono::steady_clock::now();
  const GraphSets sets =
      load_sets({command.graph8c, command.exp, command.regular, command.fresh}, out);
  end_if_requested();
  use_all_cores();
  if (command.does("count")) count(report, sets, SeparationCounts(out, command.fresh));
  if (command.does("figures")) report.figures = figures(sets.graph8c, command.budget == "quick");
  const bool ended = !command.does("classify") || classify(report, command, sets.exp.file, out);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  report.provenance = facts(report, sets, seconds.count());
  write_all(report, out);
  return ended;
}

void print_end(const SeparationCommand& command, const SeparationReport& report,
               const fs::path& out) {
  if (command.json)
    std::cout << to_json(report);
  else
    std::cout << markdown_table(report) << "wrote " << (out / "report.html").string()
              << ", report.md and report.json\n";
  if (!report.failures.empty()) set_exit_code(kExitCheckFailed);
}

void reproduce(const SeparationCommand& command) {
  require_known(command);
  const bool quick = command.budget == "quick";
  const fs::path out =
      command.out.empty() ? fs::path("runs") / ("separation-" + command.budget) : command.out;
  SeparationReport report;
  report.budget = command.budget;
  report.command = command_line(command, out);
  report.graph8c_seeds = command.seeds > 0 ? command.seeds : quick ? 5 : 100;
  report.exp_seeds = command.seeds > 0 ? command.seeds : quick ? 3 : 100;
  report.graph8c_source =
      command.graph8c.empty() ? "made here" : command.graph8c.filename().string();
  report.exp_source = command.exp.empty() ? "made here, seed 1" : command.exp.filename().string();
  if (!command.regular.empty()) report.regular_source = command.regular.filename().string();
  report.rows = wanted(command.rows);
  read_paper_values(report.rows, find_configs(command.configs, "exp-classify"));
  prepare_report_folder(out);
  try {
    if (measure(report, command, out)) return print_end(command, report, out);
    say_how_to_go_on("stopped; everything is saved", report.command);
  } catch (const Interrupted&) {
    say_how_to_go_on("stopped; the counts that were finished are saved", report.command);
  }
}

}  // namespace

void add_reproduce_separation(CLI::App& reproduce_command) {
  const auto command = std::make_shared<SeparationCommand>();
  CLI::App* sub = reproduce_command.add_subcommand(
      "separation", "Table 2 and figure 2: graphs that networks can and cannot tell apart");
  sub->add_option("--budget", command->budget, "quick (5 minutes) or paper (100 networks, hours)")
      ->capture_default_str();
  sub->add_option("-o,--out", command->out,
                  "folder of the report; runs/separation-BUDGET if left out");
  sub->add_option("--graph8c", command->graph8c, "a graph6 file; made here if left out");
  sub->add_option("--exp", command->exp, "pairs in the text format of EXP; made here if left out");
  sub->add_option("--regular", command->regular,
                  "strongly regular graphs of equal parameters, to be counted too");
  sub->add_option("--rows", command->rows, "rows such as gin,mlp-fa-canonical; all if left out")
      ->delimiter(',');
  sub->add_option("--parts", command->parts, "of count, classify, figures; all if left out")
      ->delimiter(',');
  sub->add_option("--seeds", command->seeds, "networks of each row, in place of the budget's")
      ->check(CLI::PositiveNumber);
  sub->add_option("--jobs", command->jobs, "trainings at a time; as many as cores if left out")
      ->check(CLI::PositiveNumber);
  sub->add_option("--configs", command->configs, "folder with the configs; found if left out");
  sub->add_option("--set", command->settings, "section.key=value, over the config of every row")
      ->allow_extra_args(false);
  sub->add_flag("--fresh", command->fresh, "do again what is there already");
  sub->add_flag("--as-is", command->as_is,
                "train nothing: report the trainings that are finished, also shorter ones");
  sub->add_flag("--json", command->json, "print the report as JSON");
  sub->callback([command] { reproduce(*command); });
}

}  // namespace equiframe::app
