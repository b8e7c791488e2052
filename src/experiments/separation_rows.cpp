#include "equiframe/experiments/separation_report.h"

namespace equiframe::experiments {
namespace {

/// "name(...)" with the frame of a row.
std::string framed(const std::string& name, const std::string& settings, const std::string& frame) {
  return name + "(" + settings + (settings.empty() ? "" : ", ") + "frame=" + frame + ")";
}

}  // namespace

std::vector<SeparationRow> table2_rows() {
  std::vector<SeparationRow> rows{{"GCN", "gcn", "gcn", 4755, 600, {}, {}},
                                  {"GAT", "gat", "gat", 1828, 600, {}, {}},
                                  {"GIN", "gin", "gin", 386, 600, {}, {}},
                                  {"ChebNet", "chebnet", "chebnet", 44, 71, {}, {}},
                                  {"PPGN", "ppgn", "ppgn(width=20, bias=false)", 0, 0, {}, {}},
                                  {"GNNML3", "gnnml3", "gnnml3", 0, 0, {}, {}}};
  struct Averaged {
    const char* title;
    const char* frame;
    bool in_paper;
  };
  constexpr Averaged kAveraged[] = {{"GA", "whole(samples=1)", true},
                                    {"FA", "laplacian(max_elements=1)", true},
                                    {"FA, canonical", "canonical", false}};
  struct Network {
    const char *title, *name, *graph8c, *exp;
  };
  constexpr Network kNetworks[] = {
      {"MLP", "graph-mlp", "nodes=8", "nodes=64, features=true, widths=2048-4096-2048"},
      {"GIN+ID", "gin-id", "nodes=8", "nodes=64"}};
  for (const Network& network : kNetworks)
    for (const Averaged& averaged : kAveraged)
      rows.push_back({std::string(network.title) + ", " + averaged.title,
                      framed(network.name, network.graph8c, averaged.frame),
                      framed(network.name, network.exp, averaged.frame),
                      averaged.in_paper ? 0 : -1,
                      averaged.in_paper ? 0 : -1,
                      {},
                      {}});
  return rows;
}

}  // namespace equiframe::experiments
