/// `equiframe graph` and the graphs of `equiframe data` as a user meets them.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "equiframe/io/npy.h"
#include "tests/app/run_program.h"
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
      run_program("reproduce separation --parts count --json --seeds 2 --rows " +
                      std::string("gin,gin-id-fa-canonical,gin-id-ga") + " --graph8c " +
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

TEST_F(GraphFiles, EmbeddingsDoNotDependOnTheOrderOfNodes) {
  // A path of three nodes twice, labelled differently, and a triangle.
  const auto embed = [&](const std::string& model) {
    const Outcome result =
        run_program("graph embed '" + model + "' " + file("p.g6", "BW\nBg\nBw\n") +
                        " --json --out " + file("e.npy"),
                    "", "2>&1");
    EXPECT_EQ(result.code, 0) << result.out;
    return std::pair{read_npy(folder_ / "e.npy"),
                     nlohmann::json::parse(result.out, nullptr, false)};
  };
  const auto [rows, said] = embed("gin-id(nodes=4)");
  ASSERT_EQ(rows.sizes(), (std::vector<int64_t>{3, 10}));
  EXPECT_EQ(said["symmetry"], "S(n)");
  const auto distance = [](const Tensor& a, const Tensor& b) {
    return (a - b).abs().max().item<double>();
  };
  EXPECT_LT(distance(rows[0], rows[1]), 1e-6);
  EXPECT_GT(distance(rows[0], rows[2]), 1e-3);
  const auto [random, none] = embed("gin-id(nodes=4, frame=identity)");
  EXPECT_EQ(none["symmetry"], "none");
  EXPECT_GT(distance(random[0], random[1]), 1e-3) << "a network without a frame must fail";
}

/// Graphs that ended in a stack overflow, or took minutes.
TEST_F(GraphFiles, LargeGraphsOfFewEdgesAreQuick) {
  std::string alone = "1\n100000 0\n";
  for (int k = 0; k < 100000; ++k) alone += "0 0\n";
  const auto quick = [&](const std::string& arguments) {
    const Outcome result = run_program(arguments, "timeout 20", "2>&1");
    EXPECT_EQ(result.code, 0) << arguments << result.out.substr(0, 200);
    return result.out;
  };
  const std::string form = quick("graph canon --json " + file("alone.txt", alone));
  EXPECT_NE(form.find("2.82423e456573"), std::string::npos) << form.substr(0, 200);
  EXPECT_NE(quick("graph info " + file("alone.txt")).find("components 100000"), std::string::npos);
  const std::string pair = file("pair.csv", "source,target\n0,4000\n");
  EXPECT_LT(quick("graph canon " + pair).size(), 2'000'000U);
  EXPECT_NE(quick("graph embed gin " + pair + " --out " + file("e.npy")).find("1 graphs"),
            std::string::npos);
  EXPECT_NE(quick("graph info " + file("some.csv", "source,target\n0,1500\n")).find("1501 nodes"),
            std::string::npos);
  for (const char* head : {":~@??\n", ":~~????~~~\n"})
    EXPECT_EQ(quick("graph canon " + file("head.s6", head)).front(), '~');
}

TEST_F(GraphFiles, PipesAreRead) {
  const std::string written = file("p.g6", "BW\n:Bd\n");
  const Outcome expected = run_program("graph canon " + written);
  ASSERT_EQ(expected.code, 0) << expected.out;
  for (const char* name : {"/dev/stdin", "-"}) {
    const Outcome result = run_program(std::string("graph canon ") + name, "cat " + written + " |");
    EXPECT_EQ(result.code, 0) << result.out;
    EXPECT_EQ(result.out, expected.out) << name;
  }
  const Outcome edges =
      run_program("graph canon -", "cat " + file("e.csv", "source,target\n0,1\n1,2\n") + " |");
  EXPECT_EQ(edges.out, expected.out.substr(0, edges.out.size()));
  EXPECT_NE(run_program("graph canon - </dev/null").out.find("has no graph in it"),
            std::string::npos);
}

/// An empty graph of eight nodes has 40,320 orders that tie, more than are listed.
TEST_F(GraphFiles, WhatIsDrawnIsNotCalledInvariant) {
  const std::string graphs = file("mixed.g6", "GCQbfW\nG?????\n");
  const auto said = [&](const std::string& frame, const std::string& more) {
    const Outcome result = run_program("graph embed 'gin-id(frame=" + frame + ")' " + graphs +
                                       " --out " + file("e.npy") + more);
    EXPECT_EQ(result.code, 0) << result.out;
    return result.out;
  };
  const std::string text = said("laplacian", "");
  EXPECT_NE(text.find("invariant to the order of nodes for 1 of 2 graphs"), std::string::npos)
      << text;
  const auto json = nlohmann::json::parse(said("laplacian", " --json"));
  EXPECT_EQ(json["symmetry"], "none");
  EXPECT_EQ(json["invariant_graphs"], 1);
  EXPECT_NE(said("laplacian(max_elements=40320)", "").find(", invariant to the order of nodes\n"),
            std::string::npos);
}

/// Train on a file, measure, predict and embed; also EXP-classify through `reproduce`.
TEST_F(GraphFiles, ClassesAreLearntAndPredicted) {
  run_program("data exp --pairs 12 --out " + file("exp.txt"), "", "2>/dev/null");
  const std::string config = file("mine.toml",
                                  "[data]\nname = 'graphs'\n[model]\nname = 'gin-id'\n"
                                  "nodes = 64\ntask = 'classify'\n[train]\nepochs = 40\n"
                                  "batch = 16\nloss = 'cross-entropy'\nthreads = 1\n");
  const std::string data = " --data " + file("exp.txt");
  const Outcome trained =
      run_program("train " + config + data + " --json --out " + file("run"), "", "2>/dev/null");
  ASSERT_EQ(trained.code, 0) << trained.out;
  const auto metrics = nlohmann::json::parse(trained.out)["metrics"];
  const Outcome measured =
      run_program("eval " + file("run") + data + " --split train --json", "", "2>/dev/null");
  ASSERT_EQ(measured.code, 0) << measured.out;
  const auto evaluation = nlohmann::json::parse(measured.out);
  EXPECT_EQ(evaluation["train_accuracy"], metrics["train_accuracy"]);
  EXPECT_EQ(evaluation["equivariance"]["group"], "S(n)");
  EXPECT_LT(evaluation["equivariance"]["float32"].get<double>(), 1e-5);
  const Outcome predicted =
      run_program("predict " + file("run") + " --json --in " + file("exp.txt"), "", "2>/dev/null");
  ASSERT_EQ(predicted.code, 0) << predicted.out;
  const auto classes = nlohmann::json::parse(predicted.out);
  ASSERT_EQ(classes.size(), 24U);
  int right = 0;  // graphs from the eighth on were trained on, labels 1 and 0 in turn
  for (size_t k = 8; k < 24; ++k) right += classes[k]["class"] == (k % 2 == 0 ? 1 : 0) ? 1 : 0;
  EXPECT_EQ(right / 16.0, metrics["train_accuracy"].get<double>());
}

TEST_F(GraphFiles, ExpClassifyIsTrainedOnceAndReported) {
  run_program("data exp --pairs 6 --out " + file("exp.txt"), "", "2>/dev/null");
  const std::string command =
      "reproduce separation --json --parts classify --rows gin,gin-id-fa-canonical --set "
      "train.epochs=2 --set train.batch=4 --exp " +
      file("exp.txt") + " --out " + file("report");
  const Outcome result = run_program(command, "", "2>/dev/null");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto rows = nlohmann::json::parse(result.out)["rows"];
  EXPECT_EQ(rows[0]["exp_classify"]["paper"], 0.5);
  EXPECT_EQ(rows[0]["exp_classify"]["ours"]["test_accuracy"], 0.5);
  EXPECT_TRUE(rows[1]["exp_classify"]["paper"].is_null());
  EXPECT_EQ(rows[1]["exp_classify"]["ours"]["symmetry"], "S(n)");
  EXPECT_TRUE(rows[0]["exp"]["ours"].is_null());
  const Outcome again = run_program(command, "", "2>&1 >/dev/null");
  EXPECT_NE(again.out.find("2 of 2 runs are finished and reused"), std::string::npos) << again.out;
  const std::string page = test_support::read_file(folder_ / "report/report.html");
  EXPECT_NE(page.find("EXP-classify"), std::string::npos);
}

/// The rook's graph on 4 x 4 squares and the Shrikhande graph: 2-FWL leaves them together.
TEST_F(GraphFiles, StronglyRegularGraphsAreCountedToo) {
  run_program("data exp --pairs 3 --out " + file("exp.txt"), "", "2>/dev/null");
  run_program("data graph8c --nodes 4 --out " + file("four.g6"), "", "2>/dev/null");
  const std::string regular = file("sr.g6",
                                   "OlfJHsHBGK_\\oHWKeBK_\\\n"
                                   "O~`HW}GPHDaNaGPCcPWaN\n");
  const Outcome info = run_program("graph info " + regular, "", "2>&1");
  EXPECT_NE(info.out.find("strongly regular (16, 6, 2, 2)"), std::string::npos) << info.out;
  const std::string command = "reproduce separation --parts count --json --seeds 2 --rows " +
                              std::string("ppgn,gin-id-fa-canonical --graph8c ") + file("four.g6") +
                              " --exp " + file("exp.txt") + " --out " + file("report") +
                              " --regular ";
  const Outcome result = run_program(command + regular, "", "2>/dev/null");
  ASSERT_EQ(result.code, 0) << result.out;
  const auto rows = nlohmann::json::parse(result.out)["rows"];
  EXPECT_EQ(rows[0]["strongly_regular"]["unseparated"], 1);  // of one pair
  EXPECT_EQ(rows[1]["strongly_regular"]["unseparated"], 0);
  EXPECT_EQ(rows[1]["strongly_regular"]["falsely_separated"], 0);
  const Outcome wrong = run_program(command + file("four.g6"), "", "2>&1");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.out.find("is not strongly regular"), std::string::npos) << wrong.out;
}

TEST_F(GraphFiles, AnInterruptedCountSaysHowToGoOn) {
  run_program("data exp --pairs 3 --out " + file("exp.txt"), "", "2>/dev/null");
  run_program("data graph8c --nodes 6 --out " + file("six.g6"), "", "2>/dev/null");
  const std::string out = file("it is counted");  // in quotes
  const Outcome stopped =
      run_program("reproduce separation --parts count --seeds 100000000 --rows gin --graph8c " +
                      file("six.g6") + " --exp " + file("exp.txt") + " --out " + out,
                  "",
                  "2>&1 & p=$!; for i in $(seq 300); do test -d " + out +
                      " && break; sleep 0.1; done; sleep 0.5; kill -INT $p; wait $p");
  EXPECT_EQ(stopped.code, 130) << stopped.out;
  EXPECT_NE(stopped.out.find("Go on with:\n  equiframe reproduce separation"), std::string::npos)
      << stopped.out;
  for (const std::string& part :
       {"--graph8c " + (folder_ / "six.g6").string(), "--out " + out + "\n"})
    EXPECT_NE(stopped.out.find(part), std::string::npos) << part << " in\n" << stopped.out;
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
  expect("reproduce separation --parts cuont --out " + file("r"), "count");
  expect("graph embed linear " + file("p.g6", "Bw\n"), "networks on graphs");
  expect("graph embed none.safetensors " + file("p.g6"), "check the path");
  expect("graph embed gim " + file("p.g6"), "gin");
  expect("graph embed 'gin-id(nodes=2)' " + file("p.g6"), "nodes=3");
}

}  // namespace
}  // namespace equiframe::app_test
