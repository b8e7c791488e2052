#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/simple_graph.h"

namespace equiframe::inline io {

/// Graphs with node types and a label, in the text format of the EXP benchmark: a line with the
/// number of graphs; for each graph a line `nodes label`, and for each node a line
/// `type degree neighbour ...`, nodes counted from 0 and every edge listed from both ends.
/// Errors name the file, the line and what was expected there.
std::vector<SimpleGraph> read_graph_text(const std::filesystem::path& path);

/// The same format as text; its checksum names a set of graphs.
std::string to_graph_text(const std::vector<SimpleGraph>& graphs);
/// To a file, whole or not at all.
void write_graph_text(const std::filesystem::path& path, const std::vector<SimpleGraph>& graphs);

}  // namespace equiframe::inline io
