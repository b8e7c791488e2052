#include "bench.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "core/default_generator.h"
#include "core/text.h"
#include "equiframe/core/error.h"
#include "io/bytes/atomic_file.h"
#include "report/chart.h"
#include "runtime/machine.h"
#include "runtime/threads.h"
#include "simd/cpu.h"

namespace equiframe::app {
namespace {

using bench::Goal;
using bench::Row;

struct BenchOptions {
  std::string group, plot;
  bool json = false;
};

std::string duration(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 1e-3 ? "%.4g us" : "%.4g ms",
                seconds * (seconds < 1e-3 ? 1e6 : 1e3));
  return text;
}

void print(const Row& row) {
  std::printf("%-46s %11s %11s %7.2fx  %s %.4gx  %s\n", row.name.c_str(),
              duration(row.ours).c_str(), duration(row.reference).c_str(), row.ratio(),
              row.goal == Goal::kSpeedup ? ">=" : "<=", row.target, row.ok() ? "ok" : "MISS");
  for (const auto& [name, value] : row.facts)
    std::printf("    %-42s %11.4g\n", name.c_str(), value);
  std::fflush(stdout);
}

nlohmann::json to_json(const Row& row) {
  nlohmann::json curves = nlohmann::json::array();
  for (const bench::Curve& c : row.curves)
    curves.push_back({{"name", c.name}, {"size", c.size}, {"seconds", c.seconds}});
  return {{"name", row.name},         {"goal", row.goal == Goal::kSpeedup ? "speedup" : "cost"},
          {"ours_seconds", row.ours}, {"reference_seconds", row.reference},
          {"ratio", row.ratio()},     {"target", row.target},
          {"ok", row.ok()},           {"facts", row.facts},
          {"curves", curves}};
}

void write_plot(const std::string& path, const std::vector<Row>& rows) {
  report::LineChart chart;
  chart.description = "Time of one forward pass over the number of particles.";
  chart.x = {"particles", report::Scale::kLog};
  chart.y = {"milliseconds", report::Scale::kLog};
  constexpr report::Colour kColours[] = {report::Colour::kCool, report::Colour::kWarm};
  for (const Row& row : rows) {
    for (const bench::Curve& c : row.curves) {
      report::LineChart::Series series;
      series.look = {c.name, kColours[chart.series.size() % 2], report::Mark::kDot};
      for (size_t k = 0; k < c.size.size(); ++k)
        series.points.push_back({c.size[k], 1e3 * c.seconds[k]});
      chart.series.push_back(std::move(series));
    }
  }
  if (chart.series.empty()) throw UserError("none of these measurements has a curve to plot");
  write_file_atomically(path, report::draw(chart).file());
}

/// What can be asked for, by name.
std::vector<std::string> groups() {
  std::set<std::string> names;
  for (const bench::Case& c : bench::cases()) names.insert(c.group);
  return {names.begin(), names.end()};
}

std::vector<bench::Case> selected(const std::string& group) {
  std::vector<bench::Case> cases;
  for (const bench::Case& c : bench::cases())
    if (group.empty() || c.group == group) cases.push_back(c);
  if (cases.empty()) throw UserError(text::unknown_name("benchmark", group, groups()));
  std::stable_sort(cases.begin(), cases.end(),
                   [](const auto& a, const auto& b) { return a.group < b.group; });
  return cases;
}

void run_bench(const BenchOptions& options) {
  const std::vector<bench::Case> cases = selected(options.group);
  runtime::set_blas_threads(1);
  at::set_num_threads(1);
  if (!options.json)
    std::printf(
        "one thread, kernels for %s, least processor time of many runs\n\n%-46s %11s %11s %8s\n",
        std::string(kernels::name(kernels::simd_level())).c_str(), "", "ours", "reference",
        "ratio");
  std::vector<Row> rows;
  for (const bench::Case& c : cases) {
    seed_default_generator(1);
    rows.push_back(c.run());
    if (!options.json) print(rows.back());
  }
  if (!options.plot.empty()) write_plot(options.plot, rows);
  if (!options.json) return;
  nlohmann::json all = nlohmann::json::array();
  for (const Row& row : rows) all.push_back(to_json(row));
  const runtime::Machine machine = runtime::machine();
  std::cout << nlohmann::json{{"machine", machine.cpu.brand},
                              {"simd", kernels::name(kernels::simd_level())},
                              {"rows", all}}
                   .dump(2)
            << '\n';
}

}  // namespace

void add_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "Speed against plain LibTorch code, as ratios taken in one run");
  command->add_option("group", options->group, "only these: " + text::join(groups()));
  command->add_flag("--json", options->json, "print JSON");
  command->add_option("-o,--out,--plot", options->plot, "write the curves to this SVG file");
  command->callback([options] { run_bench(*options); });
}

}  // namespace equiframe::app
