#include "frames/permutation/graph_memo.h"

#include <cstring>

namespace equiframe::inline frames {
namespace {

template <class Number>
void append(std::string& bytes, Number number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}

/// Places and values of what is not zero. A count in front keeps lists apart.
void append_sparse(std::string& bytes, const std::vector<double>& values) {
  const size_t start = bytes.size();
  append(bytes, uint64_t{0});
  uint64_t count = 0;
  for (size_t k = 0; k < values.size(); ++k) {
    if (values[k] == 0) continue;
    append(bytes, static_cast<uint32_t>(k));
    append(bytes, values[k]);
    ++count;
  }
  std::memcpy(bytes.data() + start, &count, sizeof count);
}

}  // namespace

std::string bytes_of(const Graph& graph) {
  std::string bytes;
  for (const int64_t number : {graph.nodes, graph.channels, graph.node_values})
    append(bytes, number);
  append_sparse(bytes, graph.pair);
  append_sparse(bytes, graph.node);
  return bytes;
}

}  // namespace equiframe::inline frames
