#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>

#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>

#include "build_commit.h"
#include "commands.h"
#include "equiframe/core/error.h"
#include "equiframe/core/text.h"
#include "equiframe/data/graph_batch.h"
#include "equiframe/data/graph_sets.h"
#include "equiframe/experiments/separation_report.h"
#include "equiframe/report/format.h"
#include "equiframe/runtime/threads.h"
#include "equiframe/training/model_card.h"
#include "progress.h"
#include "reproduce_commands.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using experiments::Pairing;
using experiments::SeparationReport;
using experiments::SeparationRow;

struct SeparationCommand {
  std::string budget = "quick";
  fs::path out, graph8c, exp;
  int64_t seeds = 0;
  std::vector<std::string> rows;
  bool json = false;
};

/// "GIN+ID, FA, canonical" is asked for as gin+id-fa-canonical.
std::string row_name(const SeparationRow& row) {
  std::string name;
  for (const char c : row.title)
    if (c != ',') name += c == ' ' ? '-' : static_cast<char>(std::tolower(c));
  return name;
}

std::vector<SeparationRow> wanted(const std::vector<std::string>& asked) {
  const auto all = experiments::table2_rows();
  if (asked.empty()) return all;
  std::vector<std::string> known;
  known.reserve(all.size());
  for (const SeparationRow& row : all) known.push_back(row_name(row));
  std::vector<SeparationRow> rows;
  for (const std::string& name : asked) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) throw UserError(text::unknown_name("row", name, known));
    rows.push_back(all[static_cast<size_t>(found - known.begin())]);
  }
  return rows;
}

struct GraphSets {
  std::vector<SimpleGraph> graph8c, exp;
};

GraphSets load_sets(const SeparationCommand& command, SeparationReport& report) {
  report.graph8c_source =
      command.graph8c.empty() ? "made here" : command.graph8c.filename().string();
  report.exp_source = command.exp.empty() ? "made here, seed 1" : command.exp.filename().string();
  GraphSets sets{command.graph8c.empty() ? connected_graphs(8) : read_graphs(command.graph8c),
                 command.exp.empty() ? exp_like_pairs({}) : read_graphs(command.exp)};
  if (sets.exp.size() % 2 != 0)
    throw UserError("'" + command.exp.string() + "' has " + std::to_string(sets.exp.size()) +
                    " graphs; EXP consists of pairs");
  return sets;
}

void count(SeparationReport& report, const GraphSets& sets) {
  ProgressBar bar("networks", static_cast<double>(report.rows.size()) *
                                  static_cast<double>(report.graph8c_seeds + report.exp_seeds));
  double before = 0;
  for (SeparationRow& row : report.rows) {
    const auto run = [&](const std::string& model, const std::vector<SimpleGraph>& graphs,
                         Pairing pairing, int64_t seeds) {
      experiments::SeparationOptions options;
      options.seeds = seeds;
      options.progress = [&](int64_t done) {
        bar.update(before + static_cast<double>(done), row.title);
      };
      const auto result = experiments::separation(model, graphs, pairing, options);
      before += static_cast<double>(seeds);
      return result;
    };
    row.graph8c = run(row.graph8c_model, sets.graph8c, Pairing::kAll, report.graph8c_seeds);
    row.exp = run(row.exp_model, sets.exp, Pairing::kNeighbours, report.exp_seeds);
  }
}

std::string command_line(const SeparationCommand& command, const fs::path& out) {
  std::string line = "equiframe reproduce separation --budget " + command.budget;
  if (!command.graph8c.empty()) line += " --graph8c " + command.graph8c.filename().string();
  if (!command.exp.empty()) line += " --exp " + command.exp.filename().string();
  if (command.seeds > 0) line += " --seeds " + std::to_string(command.seeds);
  if (!command.rows.empty()) line += " --rows " + text::join(command.rows, ",");
  return line + " --out " + out.string();
}

void reproduce(const SeparationCommand& command) {
  if (command.budget != "quick" && command.budget != "paper")
    throw UserError(text::unknown_name("budget", command.budget, {"quick", "paper"}));
  const bool quick = command.budget == "quick";
  const fs::path out =
      command.out.empty() ? fs::path("runs") / ("separation-" + command.budget) : command.out;
  SeparationReport report;
  report.budget = command.budget;
  report.command = command_line(command, out);
  report.graph8c_seeds = command.seeds > 0 ? command.seeds : quick ? 10 : 100;
  report.exp_seeds = command.seeds > 0 ? command.seeds : quick ? 5 : 100;
  report.rows = wanted(command.rows);
  prepare_report_folder(out);
  const auto start = std::chrono::steady_clock::now();
  const GraphSets sets = load_sets(command, report);
  runtime::set_blas_threads(1);  // matrices are small, and threads of a BLAS stall on those
  count(report, sets);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const Provenance where = provenance(build_commit());
  report.provenance = {
      {"command", report.command},
      {"budget", command.budget + ", " + std::to_string(report.graph8c_seeds) +
                     " networks on GRAPH8c and " + std::to_string(report.exp_seeds) + " on EXP"},
      {"GRAPH8c", report.graph8c_source},
      {"EXP", report.exp_source},
      {"program", "equiframe " + where.equiframe + ", LibTorch " + where.libtorch},
      {"commit", where.commit.empty() ? "unknown" : where.commit},
      {"machine", where.cpu + ", " + where.simd},
      {"time", std::to_string(std::lround(seconds.count())) + " s"}};
  report::save(to_html(report), out / "report.html");
  report::save(to_markdown(report), out / "report.md");
  report::save(to_json(report), out / "report.json");
  if (command.json)
    std::cout << to_json(report);
  else
    std::cout << markdown_table(report) << "wrote " << (out / "report.html").string()
              << ", report.md and report.json\n";
}

}  // namespace

void add_reproduce_separation(CLI::App& reproduce_command) {
  const auto command = std::make_shared<SeparationCommand>();
  CLI::App* sub = reproduce_command.add_subcommand(
      "separation", "Table 2: pairs of graphs that random networks cannot tell apart");
  sub->add_option("--budget", command->budget, "quick (minutes) or paper (100 networks each)")
      ->capture_default_str();
  sub->add_option("--out", command->out,
                  "folder of the report; runs/separation-BUDGET if left out");
  sub->add_option("--graph8c", command->graph8c, "a graph6 file; made here if left out");
  sub->add_option("--exp", command->exp, "pairs in the text format of EXP; made here if left out");
  sub->add_option("--rows", command->rows, "rows such as gin,mlp-fa-canonical; all if left out")
      ->delimiter(',');
  sub->add_option("--seeds", command->seeds, "networks of each row, in place of the budget's")
      ->check(CLI::PositiveNumber);
  sub->add_flag("--json", command->json, "print the report as JSON");
  sub->callback([command] { reproduce(*command); });
}

}  // namespace equiframe::app
