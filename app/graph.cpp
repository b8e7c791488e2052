#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "core/parallel.h"
#include "equiframe/core/error.h"
#include "experiments/separation/graph_info.h"
#include "frames/permutation/labelling/canonical_form.h"
#include "graph_models.h"
#include "io/graphs/graph6.h"
#include "io/graphs/graph_batch.h"
#include "progress.h"

namespace equiframe::app {
namespace {

using experiments::FrameSize;
using experiments::GraphInfo;
using nlohmann::ordered_json;

struct GraphCommand {
  std::filesystem::path file;
  bool classes = false, sparse = false, all = false, json = false;
};

struct Canonical {
  std::string line;   // graph6 or sparse6, and the types if there are any
  std::string order;  // of the automorphism group
};

Canonical canonical(const SimpleGraph& graph, bool sparse) {
  const CanonicalForm form = canonical_form(graph);
  const SimpleGraph moved = relabel(graph, form.order);
  Canonical result{sparse ? to_sparse6(moved) : to_shorter6(moved), form.group_order()};
  for (size_t k = 0; k < moved.types.size(); ++k)
    result.line += (k == 0 ? " types=" : ",") + std::to_string(moved.types[k]);
  return result;
}

std::vector<Canonical> canonical_lines(const GraphCommand& command) {
  const auto graphs = read_graphs(command.file);
  std::vector<Canonical> lines(graphs.size());
  for_each_item(static_cast<int64_t>(graphs.size()), /*together=*/64, [&](int64_t k) {
    try {
      lines[k] = canonical(graphs[k], command.sparse);
    } catch (const UserError& error) {
      throw UserError("graph " + std::to_string(k + 1) + ": " + error.what());
    }
  });
  return lines;
}

/// Isomorphism classes in order of their first members, which are counted from 1.
void print_classes(const std::vector<Canonical>& lines, bool as_json) {
  std::map<std::string, std::vector<size_t>> members;
  for (size_t k = 0; k < lines.size(); ++k) members[lines[k].line].push_back(k + 1);
  std::vector<const std::vector<size_t>*> classes;
  classes.reserve(members.size());
  for (const auto& [line, graphs] : members) classes.push_back(&graphs);
  std::sort(classes.begin(), classes.end(),
            [](auto* a, auto* b) { return a->front() < b->front(); });
  ordered_json document = ordered_json::array();
  for (const auto* graphs : classes) {
    const Canonical& first = lines[graphs->front() - 1];
    if (as_json) {
      document.push_back(
          {{"graph", first.line}, {"automorphisms", first.order}, {"members", *graphs}});
      continue;
    }
    std::printf("%s %s %zu:", first.line.c_str(), first.order.c_str(), graphs->size());
    for (const size_t k : *graphs) std::printf(" %zu", k);
    std::printf("\n");
  }
  if (as_json) std::cout << document.dump(2) << '\n';
}

void canon(const GraphCommand& command) {
  const auto lines = canonical_lines(command);
  if (command.classes) return print_classes(lines, command.json);
  ordered_json document = ordered_json::array();
  for (const Canonical& line : lines) {
    if (command.json)
      document.push_back({{"graph", line.line}, {"automorphisms", line.order}});
    else
      std::printf("%s %s\n", line.line.c_str(), line.order.c_str());
  }
  if (command.json) std::cout << document.dump(2) << '\n';
}

/// e^x in few characters.
std::string power(double x) {
  char text[32];
  if (x < std::log(1e7))
    std::snprintf(text, sizeof text, "%.0f", std::exp(x));
  else
    std::snprintf(text, sizeof text, "1e%.1f", x / std::log(10.0));
  return text;
}

ordered_json to_json(const GraphInfo& info) {
  ordered_json spectrum = ordered_json::array(), frames;
  for (const auto& [value, multiplicity] : info.spectrum)
    spectrum.push_back({{"value", value}, {"multiplicity", multiplicity}});
  for (const FrameSize& frame : info.frames)
    frames[frame.frame] = {{"log10_size", frame.log_size / std::log(10.0)},
                           {"log10_m_F", info.log_frame_cosets(frame) / std::log(10.0)}};
  return {{"nodes", info.nodes},
          {"edges", info.edges},
          {"components", info.components},
          {"strongly_regular",
           info.strongly_regular ? ordered_json(*info.strongly_regular) : ordered_json(nullptr)},
          {"log10_automorphisms", info.log_automorphisms / std::log(10.0)},
          {"log10_m_G", info.log_group_cosets() / std::log(10.0)},
          {"spectrum", spectrum},
          {"frames", frames}};
}

void print(const GraphInfo& info, size_t number) {
  std::printf("graph %zu: %lld nodes, %lld edges, components %lld, |Aut| %s, m_G %s\n", number,
              static_cast<long long>(info.nodes), static_cast<long long>(info.edges),
              static_cast<long long>(info.components), power(info.log_automorphisms).c_str(),
              power(info.log_group_cosets()).c_str());
  if (info.strongly_regular)
    std::printf("  strongly regular (%lld, %lld, %lld, %lld)\n",
                static_cast<long long>((*info.strongly_regular)[0]),
                static_cast<long long>((*info.strongly_regular)[1]),
                static_cast<long long>((*info.strongly_regular)[2]),
                static_cast<long long>((*info.strongly_regular)[3]));
  if (!info.spectrum.empty()) std::printf("  Laplacian");
  for (const auto& [value, multiplicity] : info.spectrum) {
    std::printf(" %.6g", value);
    if (multiplicity > 1) std::printf(" (%lld times)", static_cast<long long>(multiplicity));
  }
  if (!info.spectrum.empty()) std::printf("\n");
  for (const FrameSize& frame : info.frames)
    std::printf("  %-34s |F| %-9s m_F %s\n", frame.frame.c_str(), power(frame.log_size).c_str(),
                power(info.log_frame_cosets(frame)).c_str());
}

/// How often each m_F occurs, frame by frame.
void print_summary(const std::vector<GraphInfo>& infos) {
  constexpr size_t kShown = 8;
  std::map<std::string, std::map<int64_t, int64_t>> cosets;
  std::map<std::string, double> largest;
  int64_t rigid = 0;
  for (const GraphInfo& info : infos) {
    rigid += info.log_automorphisms < 0.5 ? 1 : 0;
    for (const FrameSize& frame : info.frames) {
      const double log_m = info.log_frame_cosets(frame);
      ++cosets[frame.frame][log_m < std::log(1e15) ? std::llround(std::exp(log_m)) : INT64_MAX];
      largest[frame.frame] = std::max(largest[frame.frame], log_m);
    }
  }
  std::printf("%zu graphs, %lld without a symmetry\n", infos.size(), static_cast<long long>(rigid));
  for (const auto& [frame, counts] : cosets) {
    std::printf("  %-34s m_F (graphs):", frame.c_str());
    size_t shown = 0;
    for (const auto& [m, count] : counts) {
      if (shown++ == kShown) break;
      std::printf(" %s (%lld)", power(std::log(static_cast<double>(m))).c_str(),
                  static_cast<long long>(count));
    }
    std::printf("%s, largest %s\n", counts.size() > kShown ? " ..." : "",
                power(largest[frame]).c_str());
  }
}

void info(const GraphCommand& command) {
  const auto graphs = read_graphs(command.file);
  std::vector<GraphInfo> infos;
  {
    ProgressBar bar("graphs", static_cast<double>(graphs.size()));
    infos = experiments::graph_info(
        graphs, [&](int64_t done) { bar.update(static_cast<double>(done), std::to_string(done)); });
  }
  if (command.json) {
    ordered_json document = ordered_json::array();
    for (const GraphInfo& each : infos) document.push_back(to_json(each));
    std::cout << document.dump(2) << '\n';
    return;
  }
  constexpr size_t kFew = 20;
  if (command.all || infos.size() <= kFew)
    for (size_t k = 0; k < infos.size(); ++k) print(infos[k], k + 1);
  if (infos.size() > 1) print_summary(infos);
  if (!command.all && infos.size() > kFew) std::printf("--all prints each graph\n");
}

}  // namespace

void add_graph(CLI::App& app) {
  const auto command = std::make_shared<GraphCommand>();
  CLI::App* graph = app.add_subcommand("graph", "Canonical forms and frames of graphs in a file");
  const auto add = [&](const char* name, const char* does) {
    CLI::App* sub = graph->add_subcommand(name, does);
    sub->add_option("file", command->file,
                    "graph6, sparse6, EXP text, edge list .csv, or a TU folder; - is the standard "
                    "input")
        ->required();
    sub->add_flag("--json", command->json, "print JSON");
    return sub;
  };
  CLI::App* canon_command =
      add("canon", "For each graph its canonical graph6 line and the number of its automorphisms");
  canon_command->add_flag("--classes", command->classes, "isomorphic graphs together");
  canon_command->add_flag("--sparse", command->sparse,
                          "sparse6 for all, not only for large graphs");
  canon_command->callback([command] { canon(*command); });
  CLI::App* info_command =
      add("info", "Size, spectrum, automorphisms, and what each frame makes of it");
  info_command->add_flag("--all", command->all, "each graph, also of many");
  info_command->callback([command] { info(*command); });
  add_graph_embed(*graph);
}

}  // namespace equiframe::app
