/// `equiframe graph` and the graphs of `equiframe data` as a user meets them.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "run_program.h"
#include "tests/support/temporary_folder.h"

namespace equiframe::app_test {
namespace {

class GraphFiles : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text = "") const {
    const auto path = folder_ / name;
    if (!text.empty()) test_support::write_file(path, text);
    return "'" + path.string() + "'";
  }

  test_support::TemporaryFolder folder_;
};

TEST_F(GraphFiles, CanonicalLinesAreEqualForEqualGraphs) {
  // The path of three nodes in both labellings, and a triangle.
  const Outcome result = run_program("graph canon " + file("p.g6", "BW\nBg\nBw\n"), "", "2>&1");
  ASSERT_EQ(result.code, 0) << result.out;
  const std::string first = result.out.substr(0, result.out.find('\n'));
  EXPECT_EQ(result.out, first + "\n" + first + "\nBw 6\n");
  EXPECT_EQ(first.substr(first.size() - 2), " 2");
  const Outcome classes = run_program("graph canon --classes --json " + file("p.g6"), "", "2>&1");
  const auto document = nlohmann::json::parse(classes.out);
  ASSERT_EQ(document.size(), 2U);
  EXPECT_EQ(document[0]["members"], (std::vector<int>{1, 2}));
}

TEST_F(GraphFiles, InfoNamesSpectrumAndFrames) {
  const Outcome result = run_program("graph info " + file("star.g6", "G???F{\n"), "", "2>&1");
  ASSERT_EQ(result.code, 0) << result.out;
  EXPECT_NE(result.out.find("8 nodes, 7 edges, components 1, |Aut| 5040, m_G 8"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("Laplacian 0 1 (6 times) 8"), std::string::npos) << result.out;
  const Outcome json = run_program("graph info --json " + file("star.g6"), "", "2>&1");
  const auto frames = nlohmann::json::parse(json.out)[0]["frames"];
  EXPECT_NEAR(frames["laplacian"]["log10_m_F"].get<double>(), 0, 1e-12);
}

TEST_F(GraphFiles, SetsAreMadeAndRead) {
  const Outcome made = run_program("data graph8c --nodes 5 --out " + file("five.g6"), "", "2>&1");
  ASSERT_EQ(made.code, 0) << made.out;
  EXPECT_NE(made.out.find("21 graphs"), std::string::npos) << made.out;
  const Outcome pairs =
      run_program("data exp --pairs 4 --json --out " + file("exp.txt"), "", "2>/dev/null");
  ASSERT_EQ(pairs.code, 0) << pairs.out;
  EXPECT_EQ(nlohmann::json::parse(pairs.out)["graphs"], 8);
  const Outcome classes =
      run_program("graph canon --classes --json " + file("exp.txt"), "", "2>&1");
  EXPECT_EQ(nlohmann::json::parse(classes.out).size(), 8U);
}

TEST_F(GraphFiles, SeparationIsCountedAndReported) {
  run_program("data exp --pairs 3 --out " + file("exp.txt"), "", "2>/dev/null");
  run_program("data graph8c --nodes 6 --out " + file("six.g6"), "", "2>/dev/null");
  const Outcome result =
      run_program("reproduce separation --json --seeds 2 --rows " +
                      std::string("gin,gin+id-fa-canonical,gin+id-ga") + " --graph8c " +
                      file("six.g6") + " --exp " + file("exp.txt") + " --out " + file("report"),
                  "", "2>/dev/null");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto rows = nlohmann::json::parse(result.out)["rows"];
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0]["exp"]["ours"]["unseparated"], 3);  // 1-WL
  EXPECT_EQ(rows[0]["exp"]["ours"]["falsely_separated"], 0);
  EXPECT_EQ(rows[1]["graph8c"]["ours"]["unseparated"], 0);
  EXPECT_EQ(rows[1]["graph8c"]["ours"]["falsely_separated"], 0);
  EXPECT_GT(rows[2]["graph8c"]["ours"]["falsely_separated"], 50);
  const std::string page = test_support::read_file(folder_ / "report/report.html");
  EXPECT_NE(page.find("falsely separated"), std::string::npos);
}

TEST_F(GraphFiles, MistakesNameTheLine) {
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    const Outcome result = run_program(arguments, "", "2>&1");
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_NE(result.out.find(part), std::string::npos) << result.out;
  };
  expect("graph canon " + file("bad.g6", "Bw\nG???\n"), "bad.g6:2: a graph of 8 nodes takes 5");
  expect("graph info " + file("bad.txt", "1\n2 0\n0 1 1\n0 0\n"), "bad.txt:4: graph 0");
  expect("graph info " + file("none.g6"), "check the path");
  expect("data graph8c --nodes 12 --out " + file("x.g6"), "from 1 to 9");
  expect("data exp --pairs 0 --out " + file("x.txt"), "at least one pair");
  expect("reproduce separation --rows gim --out " + file("r"), "gin");
  expect("reproduce separation --budget hour --out " + file("r"), "quick");
}

}  // namespace
}  // namespace equiframe::app_test
