#include "io/graphs/graph6.h"

#include <algorithm>

#include <c10/util/StringUtil.h>

#include "equiframe/core/error.h"
#include "io/bytes/atomic_file.h"
#include "io/graphs/graph_readers.h"

namespace equiframe::inline io {
namespace {

constexpr int kBits = 6;          // of a character
constexpr int kFirst = 63;        // '?', all bits zero
constexpr int kLong = 126;        // '~': a longer number of nodes follows
constexpr int64_t kOneChar = 62;  // the most nodes that one character holds
constexpr int64_t kFourChars = 258047;

/// Bits in, characters out.
class BitWriter {
 public:
  void put(uint64_t value, int bits) {
    for (int bit = bits - 1; bit >= 0; --bit) {
      if (filled_ == 0) text_.push_back(static_cast<char>(kFirst));
      if ((value >> bit & 1U) != 0)
        text_.back() = static_cast<char>(text_.back() + (1 << (kBits - 1 - filled_)));
      filled_ = (filled_ + 1) % kBits;
    }
  }
  /// Bits that the last character can still take.
  int room() const { return filled_ == 0 ? 0 : kBits - filled_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int filled_ = 0;
};

class BitReader {
 public:
  explicit BitReader(std::string_view text) : text_(text) {}

  int64_t left() const { return static_cast<int64_t>(text_.size()) * kBits - position_; }
  uint64_t take(int bits) {
    uint64_t value = 0;
    for (int k = 0; k < bits; ++k, ++position_) {
      const int group = text_[static_cast<size_t>(position_ / kBits)] - kFirst;
      value = value << 1U | static_cast<uint64_t>(group >> (kBits - 1 - position_ % kBits) & 1);
    }
    return value;
  }

 private:
  std::string_view text_;
  int64_t position_ = 0;
};

std::string node_count(int64_t nodes) {
  BitWriter bits;
  if (nodes <= kOneChar) {
    bits.put(static_cast<uint64_t>(nodes), kBits);
    return bits.text();
  }
  const bool four = nodes <= kFourChars;
  bits.put(static_cast<uint64_t>(nodes), four ? 18 : 36);
  return std::string(four ? 1 : 2, static_cast<char>(kLong)) + bits.text();
}

/// Reads the number of nodes off the front of `text`.
int64_t take_node_count(std::string_view& text) {
  const auto end_early = [] {
    return UserError("the line ends within the number of nodes; it is cut off");
  };
  if (text.empty()) throw end_early();
  size_t header = 0, length = 1;
  if (text[0] == kLong) {
    const bool longest = text.size() > 1 && text[1] == kLong;
    header = longest ? 2 : 1;
    length = longest ? 6 : 3;
  }
  if (text.size() < header + length) throw end_early();
  const auto nodes = static_cast<int64_t>(
      BitReader(text.substr(header, length)).take(static_cast<int>(length) * kBits));
  if (nodes > kMaxNodes)
    throw UserError(c10::str("the graph has ", nodes, " nodes; at most ", kMaxNodes, " are read"));
  text.remove_prefix(header + length);
  return nodes;
}

/// (v, u) with v > u, in the order both formats want.
std::vector<SimpleGraph::Edge> edges_by_column(const SimpleGraph& graph) {
  std::vector<SimpleGraph::Edge> edges = graph.edges;
  for (SimpleGraph::Edge& edge : edges) std::swap(edge[0], edge[1]);
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Bits of a node number in sparse6.
int width_of(int64_t nodes) {
  int width = 0;
  for (int64_t rest = nodes - 1; rest > 0; rest >>= 1) ++width;
  return width;
}

SimpleGraph parse_dense(std::string_view text) {
  SimpleGraph graph;
  graph.nodes = take_node_count(text);
  const int64_t pairs = graph.nodes * (graph.nodes - 1) / 2, expected = (pairs + kBits - 1) / kBits;
  if (static_cast<int64_t>(text.size()) != expected)
    throw UserError(c10::str("a graph of ", graph.nodes, " nodes takes ", expected,
                             " characters after their number, the line has ", text.size()));
  BitReader bits(text);
  for (int32_t v = 1; v < graph.nodes; ++v)
    for (int32_t u = 0; u < v; ++u)
      if (bits.take(1) != 0) graph.edges.push_back({u, v});
  if (bits.left() > 0 && bits.take(static_cast<int>(bits.left())) != 0)
    throw UserError("bits are set behind the last pair of nodes; the line is damaged");
  tidy(graph);
  return graph;
}

SimpleGraph parse_sparse(std::string_view text) {
  SimpleGraph graph;
  graph.nodes = take_node_count(text);
  const int width = width_of(graph.nodes);
  BitReader bits(text);
  int64_t v = 0;
  while (bits.left() > width) {
    if (bits.take(1) != 0) ++v;
    const auto x = static_cast<int64_t>(bits.take(width));
    if (v >= graph.nodes || x >= graph.nodes) break;  // padding
    if (x > v)
      v = x;
    else
      graph.edges.push_back({static_cast<int32_t>(x), static_cast<int32_t>(v)});
  }
  tidy(graph);
  return graph;
}

void check_characters(std::string_view line) {
  for (size_t k = 0; k < line.size(); ++k)
    if (line[k] < kFirst || line[k] > kLong)
      throw UserError(c10::str("character ", k + 1, " is none of graph6's ('?' to '~')"));
}

std::string_view without(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix ? text.substr(prefix.size()) : text;
}

}  // namespace

std::string to_graph6(const SimpleGraph& graph) {
  BitWriter bits;
  const auto by_column = edges_by_column(graph);
  auto next = by_column.begin();
  for (int32_t v = 1; v < graph.nodes; ++v)
    for (int32_t u = 0; u < v; ++u) {
      const bool there = next != by_column.end() && *next == SimpleGraph::Edge{v, u};
      bits.put(there ? 1 : 0, 1);
      if (there) ++next;
    }
  return node_count(graph.nodes) + bits.text();
}

std::string to_sparse6(const SimpleGraph& graph) {
  const int width = width_of(graph.nodes);
  const auto by_column = edges_by_column(graph);
  BitWriter bits;
  int32_t current = 0;
  for (const auto& [v, u] : by_column) {
    const bool step = v != current;
    bits.put(step ? 1 : 0, 1);
    if (v > current + 1) {
      bits.put(static_cast<uint64_t>(v), width);
      bits.put(0, 1);
    }
    current = v;
    bits.put(static_cast<uint64_t>(u), width);
  }
  // Padding of ones must not read as an edge of the last node: for n = 2, 4, 8, 16 it could.
  const bool trap = width > 0 && width < kBits && graph.nodes == int64_t{1} << width &&
                    bits.room() > width && current == graph.nodes - 2;
  if (trap) bits.put(0, 1);
  bits.put((uint64_t{1} << bits.room()) - 1, bits.room());
  return ":" + node_count(graph.nodes) + bits.text();
}

std::string to_shorter6(const SimpleGraph& graph) {
  constexpr int64_t kLongLine = 4096;  // nodes; graph6 takes 1.4 MB
  const double dense = static_cast<double>(graph.nodes) * static_cast<double>(graph.nodes - 1) / 2;
  const double sparse = static_cast<double>(graph.edges.size()) * (1 + width_of(graph.nodes));
  return graph.nodes > kLongLine && sparse < dense ? to_sparse6(graph) : to_graph6(graph);
}

SimpleGraph parse_graph6(std::string_view line) {
  line = without(without(line, ">>graph6<<"), ">>sparse6<<");
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (!line.empty() && (line[0] == '&' || line[0] == ';'))
    throw UserError(line[0] == '&' ? "the line is a directed graph (digraph6); only graph6 and "
                                     "sparse6 are read"
                                   : "the line is in incremental sparse6; only graph6 and sparse6 "
                                     "are read");
  const bool sparse = !line.empty() && line[0] == ':';
  if (sparse) line.remove_prefix(1);
  check_characters(line);
  return sparse ? parse_sparse(line) : parse_dense(line);
}

std::vector<SimpleGraph> parse_graph6_lines(const SourceText& source) {
  std::vector<SimpleGraph> graphs;
  std::string_view rest = source.text;
  for (int64_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty() || line == "\r" || line == ">>graph6<<" || line == ">>sparse6<<") continue;
    try {
      graphs.push_back(parse_graph6(line));
    } catch (const UserError& error) {
      throw UserError(c10::str(source.path.string(), ":", number, ": ", error.what()));
    }
  }
  if (graphs.empty())
    throw UserError("'" + source.path.string() +
                    "' has no graph in it; expected graph6, sparse6, EXP text or a list of edges");
  return graphs;
}

std::vector<SimpleGraph> read_graph6(const std::filesystem::path& path) {
  return parse_graph6_lines(read_source(path));
}

void write_graph6(const std::filesystem::path& path, const std::vector<SimpleGraph>& graphs) {
  std::string text;
  for (const SimpleGraph& graph : graphs) text += to_graph6(graph) + "\n";
  write_file_atomically(path, text);
}

}  // namespace equiframe::inline io
