#include "core/memory_size.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "equiframe/core/error.h"

namespace equiframe::text {
namespace {

constexpr std::pair<const char*, double> kUnits[] = {
    {"tb", 1e12}, {"gb", 1e9}, {"mb", 1e6}, {"kb", 1e3}, {"t", 1e12},
    {"g", 1e9},   {"m", 1e6},  {"k", 1e3},  {"b", 1},    {"", 1}};

}  // namespace

std::int64_t parse_memory_size(const std::string& text, const std::string& option) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string unit;
  for (; *end != '\0'; ++end)
    if (*end != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*end)));
  constexpr double kMax = 1e18;
  for (const auto& [name, factor] : kUnits)
    if (unit == name && std::isfinite(number) && number > 0 && number * factor < kMax)
      return std::llround(number * factor);
  throw UserError(option + " '" + text + "' is no amount of memory; write it as 500MB or 2GB");
}

std::string memory_text(double bytes) {
  char buffer[32];
  const bool large = bytes >= 1e9;
  std::snprintf(buffer, sizeof buffer, "%.3g %s", bytes / (large ? 1e9 : 1e6), large ? "GB" : "MB");
  return buffer;
}

}  // namespace equiframe::text
