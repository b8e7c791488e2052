#include <charconv>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>

#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <torch/version.h>

#include "commands.h"
#include "core/plain_text.h"
#include "demo_page.h"
#include "equiframe/core/error.h"
#include "equiframe/version.h"
#include "io/bytes/atomic_file.h"

namespace equiframe::app {
namespace {

using nlohmann::json;

struct DemoOptions {
  std::string page;
  std::string json;
  std::string picture;
  uint64_t seed = 11;
};

/// Now, or the moment SOURCE_DATE_EPOCH names, so that a build can be repeated to the byte.
std::string date() {
  std::time_t seconds = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) {
    const std::string text(fixed);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size())
      throw UserError("SOURCE_DATE_EPOCH = '" + text + "' is not a number of seconds; unset it");
  }
  std::tm utc{};
  if (gmtime_r(&seconds, &utc) == nullptr)
    throw UserError("SOURCE_DATE_EPOCH is too far away; unset it");
  char buffer[64];
  std::strftime(buffer, sizeof buffer, "%Y-%m-%d %H:%M UTC", &utc);
  return buffer;
}

std::vector<std::pair<std::string, std::string>> provenance(const DemoOptions& options) {
  return {{"program", "equiframe " + std::string(version())},
          {"command", "equiframe demo --seed " + std::to_string(options.seed)},
          {"LibTorch", TORCH_VERSION},
          {"threads", std::to_string(at::get_num_threads())},
          {"types", "networks run in float64 and in float32; groups act in float64"},
          {"date", date()}};
}

json to_json(const DemoResults& results, const DemoOptions& options) {
  json rows = json::array(), sampling = json::array();
  for (const DemoRow& row : results.rows)
    rows.push_back({{"group", row.group},
                    {"input", row.input},
                    {"map", row.map},
                    {"frame", row.frame},
                    {"elements", row.elements},
                    {"before", row.before},
                    {"after_float64", row.after_float64},
                    {"after_float32", row.after_float32},
                    {"tolerance_float64", row.tolerance_float64},
                    {"tolerance_float32", row.tolerance_float32},
                    {"pass", row.pass()}});
  for (const auto& [evaluations, error] : results.sampling.random)
    sampling.push_back({{"evaluations", evaluations}, {"error", error}});
  return {{"version", version()},
          {"seed", options.seed},
          {"libtorch", TORCH_VERSION},
          {"rows", rows},
          {"random_rotations", sampling},
          {"spread",
           {{"ordinary", results.picture.ordinary.spread()},
            {"averaged", results.picture.averaged.spread()}}},
          {"pass", results.pass()}};
}

void write(const std::string& content, const std::string& path) {
  write_file_atomically(path, content);
  std::cout << "wrote " << text::printable(path) << '\n';
}

void demo(const DemoOptions& options) {
  for (const std::string& path : {options.page, options.picture, options.json}) {
    if (!path.empty()) require_writable(path);
  }
  const DemoResults results{measure_groups(options.seed), measure_sampling(options.seed),
                            measure_picture(options.seed)};
  std::cout << "Equivariance error of a random network, before and after averaging over a frame\n\n"
            << demo_table(results.rows).text() << '\n';
  if (!options.page.empty()) write(demo_page(results, provenance(options)), options.page);
  if (!options.picture.empty()) write(demo_picture(results.picture).file(), options.picture);
  if (!options.json.empty()) write(to_json(results, options).dump(2) + "\n", options.json);
  if (!results.pass()) set_exit_code(kExitCheckFailed);
}

}  // namespace

void add_demo(CLI::App& app) {
  const auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app.add_subcommand(
      "demo", "Make an ordinary network equivariant under several groups and show the errors");
  command->add_option("-o,--out", options->page,
                      "write a web page, one file that needs no network");
  command->add_option("--json", options->json, "write the numbers as JSON");
  command->add_option("--picture", options->picture, "write the page's first picture as SVG");
  command->add_option("--seed", options->seed, "of the networks, clouds and group elements")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "a seed is not negative, got " + text : std::string();
      });
  command->callback([options] { demo(*options); });
}

}  // namespace equiframe::app
