#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/separation/separation.h"

namespace equiframe::app {

/// Counts that earlier runs of a command left in a folder, so that an interrupted one goes on where
/// it was. A count belongs to the program (by commit: weights may be drawn differently in another),
/// a network, the graphs (by checksum) and the number of seeds.
class SeparationCounts {
 public:
  /// Reads counts.json in `folder`; `fresh` ignores it.
  SeparationCounts(std::filesystem::path folder, bool fresh);

  struct Key {
    std::string program, model, graphs;
    int64_t seeds = 0;
    bool operator==(const Key&) const = default;
  };
  std::optional<experiments::Separation> find(const Key& key) const;
  /// On the disk before it returns.
  void keep(const Key& key, const experiments::Separation& counted);

 private:
  struct Entry {
    Key key;
    experiments::Separation counted;
  };
  std::filesystem::path file_;
  std::vector<Entry> entries_;
};

}  // namespace equiframe::app
