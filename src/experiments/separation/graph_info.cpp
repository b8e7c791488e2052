#include "experiments/separation/graph_info.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <torch/types.h>

#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"
#include "frames/permutation/labelling/canonical_form.h"

namespace equiframe::inline experiments {
namespace {

/// Sizes are wanted, not elements: at most one is listed.
constexpr const char* kSpectralFrames[] = {"laplacian", "laplacian(refine=degree)",
                                           "laplacian(refine=degree+features)",
                                           "laplacian(refine=features+wl)"};

std::string unlisted(const std::string& frame) {
  const std::string listing = "max_elements=1, draws=1";
  return frame.back() == ')' ? frame.substr(0, frame.size() - 1) + ", " + listing + ")"
                             : frame + "(" + listing + ")";
}

/// Fills in what is of order n^3 for graphs of one size.
void add_spectral(const std::vector<SimpleGraph>& graphs, const std::vector<GraphInfo*>& infos) {
  const Batch batch = graph_batch(graphs);
  const SymmetricGroup group(batch.nodes());
  for (size_t k = 0; k < infos.size(); ++k) infos[k]->spectrum = laplacian_spectrum(graphs[k]);
  for (const char* name : kSpectralFrames) {
    const Tensor sizes =
        (*make_frame(unlisted(name), group, PermutationType::Kind::kNode))(batch).log_sizes();
    for (size_t k = 0; k < infos.size(); ++k)
      infos[k]->frames.push_back({name, sizes[static_cast<int64_t>(k)].item<double>()});
  }
}

}  // namespace

double GraphInfo::log_group_cosets() const {
  return std::lgamma(static_cast<double>(nodes) + 1) - log_automorphisms;
}

double GraphInfo::log_frame_cosets(const FrameSize& frame) const {
  return frame.log_size - log_automorphisms;
}

std::vector<GraphInfo> graph_info(const std::vector<SimpleGraph>& graphs,
                                  const std::function<void(int64_t)>& progress) {
  constexpr size_t kTogether = 256;
  std::vector<GraphInfo> infos(graphs.size());
  std::map<int64_t, std::vector<size_t>> of_size;
  for (size_t k = 0; k < graphs.size(); ++k) of_size[graphs[k].nodes].push_back(k);
  int64_t done = 0;
  for (const auto& [nodes, members] : of_size) {
    for (size_t start = 0; start < members.size(); start += kTogether) {
      std::vector<SimpleGraph> some;
      std::vector<GraphInfo*> their;
      for (size_t k = start; k < std::min(start + kTogether, members.size()); ++k) {
        const SimpleGraph& graph = graphs[members[k]];
        GraphInfo& info = infos[members[k]];
        info.nodes = graph.nodes;
        info.edges = static_cast<int64_t>(graph.edges.size());
        const auto part = components(graph);
        info.components = part.empty() ? 0 : 1 + *std::max_element(part.begin(), part.end());
        info.log_automorphisms = canonical_form(graph).log_group_order;
        if (nodes <= kDenseNodes) info.strongly_regular = strongly_regular(graph);
        some.push_back(graph);
        their.push_back(&info);
      }
      if (nodes > 0 && nodes <= kDenseNodes) add_spectral(some, their);
      for (GraphInfo* info : their) info->frames.push_back({"canonical", info->log_automorphisms});
      done += static_cast<int64_t>(some.size());
      if (progress) progress(done);
    }
  }
  return infos;
}

}  // namespace equiframe::inline experiments
