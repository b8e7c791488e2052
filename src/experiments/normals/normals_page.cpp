/// The report on normals as a web page.
#include "experiments/normals/normals_tables.h"
#include "report/chart.h"
#include "report/page.h"

namespace equiframe::inline experiments {
namespace {

using report::Colour;
using report::Dash;
using report::Mark;
using report::Point;
using report::Scale;
using report::Svg;

/// One chart a column: seven rows with six marks each would be a riddle.
Svg error_chart(const NormalsReport& report, CloudSetting setting) {
  report::DotChart chart;
  chart.description =
      "Test error of each row in the setting " + to_string(setting) + ", the paper's and ours";
  chart.axis = {"mean 1 - (n.n')², " + to_string(setting), Scale::kLinear};
  chart.looks = {{"paper, 10,000 models of ABC", Colour::kWarm, Mark::kDiamond},
                 {"ours, on our clouds", Colour::kCool, Mark::kDot}};
  for (const NormalsRow& row : report.rows)
    chart.rows.push_back(
        {row.title(), "", {paper_value(report, row, setting), row.mean_error(setting)}});
  return draw(chart);
}

/// What turning the test clouds does to our rows.
Svg turning_chart(const NormalsReport& report) {
  report::DotChart chart;
  chart.description = "Our test errors in the three settings, row by row";
  chart.axis = {"mean 1 - (n.n')², ours", Scale::kLinear};
  chart.looks = {{"I/I", Colour::kCool, Mark::kRing},
                 {"I/SO(3)", Colour::kWarm, Mark::kDiamond},
                 {"SO(3)/SO(3)", Colour::kFresh, Mark::kDot}};
  for (const NormalsRow& row : report.rows) {
    chart.rows.push_back({row.title(), "", {}});
    for (const CloudSetting setting : kCloudSettings)
      chart.rows.back().values.push_back(row.mean_error(setting));
  }
  return draw(chart);
}

Svg accuracy_chart(const NormalAccuracy& accuracy, SurfaceKind kind) {
  report::LineChart chart;
  chart.description = "RMS angle over the noise, mean over " + to_string(kind);
  chart.x = {"noise, % of the diagonal of the box", Scale::kLinear};
  chart.y = {"RMS angle in degrees, mean over " + to_string(kind), Scale::kLinear};
  std::vector<Point> pca, chosen, jet, network;
  for (const double noise : accuracy.noise) {
    const MeanAccuracy mean = mean_accuracy(accuracy, kind, noise);
    pca.push_back({100 * noise, mean.pca});
    chosen.push_back({100 * noise, mean.chosen});
    jet.push_back({100 * noise, mean.jet});
    network.push_back({100 * noise, mean.network});
  }
  chart.series = {{{"PCA, best k", Colour::kWarm, Mark::kDiamond}, pca},
                  {{"PCA, k chosen", Colour::kWarm, Mark::kRing, Dash::kDashed}, chosen},
                  {{"jets, best k", Colour::kFresh, Mark::kRing}, jet}};
  if (std::isfinite(network.front().y))
    chart.series.push_back({{"ours", Colour::kCool, Mark::kDot}, network});
  return draw(chart);
}

void add_table1(report::Page& page, const NormalsReport& report) {
  page.section("Table 1 beside the paper's");
  page.figure({turning_chart(report)},
              "Our test errors, lower is better. A network that is equivariant has the same error "
              "in I/I and I/SO(3). Rest the pointer on a mark for its value.");
  page.table(table1_table(report).table());
  for (const std::string& remark : table1_remarks(report)) page.paragraph(remark);
  for (const CloudSetting setting : kCloudSettings)
    page.figure({error_chart(report, setting)},
                "Column " + to_string(setting) + ", the paper's and ours.");
  const TextTable turning = turning_table(report);
  if (turning.rows.empty()) return;
  page.section("The same weights on upright and turned clouds");
  page.paragraph(
      "Test clouds of I/I and I/SO(3) are the same points, turned. The angle is that between the "
      "normals of a turned cloud and the turned normals of the cloud, in float32, for the first "
      "clouds of the test set.");
  page.table(turning.table());
}

void add_accuracy(report::Page& page, const NormalsReport& report) {
  const NormalAccuracy& accuracy = report.accuracy;
  if (accuracy.cells.empty()) return;
  page.section("Accuracy beside the classical methods");
  for (const SurfaceKind kind : {SurfaceKind::kHeldOut, SurfaceKind::kNamed, SurfaceKind::kMesh})
    if (accuracy.has(kind))
      page.figure({accuracy_chart(accuracy, kind)},
                  "RMS angle of unoriented normals over the noise: " + to_string(kind) + ".");
  page.table(accuracy_means(report).table());
  for (const std::string& remark : accuracy_remarks(report)) page.paragraph(remark);
  page.section("Every surface");
  page.table(accuracy_cells(report).table());
}

}  // namespace

std::string to_html(const NormalsReport& report) {
  report::Page page(title(report), summary(report));
  if (!report.rows.empty()) add_table1(page, report);
  add_accuracy(page, report);
  page.section("Where this comes from");
  page.facts(report.provenance);
  return page.html();
}

}  // namespace equiframe::inline experiments
