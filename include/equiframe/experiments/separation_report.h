#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equiframe/experiments/separation.h"

namespace equiframe::experiments {

/// A row of Table 2: which network, and what the paper counted.
struct SeparationRow {
  std::string title;
  std::string graph8c_model, exp_model;        ///< as for make_model
  int64_t paper_graph8c = -1, paper_exp = -1;  ///< unseparated pairs; -1: not in the paper
  std::optional<Separation> graph8c, exp;      ///< ours, once counted
};

/// The ten rows of the paper, and FA with `canonical`, which is our own. GA and the sampled FA
/// draw one element, as the authors' code does.
std::vector<SeparationRow> table2_rows();

struct SeparationReport {
  std::string budget, command;
  int64_t graph8c_seeds = 0, exp_seeds = 0;
  std::string graph8c_source, exp_source;  ///< file or "made here"
  std::vector<SeparationRow> rows;
  std::vector<std::pair<std::string, std::string>> provenance;
};

std::string to_json(const SeparationReport& report);
std::string to_markdown(const SeparationReport& report);
std::string to_html(const SeparationReport& report);
/// The table alone.
std::string markdown_table(const SeparationReport& report);

}  // namespace equiframe::experiments
