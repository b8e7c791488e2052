#include <algorithm>
#include <cctype>
#include <chrono>
#include <iostream>
#include <memory>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "all_cores.h"
#include "commands.h"
#include "core/memory_size.h"
#include "core/plain_text.h"
#include "core/text.h"
#include "equiframe/core/error.h"
#include "equiframe/io/point_files.h"
#include "equiframe/normals/estimate.h"
#include "experiments/normals/cloud_page.h"
#include "io/bytes/atomic_file.h"
#include "progress.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct NormalsCommand {
  fs::path in, out;
  EstimateOptions options;
  std::string max_memory;
  std::vector<double> viewpoint;
  fs::path report;
  int threads = 0;
  bool text = false, drop_invalid = false, json = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

EstimateOptions resolved(const NormalsCommand& command) {
  EstimateOptions options = command.options;
  if (!command.viewpoint.empty())
    std::copy_n(command.viewpoint.begin(), 3, options.viewpoint.emplace().begin());
  if (!command.max_memory.empty())
    options.max_memory = text::parse_memory_size(command.max_memory, "--max-memory");
  validate(options);
  return options;
}

PointCloud read(const NormalsCommand& command, int64_t& dropped) {
  PointReadOptions options;
  if (command.drop_invalid) options.invalid = InvalidPoints::kKeep;
  PointCloud cloud = read_points(command.in, options);
  dropped = command.drop_invalid ? drop_invalid_points(cloud) : 0;
  if (cloud.size() < 3)
    throw UserError(c10::str("'", command.in.string(), "' has ", cloud.size(),
                             cloud.size() == 1 ? " point" : " points",
                             "; a normal needs at least 3"));
  return cloud;
}

/// A column in place of the one of that name, if there is one.
void put(PointCloud& cloud, const std::string& name, const Tensor& values) {
  for (PointColumn& column : cloud.columns)
    if (column.name == name) {
      column.values = values;
      return;
    }
  cloud.columns.push_back({name, values});
}

/// Before the work, not after it.
void require_known_extension(const fs::path& out) {
  const auto known = point_file_extensions();
  std::string extension = out.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(known.begin(), known.end(), extension) == known.end())
    throw UserError("cannot write '" + out.string() + "': its extension must be one of " +
                    text::join(known));
}

EstimatedNormals found_normals(const PointCloud& cloud, EstimateOptions options) {
  const auto points = static_cast<double>(cloud.size());
  ProgressBar bar("normals", points);
  options.progress = [&](double share) {
    bar.update(share * points, std::to_string(std::lround(share * points)));
  };
  return normals::estimate(cloud, options);
}

void write_page(const NormalsCommand& command, const PointCloud& cloud,
                const EstimatedNormals& found, const ordered_json& result) {
  const std::string& orient = command.options.orient;
  CloudPage page;
  page.in = command.in;
  page.out = command.out;
  page.points = cloud.points;
  page.normals = found.normals;
  page.confidence = found.confidence;
  page.dropped = result["dropped"].get<int64_t>();
  page.degenerate = result["degenerate"].get<int64_t>();
  page.method = command.options.method;
  page.k = found.k;
  page.k_chosen = found.k_chosen;
  page.orientation = orient;
  page.parts = orient == "mst" || orient == "outward" ? found.parts : 0;
  page.reading_seconds = result["seconds"]["reading"].get<double>();
  page.seconds = result["seconds"]["normals"].get<double>();
  write_file_atomically(command.report, cloud_page(page));
}

void print(const ordered_json& result) {
  std::printf(
      "%lld normals by %s from %lld neighbours%s in %.2f s, mean confidence %.2f; wrote %s\n",
      result["points"].get<long long>(), result["method"].get<std::string>().c_str(),
      result["k"].get<long long>(), result["k_chosen"].get<bool>() ? " (chosen)" : "",
      result["seconds"]["normals"].get<double>(), result["mean_confidence"].get<double>(),
      result["out"].get<std::string>().c_str());
  const auto remark = [&](const char* key, const char* text) {
    if (result[key] > 0) std::printf("  %lld points %s\n", result[key].get<long long>(), text);
  };
  remark("dropped", "without finite coordinates were left out");
  remark("degenerate", "lie on a line with their neighbours; any normal will do there");
}

void run(const NormalsCommand& command) {
  use_all_cores(command.threads);
  require_known_extension(command.out);
  if (!command.report.empty()) require_writable(command.report);
  const EstimateOptions options = resolved(command);
  const auto start = std::chrono::steady_clock::now();
  int64_t dropped = 0;
  PointCloud cloud = read(command, dropped);
  const double reading = seconds_since(start);
  const EstimatedNormals found = found_normals(cloud, options);
  set_normals(cloud, found.normals);
  put(cloud, "confidence", found.confidence);
  put(cloud, "degenerate", found.degenerate.to(at::kByte));
  const double computing = seconds_since(start) - reading;
  PointFileOptions format;
  if (command.text) format.encoding = FileEncoding::kText;
  write_points(command.out, cloud, format);
  const ordered_json result{{"in", text::printable(command.in.string())},
                            {"out", text::printable(command.out.string())},
                            {"points", cloud.size()},
                            {"dropped", dropped},
                            {"method", options.method},
                            {"k", found.k},
                            {"k_chosen", found.k_chosen},
                            {"orient", options.orient},
                            {"parts", found.parts},
                            {"tiles", found.tiles},
                            {"degenerate", found.degenerate.sum().item<int64_t>()},
                            {"mean_confidence", found.confidence.mean().item<double>()},
                            {"threads", at::get_num_threads()},
                            {"seconds", {{"reading", reading}, {"normals", computing}}}};
  if (!command.report.empty()) write_page(command, cloud, found, result);
  if (command.json)
    std::cout << result.dump(2) << '\n';
  else
    print(result);
}

}  // namespace

void add_normals(CLI::App& app) {
  const auto command = std::make_shared<NormalsCommand>();
  CLI::App* sub = app.add_subcommand("normals", "Normals of a point cloud in a file");
  sub->add_option("in", command->in, "the cloud: " + text::join(readable_extensions(), " "))
      ->required();
  sub->add_option("-o,--out", command->out, "where the cloud with its normals goes; same formats")
      ->required();
  EstimateOptions& options = command->options;
  sub->add_option("--method", options.method,
                  "fa: the trained network; pca: the plane of the nearest points; jet: a curved "
                  "surface through them")
      ->capture_default_str();
  sub->add_option("--model", options.networks.patches,
                  "other weights of 'fa-patch' for --method fa, trained by 'train'");
  sub->add_option("--votes", options.networks.votes,
                  "other weights of 'normal-votes', or none [those of the program, none with "
                  "--model]");
  sub->add_option("--choice", options.networks.choice,
                  "other weights of 'normal-choice', or none [as --votes]");
  sub->add_option("-k,--neighbors", options.k,
                  "pca, jet: nearest points to look at, itself among them; chosen if left out")
      ->check(CLI::Range(3, 512));
  sub->add_option("--orient", options.orient,
                  "none; viewpoint: towards a place; mst: the same side all over a part; outward")
      ->capture_default_str();
  sub->add_option("--viewpoint", command->viewpoint, "X Y Z, for --orient viewpoint")->expected(3);
  sub->add_option("--report", command->report,
                  "a page to look at, .html: the cloud by normal and by confidence, to be turned");
  sub->add_option("--max-memory", command->max_memory,
                  "such as 2GB: larger clouds are searched in pieces [most of what is free]");
  sub->add_option("--threads", command->threads, "threads [OMP_NUM_THREADS, or all cores]")
      ->check(CLI::Range(1, 1024));
  sub->add_flag("--text", command->text, "text instead of binary, where the format has both");
  sub->add_flag("--drop-invalid", command->drop_invalid,
                "leave points out whose coordinates are not finite, instead of refusing the file");
  sub->add_flag("--json", command->json, "print JSON");
  sub->callback([command] { run(*command); });
}

}  // namespace equiframe::app
