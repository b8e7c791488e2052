#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/simple_graph.h"

namespace equiframe::app {

/// Graphs, and what tells them from others.
struct GraphSet {
  std::vector<SimpleGraph> graphs;
  std::string checksum;
  std::filesystem::path file;
};

struct GraphSets {
  GraphSet graph8c, exp;
  GraphSet regular = {};  // strongly regular graphs of equal parameters, if they are given
};

/// The files a user gave; what is empty is made.
struct GraphFiles {
  std::filesystem::path graph8c, exp, regular;
  bool fresh = false;  ///< make again what an earlier call left
};

/// Sets that are made are kept in `out`/data. Throws UserError for files that do not fit.
GraphSets load_sets(const GraphFiles& files, const std::filesystem::path& out);

}  // namespace equiframe::app
