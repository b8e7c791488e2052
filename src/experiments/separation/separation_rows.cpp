#include <c10/util/StringUtil.h>

#include "experiments/separation/separation_report.h"

namespace equiframe::inline experiments {
namespace {

/// A frame that a network is averaged over.
struct Averaged {
  const char *name, *title, *frame;
  bool counted;  // also separation, not only EXP-classify
};
constexpr Averaged kAveraged[] = {
    {"ga", "GA", "whole(samples=1)", true},
    {"fa", "FA", "laplacian(max_elements=1)", true},
    {"fa-4", "FA, 4 draws", "laplacian(max_elements=1, draws=4)", false},
    {"fa-canonical", "FA, canonical", "canonical", true}};

struct Network {
  const char *name, *title, *model, *graph8c, *exp;
};
constexpr Network kNetworks[] = {
    {"mlp", "MLP", "graph-mlp", "nodes=8", "nodes=64, features=true, widths=2048-4096-2048"},
    {"gin-id", "GIN+ID", "gin-id", "nodes=8", "nodes=64"}};

SeparationRow averaged_row(const Network& network, const Averaged& averaged) {
  const auto call = [&](const char* settings) {
    return averaged.counted
               ? c10::str(network.model, "(", settings, ", frame=", averaged.frame, ")")
               : "";
  };
  return {c10::str(network.name, "-", averaged.name), c10::str(network.title, ", ", averaged.title),
          call(network.graph8c), call(network.exp)};
}

}  // namespace

std::vector<SeparationRow> table2_rows() {
  std::vector<SeparationRow> rows{{"gcn", "GCN", "gcn", "gcn"},
                                  {"gat", "GAT", "gat", "gat"},
                                  {"gin", "GIN", "gin", "gin"},
                                  {"chebnet", "ChebNet", "chebnet", "chebnet"},
                                  {"ppgn", "PPGN", "ppgn", "ppgn(width=20, bias=false)"},
                                  {"gnnml3", "GNNML3", "gnnml3", "gnnml3"}};
  for (const Network& network : kNetworks)
    for (const Averaged& averaged : kAveraged) rows.push_back(averaged_row(network, averaged));
  return rows;
}

void read_paper_values(std::vector<SeparationRow>& rows, const std::filesystem::path& configs) {
  for (SeparationRow& row : rows) {
    const PaperValue paper = load_config(configs / (row.name + ".toml")).paper;
    if (!paper.table.empty()) row.paper_accuracy = paper.value;
    const auto count = [&](const char* column) {
      const auto found = paper.columns.find(column);
      return found == paper.columns.end() ? int64_t{-1} : static_cast<int64_t>(found->second);
    };
    row.paper_graph8c = count("GRAPH8c");
    row.paper_exp = count("EXP");
  }
}

}  // namespace equiframe::inline experiments
