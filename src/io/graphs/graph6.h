#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/simple_graph.h"

namespace equiframe::inline io {

/// The text formats of nauty's programs, a graph on each line. graph6 lists the upper triangle of
/// the adjacency column by column, six bits a character; sparse6 lists edges, starts with ':' and
/// is the shorter one for large sparse graphs.
std::string to_graph6(const SimpleGraph& graph);
std::string to_sparse6(const SimpleGraph& graph);

/// graph6, but sparse6 for graphs of more than 4096 nodes where that is shorter: graph6 takes one
/// bit for each pair of nodes, 800 MB for 100,000 of them. Isomorphic graphs get the same format.
std::string to_shorter6(const SimpleGraph& graph);

/// Either of them. Throws UserError that says what is wrong with the line, by the number of the
/// character where there is one.
SimpleGraph parse_graph6(std::string_view line);

/// All graphs of a file, in either format, with or without the header ">>graph6<<" or
/// ">>sparse6<<"; empty lines are passed over. Errors name the file and the line.
std::vector<SimpleGraph> read_graph6(const std::filesystem::path& path);

/// One graph6 line for each graph, whole or not at all.
void write_graph6(const std::filesystem::path& path, const std::vector<SimpleGraph>& graphs);

}  // namespace equiframe::inline io
