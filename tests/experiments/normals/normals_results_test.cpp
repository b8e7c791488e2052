/// The page of results beside the record it is taken from.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/source_tree.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = equiframe::test_support::source_tree();
constexpr const char* kColumns[] = {"I/I", "I/SO(3)", "SO(3)/SO(3)"};

/// The cells of each row of Table 1 in docs/results/normals.md, by its name.
std::map<std::string, std::vector<std::string>> page_rows() {
  std::ifstream page(kRoot / "docs/results/normals.md");
  std::map<std::string, std::vector<std::string>> rows;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| row | I/I |")) inside = true;
    if (!inside) continue;
    if (!line.starts_with("|")) break;
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, '|');) row.push_back(cell);
    if (row.size() > 4 && !row[1].starts_with("-")) rows[row[1]] = {row[2], row[3], row[4]};
  }
  return rows;
}

TEST(NormalsResults, AreThoseOfTheRecordAndOnlyTheBestAreBold) {
  std::ifstream file(kRoot / "reports/normals/hour/report.json");
  const auto record = nlohmann::json::parse(file);
  const auto page = page_rows();
  ASSERT_EQ(record["rows"].size(), 7U);
  for (size_t column = 0; column < 3; ++column) {
    const auto ours = [&](const nlohmann::json& row) {
      char text[16];
      std::snprintf(text, sizeof text, "%.3f",
                    row["columns"][kColumns[column]]["ours"].get<double>());
      return std::string(text);
    };
    std::string best = "9";
    for (const auto& row : record["rows"]) best = std::min(best, ours(row));
    for (const auto& row : record["rows"]) {
      const std::string title = " " + row["title"].get<std::string>() + " ", value = ours(row);
      ASSERT_TRUE(page.contains(title)) << title;
      EXPECT_EQ(page.at(title)[column], value == best ? " **" + value + "** " : " " + value + " ")
          << title << kColumns[column];
    }
  }
}

}  // namespace
