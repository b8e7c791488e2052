// The formats of graphs, of texts that were read already.
#pragma once

#include <vector>

#include "core/simple_graph.h"
#include "io/bytes/source_text.h"

namespace equiframe::inline io {

std::vector<SimpleGraph> parse_graph6_lines(const SourceText& source);
std::vector<SimpleGraph> parse_graph_text(SourceText source);
std::vector<SimpleGraph> parse_edge_csv(SourceText source);

}  // namespace equiframe::inline io
