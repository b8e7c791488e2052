#include "io/graphs/graph_text.h"

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/io/temporary_folder.h"

namespace equiframe {
namespace {

using data_test::TemporaryFolder;
using data_test::write_file;

const std::string kPair = "2\n3 1\n0 1 1\n1 2 0 2\n0 1 1\n2 0\n1 0\n1 0\n";

std::string text_complaint(const std::string& text) {
  const TemporaryFolder folder;
  const auto file = folder / "graphs.txt";
  write_file(file, text);
  const std::string said = data_test::message_of<UserError>([&] { read_graph_text(file); });
  return said.substr(folder.path().string().size() + 1);
}

TEST(GraphText, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  const auto file = folder / "graphs.txt";
  write_file(file, kPair);
  const auto graphs = read_graph_text(file);
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[0], (SimpleGraph{3, {{0, 1}, {1, 2}}, {0, 1, 0}, 1}));
  EXPECT_EQ(graphs[1], (SimpleGraph{2, {}, {1, 1}, 0}));
  const auto again = folder / "again.txt";
  write_graph_text(again, graphs);
  EXPECT_EQ(data_test::read_file(again), kPair);
}

TEST(GraphText, ErrorsNameTheLineAndWhatWasExpected) {
  EXPECT_EQ(text_complaint(""), "graphs.txt:1: the file ends; expected the number of graphs");
  EXPECT_EQ(text_complaint("x\n"),
            "graphs.txt:1: 'x' is not a whole number; expected the number of graphs");
  EXPECT_EQ(text_complaint("1\n3\n"), "graphs.txt:2: expected 'nodes label' of graph 0");
  EXPECT_EQ(text_complaint("1\n2 0\n0 1 1\n"),
            "graphs.txt:4: the file ends; expected 'type degree neighbours' of node 1");
  EXPECT_EQ(text_complaint("1\n2 0\n0 2 1\n0 1 0\n"),
            "graphs.txt:3: node 0 announces 2 neighbours and lists 1");
  EXPECT_EQ(text_complaint("1\n2 0\n0 1 2\n0 0\n"),
            "graphs.txt:3: neighbour 2 of node 0 is not among nodes 0 to 1");
  EXPECT_EQ(text_complaint("1\n2 0\n0 1 0\n0 0\n"),
            "graphs.txt:3: node 0 is its own neighbour; remove the loop");
  EXPECT_EQ(text_complaint("1\n2 0\n0 1 1\n0 0\n"),
            "graphs.txt:4: graph 0, which ends here, is not symmetric: node 0 lists 1, but node 1 "
            "does not list 0");
  EXPECT_EQ(text_complaint("1\n2 0\n0 2 1 1\n0 2 0 0\n"),
            "graphs.txt:4: graph 0, which ends here: node 0 lists neighbour 1 twice");
  EXPECT_EQ(text_complaint("1\n99999999999 0\n"),
            "graphs.txt:2: graph 0 has 99999999999 nodes; expected 1 to 1000000");
  EXPECT_EQ(text_complaint(kPair + "1 0\n"),
            "graphs.txt:9: more lines than the graphs announced in the first one");
}

}  // namespace
}  // namespace equiframe
