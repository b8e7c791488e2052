// Every kernel family on one processor against another:
//   kernels_alone write FILE      what the baseline makes of the inputs of tests/simd/levels
//   kernels_alone compare FILE    holds every level to such a file, from whatever processor
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {
namespace {

/// Numbers one after the other, in the order of cases(), as text that loses nothing.
int write(const char* path) {
  std::ofstream file(path);
  file.precision(std::numeric_limits<double>::max_digits10);
  for (const Case& one : cases())
    for (const Output& output : one.run(SimdLevel::kBaseline))
      for (const double value : output.values) file << value << '\n';
  file.close();
  return file ? 0 : 1;
}

/// An array like `shape` with the next numbers of the file; a short one at its end.
Output read(std::ifstream& file, Output shape) {
  std::size_t count = 0;
  for (std::string text; count < shape.values.size() && file >> text; ++count)
    shape.values[count] = std::stod(text);
  shape.values.resize(count);
  return shape;
}

int compare(const char* path) {
  int failures = 0;
  for (const SimdLevel level : {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level > highest_simd_level()) continue;
    std::ifstream file(path);
    for (const Case& one : cases()) {
      double most = 0;
      for (const Output& output : one.run(level)) {
        const double off = difference(read(file, output), output);
        if (off > one.roundings) std::printf("  %s: %.3g\n", output.name.c_str(), off);
        most = off > most ? off : most;
      }
      const bool passed = most <= one.roundings;
      failures += passed ? 0 : 1;
      std::printf("%-6s %-9s %-18s %8.3g of %g roundings\n", passed ? "ok" : "FAILED",
                  std::string(name(level)).c_str(), one.family.c_str(), most, one.roundings);
    }
    std::string rest;
    if (file >> rest) {
      std::printf("FAILED %s: the file has more numbers than the families\n", path);
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}

int run(int count, char** arguments) {
  const std::string what = count == 3 ? arguments[1] : "";
  if (what == "write") return write(arguments[2]);
  if (what == "compare") return compare(arguments[2]);
  std::fprintf(stderr, "usage: kernels_alone write|compare FILE\n");
  return 2;
}

}  // namespace
}  // namespace equiframe::kernels::levels

int main(int count, char** arguments) {
  return equiframe::kernels::levels::run(count, arguments);
}
