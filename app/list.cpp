#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "commands.h"
#include "core/text.h"
#include "equiframe/core/error.h"
#include "equiframe/datasets/dataset.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/models/model.h"

namespace equiframe::app {
namespace {

using nlohmann::json;

struct FrameRow {
  std::string description;
  std::vector<std::string> groups;  // notations of the families it serves
};

/// Whether `make_frame` accepts the frame for an example of the family.
bool serves(const std::string& frame, const AnyGroup& any) {
  return std::visit(
      [&]<Group G>(const G& group) {
        const auto known = Frames<G>::instance().names();
        if (std::find(known.begin(), known.end(), frame) == known.end()) return false;
        try {
          make_frame(frame, group,
                     group.type(std::is_same_v<G, SymmetricGroup> ? "node" : "point"));
          return true;
        } catch (const UserError&) {
          return false;
        }
      },
      any);
}

template <Group G>
void collect(std::map<std::string, FrameRow>& rows) {
  for (const std::string& name : Frames<G>::instance().names())
    rows[name].description = Frames<G>::instance().description(name);
}

std::map<std::string, FrameRow> frame_rows() {
  std::map<std::string, FrameRow> rows;
  collect<EuclideanGroup>(rows);
  collect<SymmetricGroup>(rows);
  collect<PlanarGroup>(rows);
  collect<SignFlips>(rows);
  for (auto& [name, row] : rows) {
    for (const GroupFamily& family : group_families()) {
      if (serves(name, parse_group(family.example))) row.groups.push_back(family.notation);
    }
  }
  return rows;
}

const std::vector<std::pair<std::string, std::string>> kTypes{
    {"scalar", "1 channel, invariant"},
    {"pseudoscalar", "1 channel, changes sign under reflections"},
    {"vector", "d channels, R v"},
    {"pseudovector", "d channels, det(R) R v"},
    {"point", "d channels, R p + t"},
    {"tensor", "d*d channels, R M R^T (n n^T for an unoriented direction)"},
    {"set", "S(n): invariant"},
    {"node", "S(n): one row for each node"},
    {"pair", "S(n): one row for each pair of nodes"}};

/// The section names, in the order they are shown.
const std::vector<std::string> kSections{"groups", "frames", "types", "models", "datasets"};

template <class Names>
json named(const Names& registry) {
  json rows = json::array();
  for (const std::string& name : registry.names())
    rows.push_back({{"name", name}, {"description", registry.description(name)}});
  return rows;
}

json as_json() {
  json result{{"groups", json::array()}, {"frames", json::array()}, {"types", json::array()}};
  for (const GroupFamily& family : group_families())
    result["groups"].push_back({{"name", family.notation},
                                {"description", family.description},
                                {"example", family.example}});
  for (const auto& [name, row] : frame_rows())
    result["frames"].push_back(
        {{"name", name}, {"description", row.description}, {"groups", row.groups}});
  for (const auto& [name, description] : kTypes)
    result["types"].push_back({{"name", name}, {"description", description}});
  result["models"] = named(Models::instance());
  result["datasets"] = named(Datasets::instance());
  return result;
}

void print_section(const std::string& title, const json& rows) {
  std::cout << title << '\n';
  for (const json& row : rows) {
    std::printf("  %-15s %s\n", row["name"].get<std::string>().c_str(),
                row["description"].get<std::string>().c_str());
    if (row.contains("groups"))
      std::printf("  %-15s for %s\n", "",
                  text::join(row["groups"].get<std::vector<std::string>>()).c_str());
    std::fflush(stdout);
  }
}

}  // namespace

void add_list(CLI::App& app) {
  const auto json_wanted = std::make_shared<bool>(false);
  const auto what = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("list", "Name the groups, frames, field types, models and data sets");
  command->add_option("what", *what, text::join(kSections) + "; all if left out")
      ->check(one_of("section", kSections));
  command->add_flag("--json", *json_wanted, "print JSON");
  command->callback([json_wanted, what] {
    const json all = as_json();
    if (*json_wanted) {
      std::cout << (what->empty() ? all : json{{*what, all[*what]}}).dump(2) << '\n';
      return;
    }
    for (const std::string& section : kSections) {
      if (what->empty() || *what == section) print_section(section, all[section]);
    }
  });
}

}  // namespace equiframe::app
