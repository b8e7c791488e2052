#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "equiframe/core/error.h"
#include "equiframe/core/text.h"
#include "equiframe/data/point_files.h"
#include "equiframe/geometry/classical_normals.h"
#include "equiframe/geometry/orientation.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct NormalsCommand {
  fs::path in, out;
  std::string method = "pca", orient = "none";
  std::vector<double> viewpoint;
  int64_t k = 0;
  bool text = false, drop_invalid = false, json = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

OrientationOptions orientation(const NormalsCommand& command) {
  OrientationOptions options;
  const std::vector<std::pair<std::string, Orientation>> rules{
      {"none", Orientation::kNone},
      {"viewpoint", Orientation::kViewpoint},
      {"mst", Orientation::kMst},
      {"outward", Orientation::kOutward}};
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const auto& rule) { return rule.first == command.orient; });
  if (found == rules.end())
    throw UserError(
        text::unknown_name("orientation", command.orient, {"none", "viewpoint", "mst", "outward"}));
  options.rule = found->second;
  const bool needs_place = options.rule == Orientation::kViewpoint;
  if (needs_place != !command.viewpoint.empty())
    throw UserError(needs_place ? "--orient viewpoint needs a place: --viewpoint X Y Z"
                                : "--viewpoint belongs to --orient viewpoint");
  if (needs_place) std::copy_n(command.viewpoint.begin(), 3, options.viewpoint.begin());
  return options;
}

NormalFit fit(const std::string& method) {
  if (method == "pca") return NormalFit::kPca;
  if (method == "jet") return NormalFit::kJet;
  throw UserError(text::unknown_name("method", method, {"pca", "jet"}));
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

void normals(const NormalsCommand& command) {
  require_known_extension(command.out);
  const NormalFit chosen = fit(command.method);
  const OrientationOptions turn = orientation(command);
  const auto start = std::chrono::steady_clock::now();
  int64_t dropped = 0;
  PointCloud cloud = read(command, dropped);
  const double reading = seconds_since(start);
  const NeighborSearch search(cloud.points);
  NormalOptions options{chosen, command.k, at::kFloat};
  if (options.k == 0) options.k = best_k(cloud.points, search, {chosen});
  const PointNormals found = estimate_normals(search, options);
  const OrientedNormals oriented = orient_normals(search, cloud.points, found.normals, turn);
  cloud.normals = oriented.normals;
  put(cloud, "variation", found.variation);
  put(cloud, "degenerate", found.degenerate.to(at::kByte));
  const double computing = seconds_since(start) - reading;
  PointFileOptions format;
  if (command.text) format.encoding = FileEncoding::kText;
  write_points(command.out, cloud, format);
  const ordered_json result{{"in", command.in.string()},
                            {"out", command.out.string()},
                            {"points", cloud.size()},
                            {"dropped", dropped},
                            {"method", command.method},
                            {"k", options.k},
                            {"k_chosen", command.k == 0},
                            {"orient", command.orient},
                            {"parts", oriented.parts},
                            {"degenerate", found.degenerate.sum().item<int64_t>()},
                            {"seconds", {{"reading", reading}, {"normals", computing}}}};
  if (command.json) {
    std::cout << result.dump(2) << '\n';
    return;
  }
  std::printf("%lld normals by %s with %lld neighbours%s in %.2f s; wrote %s\n",
              static_cast<long long>(cloud.size()), command.method.c_str(),
              static_cast<long long>(options.k), command.k == 0 ? " (chosen)" : "", computing,
              command.out.c_str());
  if (dropped > 0)
    std::printf("  %lld points without finite coordinates were left out\n",
                static_cast<long long>(dropped));
  if (result["degenerate"] > 0)
    std::printf("  %lld points lie on a line with their neighbours; any normal will do there\n",
                static_cast<long long>(result["degenerate"].get<int64_t>()));
}

}  // namespace

void add_normals(CLI::App& app) {
  const auto command = std::make_shared<NormalsCommand>();
  CLI::App* sub = app.add_subcommand("normals", "Normals of a point cloud in a file");
  sub->add_option("in", command->in, "the cloud: " + text::join(point_file_extensions(), " "))
      ->required();
  sub->add_option("-o,--out", command->out, "where the cloud with its normals goes; same formats")
      ->required();
  sub->add_option("--method", command->method,
                  "pca: the plane of the nearest points; jet: a curved surface through them")
      ->capture_default_str();
  sub->add_option("-k,--neighbors", command->k,
                  "nearest points to look at, itself among them; chosen from the cloud if left out")
      ->check(CLI::Range(3, 512));
  sub->add_option("--orient", command->orient,
                  "none; viewpoint: towards a place; mst: the same side all over a part; outward")
      ->capture_default_str();
  sub->add_option("--viewpoint", command->viewpoint, "X Y Z, for --orient viewpoint")->expected(3);
  sub->add_flag("--text", command->text, "text instead of binary, where the format has both");
  sub->add_flag("--drop-invalid", command->drop_invalid,
                "leave points out whose coordinates are not finite, instead of refusing the file");
  sub->add_flag("--json", command->json, "print JSON");
  sub->callback([command] { normals(*command); });
}

}  // namespace equiframe::app
