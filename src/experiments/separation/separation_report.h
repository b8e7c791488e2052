#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/runner/run_outcome.h"
#include "experiments/separation/graph_figures.h"
#include "experiments/separation/separation.h"

namespace equiframe::inline experiments {

/// EXP-classify, the third column of Table 2: a training run.
struct Classified {
  RunConfig protocol;  ///< the config as it is in the file
  RunOutcome outcome;
};

/// A row of Table 2: which network, and what the paper counted.
struct SeparationRow {
  std::string name;  ///< what it is asked for by, and the name of its config
  std::string title;
  std::string graph8c_model, exp_model;              ///< as for make_model; empty: not counted
  int64_t paper_graph8c = -1, paper_exp = -1;        ///< unseparated pairs; -1: not in the paper
  double paper_accuracy = NAN;                       ///< of EXP-classify; NaN: not in the paper
  std::optional<Separation> graph8c = {}, exp = {};  ///< ours, once counted
  std::optional<Separation> regular = {};            ///< on strongly regular graphs, where given
  std::optional<Classified> classified = {};         ///< ours, once trained
};

/// The ten rows of the paper, and our own: FA with `canonical`, and FA with four draws. GA and the
/// sampled FA of the paper draw one element, as the authors' code does. Without the paper's
/// numbers.
std::vector<SeparationRow> table2_rows();

/// The paper's numbers from the section [paper] of the config of each row.
void read_paper_values(std::vector<SeparationRow>& rows, const std::filesystem::path& configs);

struct SeparationReport {
  std::string budget, command;
  int64_t graph8c_seeds = 0, exp_seeds = 0;
  std::string graph8c_source, exp_source;  ///< file or "made here"
  std::string regular_source;              ///< empty: no strongly regular graphs were given
  std::vector<SeparationRow> rows;
  GraphFigures figures;
  std::vector<std::string> failures;  ///< trainings that could not be finished, and why
  std::vector<std::pair<std::string, std::string>> provenance;
};

std::string to_json(const SeparationReport& report);
std::string to_markdown(const SeparationReport& report);
std::string to_html(const SeparationReport& report);
/// The tables alone.
std::string markdown_table(const SeparationReport& report);

}  // namespace equiframe::inline experiments
