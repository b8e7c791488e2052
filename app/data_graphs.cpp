#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "core/plain_text.h"
#include "data_commands.h"
#include "datasets/graphs/graph_sets.h"
#include "io/bytes/checksum.h"
#include "io/graphs/graph6.h"
#include "io/graphs/graph_text.h"
#include "progress.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

struct GraphsCommand {
  fs::path out;
  int64_t nodes = 8;
  ExpOptions exp;
  bool json = false;
};

void print(const GraphsCommand& command, size_t graphs, double seconds) {
  const std::string checksum = sha256_file(command.out);
  if (command.json)
    std::cout << nlohmann::ordered_json{{"file", text::printable(command.out.string())},
                                        {"graphs", graphs},
                                        {"sha256", checksum},
                                        {"seconds", seconds}}
                     .dump(2)
              << '\n';
  else
    std::printf("%s  %s\n%zu graphs in %.2f s\n", checksum.c_str(),
                text::printable(command.out.string()).c_str(), graphs, seconds);
  std::fflush(stdout);
}

template <class Make>
void write(const GraphsCommand& command, const Make& make_and_write) {
  const auto start = std::chrono::steady_clock::now();
  const size_t graphs = make_and_write();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  print(command, graphs, seconds.count());
}

void add_connected(CLI::App& data) {
  const auto command = std::make_shared<GraphsCommand>();
  CLI::App* graphs = data.add_subcommand(
      "graph8c", "All connected graphs of 8 nodes (or --nodes), one of each kind, as graph6");
  graphs->add_option("-o,--out", command->out, "the file, such as graph8c.g6")->required();
  graphs->add_option("--nodes", command->nodes, "nodes of each graph, 1 to 9")
      ->capture_default_str();
  graphs->add_flag("--json", command->json, "print JSON");
  graphs->callback([command] {
    write(*command, [&] {
      const auto all = connected_graphs(command->nodes);
      write_graph6(command->out, all);
      return all.size();
    });
  });
}

void add_exp(CLI::App& data) {
  const auto command = std::make_shared<GraphsCommand>();
  ExpOptions& options = command->exp;
  CLI::App* exp = data.add_subcommand(
      "exp", "Pairs of formulas like those of EXP: one satisfiable, one not, equal to 1-WL");
  exp->add_option("-o,--out", command->out, "the file, such as exp.txt")->required();
  exp->add_option("--pairs", options.pairs, "pairs")->capture_default_str();
  exp->add_option("--seed", options.seed, "seed of the random stream")->capture_default_str();
  exp->add_option("--base", options.small_base, "nodes behind the base of most pairs, 4 to 24")
      ->capture_default_str();
  exp->add_option("--large-base", options.large_base, "the same of the last sixth")
      ->capture_default_str();
  exp->add_flag("--shuffle", options.shuffle, "nodes in random order");
  exp->add_flag("--json", command->json, "print JSON");
  exp->callback([command] {
    write(*command, [&] {
      ProgressBar bar("pairs");
      const auto all = exp_like_pairs(command->exp, [&](int64_t done) {
        bar.update(static_cast<double>(done) / static_cast<double>(command->exp.pairs),
                   std::to_string(done));
      });
      write_graph_text(command->out, all);
      return all.size();
    });
  });
}

}  // namespace

void add_data_graphs(CLI::App& data) {
  add_connected(data);
  add_exp(data);
}

}  // namespace equiframe::app
