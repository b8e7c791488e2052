#include "report/palette.h"

#include <array>

namespace equiframe::report {
namespace {

struct Entry {
  const char* name;
  const char* light;
  const char* dark;
};

/// In the order of Colour. Warm, cool and fresh differ in hue and in lightness, so that they stay
/// apart in print and for the common kinds of colour blindness; each has a contrast above 4 to the
/// surface of its scheme.
constexpr std::array<Entry, 7> kEntries{{{"ink", "#1d1d1b", "#eeede9"},
                                         {"muted", "#62615c", "#a8a7a1"},
                                         {"rule", "#dddcd6", "#3b3a37"},
                                         {"surface", "#ffffff", "#201f1e"},
                                         {"warm", "#c4501b", "#f0925f"},
                                         {"cool", "#1f63c4", "#6ea8f5"},
                                         {"fresh", "#0b7d63", "#43c39d"}}};

const Entry& entry(Colour colour) {
  return kEntries.at(static_cast<size_t>(colour));
}

}  // namespace

const char* name(Colour colour) {
  return entry(colour).name;
}
const char* light(Colour colour) {
  return entry(colour).light;
}
const char* dark(Colour colour) {
  return entry(colour).dark;
}

std::string palette_rules() {
  std::string bright, dim;
  for (const Entry& e : kEntries) {
    const auto rules = [&](const char* value) {
      return std::string(".s-") + e.name + "{stroke:" + value + "}.f-" + e.name + "{fill:" + value +
             "}";
    };
    bright += rules(e.light);
    dim += rules(e.dark);
  }
  return bright + "@media screen and (prefers-color-scheme:dark){" + dim + "}";
}

}  // namespace equiframe::report
