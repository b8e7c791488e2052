#include "separation_counts.h"

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "io/bytes/atomic_file.h"

namespace equiframe::app {

using nlohmann::json;

SeparationCounts::SeparationCounts(std::filesystem::path folder, bool fresh)
    : file_(std::move(folder) / "counts.json") {
  std::ifstream in(file_);
  if (fresh || !in) return;
  try {
    for (const json& entry : json::parse(in))
      entries_.push_back(
          {{entry.at("program"), entry.at("model"), entry.at("graphs_sha256"), entry.at("seeds")},
           {entry.at("pairs"), entry.at("unseparated"), entry.at("falsely_separated"),
            entry.at("graphs")}});
  } catch (const json::exception&) {
    entries_.clear();  // a damaged file costs counting again, nothing else
  }
}

std::optional<experiments::Separation> SeparationCounts::find(const Key& key) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  if (found == entries_.end()) return std::nullopt;
  return found->counted;
}

void SeparationCounts::keep(const Key& key, const experiments::Separation& counted) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; });
  entries_.push_back({key, counted});
  json all = json::array();
  for (const Entry& entry : entries_)
    all.push_back({{"program", entry.key.program},
                   {"model", entry.key.model},
                   {"graphs_sha256", entry.key.graphs},
                   {"seeds", entry.key.seeds},
                   {"pairs", entry.counted.pairs},
                   {"unseparated", entry.counted.unseparated},
                   {"falsely_separated", entry.counted.falsely_separated},
                   {"graphs", entry.counted.graphs}});
  write_file_atomically(file_, all.dump(1) + "\n");
}

}  // namespace equiframe::app
