/// What the report of Table 1 says.
#include "experiments/normals/normals_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/contains.h"
#include "tests/support/source_tree.h"

namespace {

using equiframe::test_support::contains;
using namespace equiframe::experiments;

RunOutcome outcome(const std::string& setting, double error, const std::string& group) {
  RunOutcome run;
  run.config.train.epochs = 250;
  run.config.data.settings["setting"] = setting;
  run.parameters = 2509699;
  run.test.error = error;
  run.epochs = 250;
  run.stopped_by = "epochs";
  run.group = group;
  run.group_error64 = 1.5e-14;
  run.data_description = "128 points of shapes";
  return run;
}

/// What the config says of the paper, but for a recipe of our own.
equiframe::PaperValue paper(const std::string& name) {
  const auto configs = equiframe::test_support::source_tree() / "configs/normals";
  equiframe::PaperValue value = equiframe::load_config(configs / (name + ".toml")).paper;
  value.own.clear();
  return value;
}

NormalsRow normals_row(const std::string& name, const std::string& group) {
  NormalsRow row;
  row.name = name;
  row.protocol.train.epochs = 250;
  row.protocol.paper = paper(name);
  row.planned = 2;
  row.upright = {outcome("I/SO3", 0.4321, group)};
  row.turned = {outcome("SO3/SO3", 0.2345, group)};
  return row;
}

NormalsReport example() {
  NormalsReport report;
  report.rows = {normals_row("pointnet", "none"), normals_row("fa-pointnet", "E(3)"), {}};
  report.rows[0].turning = {{0.1234, 0.4321, 31, 90}};
  report.rows[1].turning = {{0.345678, 0.345679, 1e-5, 1e-4}};
  report.rows[2].name = "dgcnn";
  report.rows[2].protocol.paper = paper("dgcnn");
  report.rows[2].planned = 2;
  report.accuracy.surfaces = {{"sphere", SurfaceKind::kNamed, {}, {}}};
  report.accuracy.noise = {0, 0.01};
  report.accuracy.cells = {{0, 0, {2.5, 12}, {1.25, 24}, {2.75, 16}, NAN},
                           {0, 0.01, {7.5, 96}, {6.25, 128}, {7.75, 64}, NAN}};
  report.provenance = {{"command", "equiframe reproduce normals"}, {"commit", "0123abc"}};
  return report;
}

TEST(NormalsReports, SayTheSameInAllForms) {
  const NormalsReport report = example();
  for (const std::string& text : {to_markdown(report), to_html(report), to_json(report)})
    for (const char* part :
         {"PointNet", "0.207", "0.449", "0.258", "0.123", "0.432", "0.234", "sphere", "0123abc"})
      EXPECT_TRUE(contains(text, part)) << part << " in\n" << text;
  EXPECT_TRUE(contains(to_markdown(report), "2,509,699"));
  EXPECT_TRUE(contains(to_markdown(report), "full: 250 epochs"));
  EXPECT_TRUE(contains(to_markdown(report), "2 not finished"));
  EXPECT_TRUE(contains(to_markdown(report), "128 points of shapes"));
}

TEST(NormalsReports, TellASymmetryFromNone) {
  const std::string text = summary(example());
  EXPECT_TRUE(contains(text, "2 of 3 rows")) << text;
  EXPECT_TRUE(contains(text, "the same error on upright and on turned test clouds, up to 1e-6"))
      << text;
  EXPECT_TRUE(contains(text, "PointNet from 0.12 to 0.43")) << text;
  NormalsReport broken = example();
  broken.rows[1].turning[0].turned = 0.4;
  EXPECT_FALSE(contains(summary(broken), "the same error")) << "a symmetry that does not hold";
  EXPECT_TRUE(contains(summary(broken), "differ by up to 0.05")) << summary(broken);
}

TEST(NormalsReports, HaveNoNumberWhereThereIsNone) {
  const NormalsReport report = example();
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_TRUE(json["rows"][2]["columns"]["I/I"]["ours"].is_null());
  EXPECT_TRUE(json["rows"][2]["parameters"].is_null());
  EXPECT_EQ(json["rows"][2]["columns"]["I/I"]["paper"], 0.070);
  EXPECT_EQ(json["rows"][1]["columns"]["I/SO(3)"]["ours"], 0.345679);
  EXPECT_TRUE(json["accuracy"]["cells"][0]["ours"].is_null());
  EXPECT_EQ(json["accuracy"]["means"][1]["jet_best_k"], 6.25);
  EXPECT_TRUE(json["accuracy"]["means"][1]["ours_over_pca"].is_null());
  for (const std::string& text : {to_markdown(report), to_html(report)})
    EXPECT_FALSE(contains(text, "nan")) << text;
  EXPECT_TRUE(contains(to_markdown(report), "normals-fa-patch.safetensors was not found"));
}

TEST(NormalsReports, NameTheNetworkAndItsRatio) {
  NormalsReport report = example();
  report.network = "models/normals-fa-patch.safetensors";
  report.accuracy.cells[0].network = 1.25;
  report.accuracy.cells[1].network = 6;
  EXPECT_TRUE(contains(summary(report), "0.50 to 0.80 on named shapes")) << summary(report);
  EXPECT_FALSE(contains(to_markdown(report), "was not found"));
}

TEST(NormalsReports, OfAccuracyAloneSayNothingOfTable1) {
  NormalsReport report = example();
  report.rows.clear();
  report.network = "models/normals-fa-patch.safetensors";
  report.accuracy.cells[0].network = 1.25;
  for (const std::string& text : {summary(report), to_markdown(report), to_html(report)}) {
    EXPECT_FALSE(contains(text, "Table 1")) << text;
    EXPECT_TRUE(contains(text, "on named shapes")) << text;
  }
}

TEST(NormalsReports, GiveMeanAndDeviationOverSeeds) {
  NormalsReport report = example();
  report.rows[0].turning.push_back({0.2234, 0.5, 31, 90});
  EXPECT_TRUE(contains(markdown_table(report), "0.173 ± 0.071")) << markdown_table(report);
}

/// A whole run of a recipe that is ours is not a whole run of the paper's.
TEST(NormalsReports, SayWhoseRecipeItIs) {
  NormalsReport report = example();
  report.rows[1].protocol.paper.own = "one random element";
  const std::string text = to_markdown(report);
  EXPECT_TRUE(contains(text, "our recipe, full: 250 epochs")) << text;
  EXPECT_TRUE(contains(text, "| full: 250 epochs")) << "of PointNet, which is the paper's\n"
                                                    << text;
  EXPECT_TRUE(contains(text, "FA-PointNet: one random element")) << text;
  EXPECT_TRUE(contains(summary(report), "1 of them by a recipe of our own")) << summary(report);
  EXPECT_FALSE(contains(text, "Rows marked 'reduced'")) << text;
}

/// The paper's values are of 8,000 and 2,000 meshes of ABC: beside others they stand nowhere.
TEST(NormalsReports, ShowThePapersValuesOnlyBesideItsSet) {
  NormalsReport report = example();
  const auto on_meshes = [&](const std::string& counts) {
    for (NormalsRow& row : report.rows)
      for (auto* runs : {&row.upright, &row.turned})
        for (RunOutcome& run : *runs) {
          run.config.data.name = "abc";
          run.data_description = "512 points, setting I/I, " + counts + " meshes, validation from";
        }
    return to_markdown(report) + to_json(report);
  };
  EXPECT_TRUE(contains(on_meshes("7200/800/2000"), "0.207"));
  for (const char* other : {"36000/4000/10000", "7200/800/1999", "9/1/2", ""}) {
    EXPECT_FALSE(contains(on_meshes(other), "0.207")) << other;
    EXPECT_TRUE(contains(on_meshes(other), "The paper's numbers are not shown")) << other;
  }
}

TEST(NormalsReports, MeasureTheClaimThatFaDgcnnIsNotBehind) {
  NormalsReport report = example();
  EXPECT_FALSE(contains(to_markdown(report), "not behind DGCNN"));
  report.rows = {normals_row("dgcnn", "none"), normals_row("fa-dgcnn", "E(3)")};
  report.rows[0].turning = {{0.255, 0.372, 31, 90}};
  report.rows[1].turning = {{0.3, 0.3, 1e-5, 1e-4}};
  const std::string text = to_markdown(report);
  EXPECT_TRUE(contains(text, "I/I 0.300 and 0.255 (behind), I/SO(3) 0.300 and 0.372 (ahead)"))
      << text;
  EXPECT_TRUE(contains(text, "1 training of each: too few")) << text;
}

TEST(NormalsReports, StandWithoutAnything) {
  const NormalsReport report;
  EXPECT_TRUE(contains(to_html(report), "</html>"));
  EXPECT_EQ(nlohmann::json::parse(to_json(report))["rows"].size(), 0U);
}

TEST(NormalsReports, HaveThePapersNumbersFromTheConfigs) {
  NormalsReport report;
  report.rows = {normals_row("vn-dgcnn", "SO(3)")};
  NormalsRow& row = report.rows[0];
  EXPECT_EQ(paper_value(report, row, CloudSetting::kUpright), 0.133);
  EXPECT_EQ(paper_value(report, row, CloudSetting::kTurnedTest), 0.130);
  EXPECT_EQ(paper_value(report, row, CloudSetting::kTurned), 0.144);
  row.protocol.paper = {};
  for (const CloudSetting setting : kCloudSettings)
    EXPECT_TRUE(std::isnan(paper_value(report, row, setting)));
}

}  // namespace
