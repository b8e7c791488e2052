/// equiframe_bench [--filter TEXT] [--json FILE]: prints the table, and one JSON object a line to
/// FILE. A missed target is printed, it is not an error.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "bench.h"
#include "equiframe/kernels/cpu.h"
#include "equiframe/runtime/blas.h"
#include "equiframe/runtime/threads.h"

namespace {

using equiframe::bench::Case;
using equiframe::bench::Goal;
using equiframe::bench::Row;

struct Arguments {
  std::string filter, json;
};

[[noreturn]] void usage(int status) {
  (status == 0 ? std::cout : std::cerr) << "usage: equiframe_bench [--filter TEXT] [--json FILE]\n";
  std::exit(status);
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--help" || option == "-h") usage(0);
    if ((option != "--filter" && option != "--json") || i + 1 == argc) usage(2);
    (option == "--filter" ? arguments.filter : arguments.json) = argv[++i];
  }
  return arguments;
}

std::string duration(double seconds) {
  std::ostringstream text;
  text << std::setprecision(4);
  if (seconds < 1e-3) {
    text << seconds * 1e6 << " us";
  } else {
    text << seconds * 1e3 << " ms";
  }
  return text.str();
}

std::string factor(double ratio) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(ratio < 10 ? 2 : 1) << ratio << "x";
  return text.str();
}

void print_line(const std::string& name, const std::vector<std::string>& cells) {
  std::cout << std::left << std::setw(44) << name << std::right;
  for (const std::string& cell : cells) std::cout << std::setw(12) << cell;
  std::cout << std::endl;
}

void print(const Row& row) {
  const std::string bound = row.goal == Goal::kSpeedup ? ">= " : "<= ";
  print_line(row.name, {duration(row.ours), duration(row.reference), factor(row.ratio()),
                        bound + factor(row.target), row.ok() ? "ok" : "MISS"});
}

void write_json(std::ostream& out, const Row& row) {
  out << std::setprecision(6) << "{\"name\":" << std::quoted(row.name) << ",\"goal\":\""
      << (row.goal == Goal::kSpeedup ? "speedup" : "cost") << "\",\"ours_seconds\":" << row.ours
      << ",\"reference_seconds\":" << row.reference << ",\"ratio\":" << row.ratio()
      << ",\"target\":" << row.target << ",\"ok\":" << (row.ok() ? "true" : "false") << "}"
      << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  equiframe::runtime::use_fast_blas(argv);
  equiframe::runtime::set_blas_threads(1);
  at::set_num_threads(1);

  std::ofstream json;
  if (!arguments.json.empty()) json.open(arguments.json);
  std::vector<Case> cases = equiframe::bench::cases();
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.name < b.name; });

  std::cout << "one thread, kernels for "
            << equiframe::kernels::name(equiframe::kernels::simd_level())
            << ", least processor time of many runs\n\n";
  print_line("", {"ours", "reference", "ratio", "target", ""});
  for (const Case& c : cases) {
    if (c.name.find(arguments.filter) == std::string::npos) continue;
    at::manual_seed(1);
    const Row row = c.run();
    print(row);
    if (json.is_open()) write_json(json, row);
  }
  return 0;
}
