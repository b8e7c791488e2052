#include "io/graphs/graph_edges.h"

#include <map>
#include <string>
#include <thread>

#include <c10/util/StringUtil.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "equiframe/core/error.h"
#include "io/graphs/graph_batch.h"
#include "tests/io/temporary_folder.h"

namespace equiframe {
namespace {

using data_test::TemporaryFolder;
using data_test::write_file;
using Graphs = std::vector<SimpleGraph>;
using Files = std::map<std::string, std::string>;

/// What a reader says of `files`, without the folder in front of the name of the file.
template <class Reader>
std::string complaint(const Files& files, const Reader& read) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : files) write_file(folder / name, text);
  std::string said = data_test::message_of<UserError>([&] { read(folder.path()); });
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  const std::string prefix = folder.path().string();
  const size_t at = said.find(prefix);
  if (at != std::string::npos) said.erase(at, prefix.size() + (at == 0 ? 1 : 0));
  return said;
}

Graphs read_csv(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder / "edges.csv", text);
  return read_edge_csv(folder / "edges.csv");
}

std::string csv_complaint(const std::string& text) {
  return complaint({{"edges.csv", text}},
                   [](const auto& folder) { read_edge_csv(folder / "edges.csv"); });
}

/// Two graphs: a path 1 - 2 - 3 with types, and a node 5 next to an edge 4 - 6.
const Files kTu{{"T_A.txt", "1, 2\n2, 1\n3, 2\n2, 3\n6, 4\n4, 6\n"},
                {"T_graph_indicator.txt", "1\n1\n1\n2\n2\n2\n"},
                {"T_graph_labels.txt", "-1\n7\n"},
                {"T_node_labels.txt", "0\n1\n0\n2\n2\n3\n"},
                {"README.txt", "not read"}};

Files with(const std::string& name, const std::string& text) {
  Files files = kTu;
  files[name] = text;
  return files;
}

Files without(const std::string& name) {
  Files files = kTu;
  files.erase(name);
  return files;
}

Graphs read_tu(const Files& files) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : files) write_file(folder / name, text);
  return read_tu_folder(folder.path());
}

std::string tu_complaint(const Files& files) {
  return complaint(files, [](const auto& folder) { read_tu_folder(folder); });
}

TEST(EdgeCsv, ReadsOneGraph) {
  EXPECT_EQ(read_csv("source,target\n4,1\n0,1\n"), (Graphs{{5, {{0, 1}, {1, 4}}, {}, 0}}));
}

TEST(EdgeCsv, GraphsComeInOrderOfTheirFirstRowsWhateverTheOrderOfColumns) {
  const Graphs expected{{3, {{0, 2}, {1, 2}}, {}, 5}, {2, {{0, 1}}, {}, -1}};
  EXPECT_EQ(read_csv("graph,source,target,label\n9,0,2,5\n-4,0,1,-1\n9,1,2,5\n"), expected);
  EXPECT_EQ(read_csv("label,target,graph,source\n5,2,9,0\n-1,1,-4,0\n5,2,9,1\n"), expected);
}

TEST(EdgeCsv, AnEdgeMayBeListedInBothDirections) {
  const Graphs expected{{3, {{0, 1}, {0, 2}, {1, 2}}, {}, 0}};
  EXPECT_EQ(read_csv("source,target\n0,1\n2,1\n2,0\n"), expected);
  EXPECT_EQ(read_csv("source,target\n0,1\n2,1\n2,0\n0,2\n1,0\n"), expected);
}

TEST(EdgeCsv, BlanksLineEndsAndAByteOrderMarkDoNotMatter) {
  EXPECT_EQ(read_csv("\xEF\xBB\xBF source,\ttarget \r\n 0 , 1\r\n1,\t2 \r\n\r\n \n\n"),
            read_csv("source,target\n0,1\n1,2"));
}

TEST(EdgeCsv, ErrorsOfTheHeaderSayWhichColumnsThereAre) {
  EXPECT_EQ(csv_complaint(""),
            "edges.csv:1: the file ends; expected a header with the columns source,target");
  EXPECT_EQ(csv_complaint(" \n\r\n"),
            "edges.csv:1: the file ends; expected a header with the columns source,target");
  EXPECT_EQ(csv_complaint("0, 1\n1, 2\n"),
            "edges.csv:1: '0, 1' is no header; expected a header with the columns source,target");
  EXPECT_EQ(csv_complaint("source,target,weight\n0,1,2\n"),
            "edges.csv:1: no column named 'weight'; known: source, target, graph, label");
  EXPECT_EQ(csv_complaint("Source,target\n0,1\n"),
            "edges.csv:1: no column named 'Source'; did you mean 'source'?; known: source, target, "
            "graph, label");
  EXPECT_EQ(csv_complaint("source,graph\n0,1\n"),
            "edges.csv:1: no column 'target'; expected a header with the columns source,target");
  EXPECT_EQ(csv_complaint("source,target,source\n0,1,2\n"),
            "edges.csv:1: column 'source' is there twice; remove one");
  EXPECT_EQ(csv_complaint("\x1B[2J" + std::string(50, 'x')),
            "edges.csv:1: no column named '\\x1B[2J" + std::string(36, 'x') +
                "...'; known: source, target, graph, label");
}

TEST(EdgeCsv, ErrorsOfARowNameTheLineAndWhatWasExpected) {
  const std::string two = "source,target\n0,1\n";
  EXPECT_EQ(csv_complaint("source,target\n"),
            "edges.csv:2: the file ends; expected 'source,target'");
  EXPECT_EQ(csv_complaint(two + "1\n"), "edges.csv:3: expected 2 fields, 'source,target', found 1");
  EXPECT_EQ(csv_complaint(two + "1,2,3\n"),
            "edges.csv:3: expected 2 fields, 'source,target', found 3");
  EXPECT_EQ(csv_complaint(two + "1,x \n"),
            "edges.csv:3: 'x' is not a whole number; expected 'source,target'");
  EXPECT_EQ(csv_complaint(two + "1 2,3\n"),
            "edges.csv:3: '1 2' is not a whole number; expected 'source,target'");
  EXPECT_EQ(csv_complaint(two + "1.5,2\n"),
            "edges.csv:3: '1.5' is not a whole number; expected 'source,target'");
  EXPECT_EQ(csv_complaint(two + "1,99999999999999999999\n"),
            "edges.csv:3: '99999999999999999999' is too large; expected 'source,target'");
  EXPECT_EQ(csv_complaint(two + "1,\n"),
            "edges.csv:3: a number is missing; expected 'source,target'");
  EXPECT_EQ(csv_complaint(two + "\n1,2\n"),
            "edges.csv:3: a number is missing; expected 'source,target'");
  EXPECT_EQ(csv_complaint(two + "1,-2\n"), "edges.csv:3: node -2; expected 0 to 999999");
  EXPECT_EQ(csv_complaint(two + "1000000,2\n"), "edges.csv:3: node 1000000; expected 0 to 999999");
  EXPECT_EQ(csv_complaint(two + "2,2\n"), "edges.csv:3: node 2 has an edge to itself; remove it");
  EXPECT_EQ(csv_complaint(two + "2,1\n1,0\n2,1\n"),
            "edges.csv:5: the edge from 2 to 1 is also in line 3; keep one");
}

TEST(EdgeCsv, TheLabelOfAGraphIsOne) {
  EXPECT_EQ(csv_complaint("graph,source,target,label\n3,0,1,1\n4,0,1,0\n3,1,2,0\n"),
            "edges.csv:4: label 0, but the graph has label 1 in line 2; expected the same in all "
            "its rows");
}

TEST(EdgeCsv, TheLargestNodeAndTheSameEdgeInTwoGraphsAreFine) {
  const Graphs graphs = read_csv("source,target,graph\n999999,0,1\n999999,0,2\n");
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[0], (SimpleGraph{kMaxNodes, {{0, 999999}}, {}, 0}));
  EXPECT_EQ(graphs[1], graphs[0]);
}

TEST(TuFolder, ReadsGraphsWithLabelsAndTypes) {
  const Graphs expected{{3, {{0, 1}, {1, 2}}, {0, 1, 0}, -1}, {3, {{0, 2}}, {2, 2, 3}, 7}};
  EXPECT_EQ(read_tu(kTu), expected);
  EXPECT_EQ(read_tu(with("T_A.txt", "6,4\r\n2 , 1\r\n2,3\r\n\r\n")), expected);
}

TEST(TuFolder, LabelsMayBeLeftOut) {
  const Graphs plain = read_tu(without("T_graph_labels.txt"));
  ASSERT_EQ(plain.size(), 2U);
  EXPECT_EQ(plain[1], (SimpleGraph{3, {{0, 2}}, {2, 2, 3}, 0}));
  EXPECT_EQ(read_tu(without("T_node_labels.txt"))[1], (SimpleGraph{3, {{0, 2}}, {}, 7}));
}

TEST(TuFolder, ErrorsOfFilesSayWhichAreNeeded) {
  EXPECT_EQ(tu_complaint({}),
            "'' has no file that ends with _A.txt; expected NAME_A.txt and "
            "NAME_graph_indicator.txt");
  EXPECT_EQ(tu_complaint(with("S_A.txt", "1, 2\n")),
            "'' has several files NAME_A.txt (S_A.txt, T_A.txt); keep one");
  EXPECT_EQ(tu_complaint(without("T_graph_indicator.txt")),
            "cannot read '/T_graph_indicator.txt': there is no such file; check the path");
  EXPECT_EQ(complaint({}, [](const auto& folder) { read_tu_folder(folder / "none"); }),
            "'/none' cannot be read: No such file or directory; expected a folder with a file "
            "NAME_A.txt");
  EXPECT_EQ(complaint({}, [](const auto& folder) { read_edge_csv(folder / "none.csv"); }),
            "cannot read '/none.csv': there is no such file; check the path");
}

TEST(TuFolder, ErrorsOfEdgesNameTheLineAndWhatWasExpected) {
  const auto edges = [](const std::string& text) { return tu_complaint(with("T_A.txt", text)); };
  EXPECT_EQ(edges("\n"), "T_A.txt:1: the file ends; expected 'u, v', the nodes of an edge");
  EXPECT_EQ(edges("1, 2\n1\n"),
            "T_A.txt:2: expected two numbers, 'u, v', the nodes of an edge, found 1");
  EXPECT_EQ(edges("1, 2\n1, b\n"),
            "T_A.txt:2: 'b' is not a whole number; expected 'u, v', the nodes of an edge");
  EXPECT_EQ(edges("1, 2\n0, 1\n"),
            "T_A.txt:2: node 0; expected 1 to 6, the lines of NAME_graph_indicator.txt");
  EXPECT_EQ(edges("1, 2\n5, 7\n"),
            "T_A.txt:2: node 7; expected 1 to 6, the lines of NAME_graph_indicator.txt");
  EXPECT_EQ(edges("1, 2\n5, 5\n"), "T_A.txt:2: node 5 has an edge to itself; remove it");
  EXPECT_EQ(edges("1, 2\n3, 4\n"),
            "T_A.txt:2: an edge from node 3 of graph 1 to node 4 of graph 2; expected two of the "
            "same graph");
  EXPECT_EQ(edges("6, 4\n1, 2\n4, 6\n6, 4\n"),
            "T_A.txt:4: the edge from 6 to 4 is also in line 1; keep one");
}

TEST(TuFolder, GraphNumbersStartAtOneAndFollowOneAnother) {
  const auto indicator = [](const std::string& text) {
    return tu_complaint(with("T_graph_indicator.txt", text));
  };
  EXPECT_EQ(indicator(""),
            "T_graph_indicator.txt:1: the file ends; expected the number of a node's graph");
  EXPECT_EQ(indicator("1\n1, 2\n"),
            "T_graph_indicator.txt:2: expected one number, the number of a node's graph, found 2");
  EXPECT_EQ(indicator("0\n1\n"),
            "T_graph_indicator.txt:1: graph 0; expected graph 1, as graphs follow one another");
  EXPECT_EQ(indicator("2\n"),
            "T_graph_indicator.txt:1: graph 2; expected graph 1, as graphs follow one another");
  EXPECT_EQ(
      indicator("1\n3\n"),
      "T_graph_indicator.txt:2: graph 3; expected graph 1 or 2, as graphs follow one another");
  EXPECT_EQ(
      indicator("1\n2\n1\n"),
      "T_graph_indicator.txt:3: graph 1; expected graph 2 or 3, as graphs follow one another");
}

TEST(TuFolder, TheMostNodesAreThoseOfAGraphNotOfTheFolder) {
  std::string indicator;
  for (int64_t node = 0; node < kMaxNodes; ++node) indicator += "1\n";
  const Files files{{"T_A.txt", "1, 2\n1000001, 1000002\n"},
                    {"T_graph_indicator.txt", indicator + "2\n2\n"}};
  const Graphs graphs = read_tu(files);
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[0], (SimpleGraph{kMaxNodes, {{0, 1}}, {}, 0}));
  EXPECT_EQ(graphs[1], (SimpleGraph{2, {{0, 1}}, {}, 0}));
  EXPECT_EQ(tu_complaint(with("T_graph_indicator.txt", indicator + "1\n")),
            "T_graph_indicator.txt:1000001: graph 1 has too many nodes; expected at most 1000000");
}

TEST(TuFolder, ThereIsOneLabelForEachGraphAndNode) {
  EXPECT_EQ(tu_complaint(with("T_graph_labels.txt", "1\n")),
            "T_graph_labels.txt:1: expected 2 labels, one for each graph, found 1");
  EXPECT_EQ(tu_complaint(with("T_graph_labels.txt", "1\n0\n1\n")),
            "T_graph_labels.txt:3: expected 2 labels, one for each graph, found 3");
  EXPECT_EQ(tu_complaint(with("T_graph_labels.txt", "1\n0.5\n")),
            "T_graph_labels.txt:2: '0.5' is not a whole number; expected the label of a graph");
  EXPECT_EQ(tu_complaint(with("T_node_labels.txt", "0\n1\n0\n2\n2\n")),
            "T_node_labels.txt:5: expected 6 labels, one for each node, found 5");
  EXPECT_EQ(tu_complaint(with("T_node_labels.txt", "0\n1, 3\n")),
            "T_node_labels.txt:2: expected one number, the label of a node, found 2");
}

TEST(ReadGraphs, TellsTheFormatsApart) {
  const TemporaryFolder folder;
  const SimpleGraph path{3, {{0, 1}, {1, 2}}, {}, 0};
  write_file(folder / "path.csv", "source,target\n0,1\n1,2\n");
  write_file(folder / "path.g6", "Bg\n");
  write_file(folder / "path.txt", "1\n3 0\n4 1 1\n4 2 0 2\n4 1 1\n");
  std::filesystem::create_directory(folder / "path");
  write_file(folder / "path/T_A.txt", "1, 2\n2, 3\n");
  write_file(folder / "path/T_graph_indicator.txt", "1\n1\n1\n");
  EXPECT_EQ(read_graphs(folder / "path.csv"), Graphs{path});
  EXPECT_EQ(read_graphs(folder / "path"), Graphs{path});
  EXPECT_EQ(read_graphs(folder / "path.g6")[0].edges.size(), 2U);
  EXPECT_EQ(read_graphs(folder / "path.txt")[0].types, (std::vector<int64_t>{4, 4, 4}));
  write_file(folder / "path.edges", "source,target\n0,1\n1,2\n");
  EXPECT_EQ(read_graphs(folder / "path.edges"), Graphs{path});
  write_file(folder / "zeros", std::string("Bg\n\0\0", 5));
  EXPECT_NE(data_test::message_of<UserError>([&] {
              read_graphs(folder / "zeros");
            }).find("byte 4 is zero"),
            std::string::npos);
}

/// What cannot be read twice, or measured before it is read.
TEST(ReadGraphs, ReadsPipes) {
  const TemporaryFolder folder;
  for (const char* text :
       {"Bg\n", ":Bd\n", "source,target\n0,1\n1,2\n", "1\n3 0\n0 1 1\n0 2 0 2\n0 1 1\n"}) {
    const auto pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { write_file(pipe, text); });
    const Graphs graphs = read_graphs(pipe);
    writer.join();
    ASSERT_EQ(graphs.size(), 1U) << text;
    EXPECT_EQ(graphs[0].edges.size(), 2U) << text;
    std::filesystem::remove(pipe);
  }
}

TEST(GraphBatch, RefusesListsThatFillTheMemory) {
  SimpleGraph star{100000, {}, {}, 0};
  for (int32_t u = 1; u < 100000; ++u) star.edges.push_back({0, u});
  EXPECT_NE(data_test::message_of<UserError>([&] { graph_batch({star}); }).find("99999 neighbours"),
            std::string::npos);
}

}  // namespace
}  // namespace equiframe
