#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "commands.h"
#include "equiframe/core/error.h"
#include "laws/suite.h"

namespace equiframe::app {
namespace {

using laws::LawResult;

struct CheckOptions {
  laws::LawFilter filter;
  bool json = false;
  bool failures_only = false;
};

void print_head() {
  std::printf("%-4s  %-47s  %-8s  %9s  %9s  %s\n", "", "law", "dtype", "error", "tolerance",
              "subject");
}

void print_row(const LawResult& result) {
  std::printf("%-4s  %-47s  %-8s  %9.2e  %9.2e  %s\n", result.pass() ? "ok" : "FAIL",
              result.law.c_str(), result.dtype.c_str(), result.error, result.tolerance,
              result.subject.c_str());
}

nlohmann::json to_json(const std::vector<LawResult>& results, bool pass) {
  nlohmann::json laws = nlohmann::json::array();
  for (const LawResult& r : results) {
    laws.push_back({{"law", r.law},
                    {"subject", r.subject},
                    {"dtype", r.dtype},
                    {"error", r.error},
                    {"tolerance", r.tolerance},
                    {"pass", r.pass()}});
  }
  return {{"laws", laws}, {"pass", pass}};
}

void check(const CheckOptions& options) {
  std::vector<LawResult> results;
  const bool progress = options.json && isatty(STDERR_FILENO) != 0;
  laws::check_laws(options.filter, [&](const LawResult& result) {
    if (!options.json && results.empty()) print_head();
    results.push_back(result);
    if (!options.json && (!options.failures_only || !result.pass())) print_row(result);
    if (progress) std::cerr << "\r" << results.size() << " laws measured" << std::flush;
  });
  if (progress) std::cerr << '\n';
  const auto failed =
      std::count_if(results.begin(), results.end(), [](const auto& r) { return !r.pass(); });
  if (options.json)
    std::cout << to_json(results, failed == 0).dump(2) << '\n';
  else
    std::printf("%zu laws measured, %td failed\n", results.size(), failed);
  std::fflush(stdout);
  if (failed > 0) set_exit_code(kExitCheckFailed);
}

}  // namespace

void add_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check", "Measure every law of every group, representation and frame; exit 1 if one fails");
  command->add_option("--group", options->filter.group, "only this group, e.g. E(3)");
  command->add_option("--frame", options->filter.frame, "only this frame, e.g. pca");
  command->add_option("--dtype", options->filter.dtype, "only float64 or float32");
  command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--failures", options->failures_only, "print only the laws that fail");
  command->callback([options] { check(*options); });
}

}  // namespace equiframe::app
