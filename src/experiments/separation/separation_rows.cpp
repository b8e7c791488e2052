#include <c10/util/StringUtil.h>

#include "experiments/separation/separation_report.h"

namespace equiframe::inline experiments {
namespace {

/// A frame that a network is averaged over.
struct Averaged {
  const char *name, *title, *frame;
  double paper_accuracy;  // NaN: a row of our own
  bool counted;           // also separation, not only EXP-classify
};
constexpr Averaged kAveraged[] = {
    {"ga", "GA", "whole(samples=1)", 0.5, true},
    {"fa", "FA", "laplacian(max_elements=1)", 1, true},
    {"fa-4", "FA, 4 draws", "laplacian(max_elements=1, draws=4)", NAN, false},
    {"fa-canonical", "FA, canonical", "canonical", NAN, true}};

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
  const int64_t paper = std::isnan(averaged.paper_accuracy) ? -1 : 0;
  return {c10::str(network.name, "-", averaged.name),
          c10::str(network.title, ", ", averaged.title),
          call(network.graph8c),
          call(network.exp),
          paper,
          paper,
          averaged.paper_accuracy};
}

}  // namespace

std::vector<SeparationRow> table2_rows() {
  std::vector<SeparationRow> rows{{"gcn", "GCN", "gcn", "gcn", 4755, 600, 0.5},
                                  {"gat", "GAT", "gat", "gat", 1828, 600, 0.5},
                                  {"gin", "GIN", "gin", "gin", 386, 600, 0.5},
                                  {"chebnet", "ChebNet", "chebnet", "chebnet", 44, 71, 0.82},
                                  {"ppgn", "PPGN", "ppgn", "ppgn(width=20, bias=false)", 0, 0, 1},
                                  {"gnnml3", "GNNML3", "gnnml3", "gnnml3", 0, 0, 1}};
  for (const Network& network : kNetworks)
    for (const Averaged& averaged : kAveraged) rows.push_back(averaged_row(network, averaged));
  return rows;
}

}  // namespace equiframe::inline experiments
