#pragma once

#include <filesystem>
#include <vector>

#include "core/simple_graph.h"

namespace equiframe::inline io {

/// Graphs as a list of edges: a .csv file whose first line names the columns, in any order.
/// `source,target` are the ends of an edge, nodes counted from 0; `graph` numbers the graph of the
/// row by any integer (without it all rows are one graph), `label` is the label of that graph, the
/// same in all its rows. Graphs come in order of their first rows and have as many nodes as the
/// largest one listed asks for. An edge is listed once, or once in each direction.
/// Errors name the file, the line and what was expected there.
std::vector<SimpleGraph> read_edge_csv(const std::filesystem::path& path);

/// Graphs in the layout of the TU benchmarks: a folder with one NAME_A.txt, a line `u, v` for each
/// edge, once or once in each direction, nodes counted from 1 through all graphs, and
/// NAME_graph_indicator.txt, for each node the number of its graph, from 1 ascending. Where they
/// are there, NAME_graph_labels.txt has the label of each graph and NAME_node_labels.txt the type
/// of each node; attributes and labels of edges are not read. Errors as above.
std::vector<SimpleGraph> read_tu_folder(const std::filesystem::path& folder);

}  // namespace equiframe::inline io
