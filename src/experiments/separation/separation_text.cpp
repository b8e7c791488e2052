/// The separation report in its three forms.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/plain_text.h"
#include "experiments/runner/report_table.h"
#include "experiments/separation/separation_classify.h"
#include "experiments/separation/separation_report.h"
#include "report/chart.h"
#include "report/page.h"

namespace equiframe::inline experiments {
namespace {

using nlohmann::ordered_json;
using report::Align;

std::string paper_cell(int64_t count) {
  return count < 0 ? "—" : whole_number(count);
}

std::string ours_cell(const std::optional<Separation>& counted) {
  return counted ? whole_number(counted->unseparated) : "—";
}

/// "0", "36.5 %"
std::string false_cell(const std::optional<Separation>& counted) {
  if (!counted) return "—";
  if (counted->falsely_separated == 0) return "0";
  return text::printed("%.1f %%", 100.0 * static_cast<double>(counted->falsely_separated) /
                                      static_cast<double>(counted->graphs));
}

TextTable table(const SeparationReport& report) {
  TextTable result;
  result.columns = {{"row"},
                    {"GRAPH8c, paper", Align::kRight},
                    {"ours", Align::kRight},
                    {"false", Align::kRight},
                    {"EXP, paper", Align::kRight},
                    {"ours", Align::kRight},
                    {"false", Align::kRight}};
  if (!report.regular_source.empty()) {
    result.columns.push_back({"strongly regular", Align::kRight});
    result.columns.push_back({"false", Align::kRight});
  }
  for (const SeparationRow& row : report.rows) {
    if (!row.graph8c && !row.exp) continue;
    result.rows.push_back({row.title, paper_cell(row.paper_graph8c), ours_cell(row.graph8c),
                           false_cell(row.graph8c), paper_cell(row.paper_exp), ours_cell(row.exp),
                           false_cell(row.exp)});
    if (report.regular_source.empty()) continue;
    result.rows.back().push_back(ours_cell(row.regular));
    result.rows.back().push_back(false_cell(row.regular));
  }
  return result;
}

bool has_counted(const SeparationReport& report) {
  return std::any_of(report.rows.begin(), report.rows.end(),
                     [](const SeparationRow& row) { return row.graph8c || row.exp; });
}

std::vector<std::string> remarks(const SeparationReport& report) {
  std::vector<std::string> result{
      "Counted are pairs of graphs that no network out of " + whole_number(report.graph8c_seeds) +
          " random ones (" + whole_number(report.exp_seeds) +
          " on EXP) puts further apart than 0.001; fewer is better. The paper drew 100 networks: "
          "with fewer, more pairs stay together.",
      "False are graphs, in per cent, that one of the first " +
          whole_number(std::min(report.graph8c_seeds, SeparationOptions().false_seeds)) +
          " networks tells from a relabelled copy of themselves, which is the same graph. A "
          "network that does so separates everything and has learnt "
          "nothing of the graph: it unmasks GA, and FA where it draws from its frame. With the "
          "canonical frame both counts are zero, with one evaluation of the network."};
  if (!report.regular_source.empty())
    result.push_back(
        "Strongly regular graphs with equal parameters look the same to 2-FWL and to every network "
        "of that power, PPGN among them; all pairs of " +
        report.regular_source + " are counted.");
  return result;
}

std::string summary(const SeparationReport& report) {
  int64_t canonical = 0, rows = 0;
  for (const SeparationRow& row : report.rows)
    if (row.title.find("canonical") != std::string::npos && row.graph8c && row.exp) {
      ++rows;
      canonical += row.graph8c->unseparated + row.graph8c->falsely_separated +
                   row.exp->unseparated + row.exp->falsely_separated;
    }
  return rows > 0 && canonical == 0
             ? "Networks averaged over the canonical frame separate every pair of both "
               "benchmarks, and none of the graphs from itself."
             : "Which pairs of graphs random networks cannot tell apart.";
}

void add_counts(report::Page& page, const SeparationReport& report) {
  page.section("Pairs left together");
  page.table(table(report).table());
  for (const std::string& remark : remarks(report)) page.paragraph(remark);
  report::DotChart chart;
  chart.description = "Share of the graphs that a network tells from a relabelled copy";
  chart.axis = {"graphs falsely separated, %", report::Scale::kLinear};
  chart.looks = {{"GRAPH8c", report::Colour::kCool, report::Mark::kDot},
                 {"EXP", report::Colour::kWarm, report::Mark::kDiamond}};
  const auto share = [](const std::optional<Separation>& counted) {
    return counted ? 100.0 * static_cast<double>(counted->falsely_separated) /
                         static_cast<double>(counted->graphs)
                   : NAN;
  };
  for (const SeparationRow& row : report.rows)
    if (row.graph8c || row.exp)
      chart.rows.push_back({row.title, "", {share(row.graph8c), share(row.exp)}});
  page.section("What the count of pairs hides");
  page.figure(
      {draw(chart)},
      "Graphs that are told from a relabelled copy of themselves, in per cent. An invariant "
      "network has none. Rest the pointer on a mark for its value.");
}

ordered_json separation_json(const std::optional<Separation>& counted) {
  if (!counted) return nullptr;
  return {{"pairs", counted->pairs},
          {"unseparated", counted->unseparated},
          {"graphs", counted->graphs},
          {"falsely_separated", counted->falsely_separated}};
}

}  // namespace

std::string to_json(const SeparationReport& report) {
  ordered_json rows = ordered_json::array(), provenance;
  const auto paper = [](int64_t count) {
    return count < 0 ? ordered_json(nullptr) : ordered_json(count);
  };
  for (const SeparationRow& row : report.rows)
    rows.push_back({{"row", row.title},
                    {"name", row.name},
                    {"graph8c",
                     {{"model", row.graph8c_model},
                      {"paper", paper(row.paper_graph8c)},
                      {"ours", separation_json(row.graph8c)}}},
                    {"exp",
                     {{"model", row.exp_model},
                      {"paper", paper(row.paper_exp)},
                      {"ours", separation_json(row.exp)}}},
                    {"strongly_regular", separation_json(row.regular)},
                    {"exp_classify", classify_json(row)}});
  for (const auto& [name, value] : report.provenance) provenance[name] = value;
  return ordered_json{{"experiment", "separation"},
                      {"budget", report.budget},
                      {"seeds", {{"graph8c", report.graph8c_seeds}, {"exp", report.exp_seeds}}},
                      {"rows", rows},
                      {"figure_2", ordered_json::parse(to_json(report.figures))},
                      {"failures", report.failures},
                      {"provenance", provenance}}
             .dump(1) +
         "\n";
}

std::string markdown_table(const SeparationReport& report) {
  std::string text = has_counted(report) ? table(report).markdown() : "";
  if (has_classified(report)) {
    if (!text.empty()) text += "\n";
    text += classify_table(report).markdown();
  }
  return text;
}

std::string to_markdown(const SeparationReport& report) {
  std::string text =
      "# Separation of graphs, Table 2: paper and ours\n\n" + summary(report) + "\n\n";
  const auto part = [&](const TextTable& values, const std::vector<std::string>& paragraphs) {
    text += values.markdown() + "\n";
    for (const std::string& paragraph : paragraphs) text += paragraph + "\n\n";
  };
  if (has_counted(report)) part(table(report), remarks(report));
  if (has_classified(report)) {
    text += "## EXP-classify\n\n";
    part(classify_table(report), classify_remarks(report));
  }
  text += to_markdown(report.figures);
  text += "## Where this comes from\n\n";
  for (const auto& [name, value] : report.provenance) {
    text += "- ";
    text += name;
    text += ": ";
    text += value;
    text += "\n";
  }
  return text;
}

std::string to_html(const SeparationReport& report) {
  report::Page page("Separation of graphs: Table 2 of the paper, counted again", summary(report));
  if (has_counted(report)) add_counts(page, report);
  if (has_classified(report)) {
    page.section("EXP-classify");
    page.table(classify_table(report).table());
    for (const std::string& remark : classify_remarks(report)) page.paragraph(remark);
    page.figure({classify_chart(report)},
                "Test accuracy while the averaged networks are trained. Dots are perceptrons, "
                "diamonds GIN+ID.");
  }
  add_graph_figures(page, report.figures);
  page.section("Where this comes from");
  page.facts(report.provenance);
  return page.html();
}

}  // namespace equiframe::inline experiments
