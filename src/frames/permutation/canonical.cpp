#include <algorithm>
#include <cmath>
#include <numeric>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"
#include "frames/permutation/graph_items.h"
#include "frames/permutation/graph_spectrum.h"
#include "frames/permutation/labelling/graph_group.h"
#include "frames/permutation/labelling/graph_labelling.h"
#include "frames/permutation/laplacian_spectrum.h"

namespace equiframe::inline frames {
namespace {

enum class CellRule { kLaplacian, kDegree, kFeatures, kNone };
enum class Stabilizer { kProject, kList, kIgnore };

/// The canonical order of one graph, padding included, and the symmetries of the ordered graph.
struct CanonicalGraph {
  Permutation element;                  // [N]: place -> slot
  std::vector<Permutation> generators;  // of Aut, each [N]: place -> place
  double log_size = 0;                  // log |Aut|
  double margin = INFINITY;
  Stratum stratum = Stratum::kSimple;
};

/// Mean over the automorphisms of the canonical graph: over orbits of nodes or of ordered pairs,
/// found from generators without listing the group.
class OrbitProjection final : public StabilizerProjection<SymmetricGroup> {
 public:
  OrbitProjection(std::vector<std::vector<Permutation>> generators, int64_t size)
      : generators_(std::move(generators)), size_(size) {}

  Tensor apply(const PermutationType& out, const Tensor& y, const Tensor& items) const override {
    if (out.node_axes() == 0) return y;
    TORCH_CHECK(y.dim() == out.node_axes() + 2 && y.size(1) == size_, "an output of type ",
                out.str(), " of S(", size_, ") cannot have shape ", y.sizes());
    const auto [orbit, sizes] = orbits(out, items);
    if (!orbit.defined()) return y;
    const Tensor rows = y.reshape({y.size(0), orbit.size(1), y.size(-1)});  // [M, P, C]
    const Tensor index = orbit.unsqueeze(-1).expand_as(rows);
    const Tensor sums = torch::zeros_like(rows).scatter_add(1, index, rows);
    return (sums / sizes.to(y.dtype()).unsqueeze(-1)).gather(1, index).view_as(y);
  }

 private:
  /// The first member of the orbit of each of the P nodes or pairs, [M, P], and at that place the
  /// size of the orbit (elsewhere 1); undefined if no item has a symmetry.
  std::pair<Tensor, Tensor> orbits(const PermutationType& out, const Tensor& items) const {
    const bool pairs = out.kind() == PermutationType::Kind::kPair;
    const int64_t rows = items.size(0), places = pairs ? size_ * size_ : size_;
    const Tensor item_list = items.contiguous();
    const auto* item = item_list.data_ptr<int64_t>();
    if (std::all_of(item, item + rows, [&](int64_t b) { return generators_[b].empty(); }))
      return {};
    const Tensor orbit = torch::empty({rows, places}, torch::kInt64);
    for (int64_t m = 0; m < rows; ++m) {
      const auto& generators = generators_[item[m]];
      const auto found = pairs ? pair_orbits(generators, size_) : node_orbits(generators, size_);
      std::copy(found.begin(), found.end(), orbit.data_ptr<int64_t>() + m * places);
    }
    const Tensor ones = torch::ones({rows, places}, torch::kFloat64);
    return {orbit, torch::zeros_like(ones).scatter_add(1, orbit, ones).clamp_min(1)};
  }

  std::vector<std::vector<Permutation>> generators_;  // of each item, on places
  int64_t size_;
};

/// One order of the nodes for each isomorphism class of (Y, A), and its automorphism group: F(X) is
/// the coset g Aut, so |F| = |Aut|, the least a frame can have.
///
/// The graph is first brought to nauty's canonical form, which is the same bit for bit however the
/// input was labelled. Everything after that sees this form only: the `cells` that give places a
/// meaning (the Laplacian sort by default), then nauty again inside them. So no rounding and no
/// tolerance can break the equivariance, only change which order is the canonical one.
class CanonicalFrame final : public Frame<SymmetricGroup> {
 public:
  CanonicalFrame(const SymmetricGroup& group, PermutationType in, const Options& options)
      : Frame(inexact_gradient_option(options, "canonical")),
        group_(group),
        in_(in),
        cells_(static_cast<CellRule>(
            options.get_choice("cells", {"laplacian", "degree", "features", "none"}))),
        stabilizer_(static_cast<Stabilizer>(
            options.get_choice("stabilizer", {"project", "list", "ignore"}))),
        tolerance_(options.get_double("tolerance", kSpectrumTolerance)),
        max_elements_(options.get_int("max_elements", 1024)) {
    if (!(tolerance_ >= 0 && tolerance_ < 0.1))
      throw UserError("frame 'canonical': tolerance must lie between 0 and 0.1");
  }

  /// One element without its stabiliser serves invariant outputs only.
  Guarantee guarantee() const override {
    return stabilizer_ == Stabilizer::kIgnore ? Guarantee::kNone : Guarantee::kExact;
  }

 private:
  FrameSet<SymmetricGroup> compute(const Batch& x, const Rng&) const override {
    const GraphBatch graphs(x, in_, group_.size(), "frame 'canonical'");
    std::vector<CanonicalGraph> items(static_cast<size_t>(graphs.size()));
    for_each_graph(graphs.size(), graphs.slots(),
                   [&](int64_t b) { items[b] = canonical_graph(graphs.item(b)); });
    FrameSet<SymmetricGroup> frame = stabilizer_ == Stabilizer::kList ? list(items) : single(items);
    describe(items, frame);
    return frame;
  }

  CanonicalGraph canonical_graph(const Graph& graph) const {
    const int64_t n = graph.nodes;
    const PairClasses pairs = pair_classes(graph);
    Cells colours = one_cell(n);
    split_by_key(colours, node_classes(graph));
    const Labelling form = canonical_labelling(pairs, colours);
    CanonicalGraph result;
    const Permutation places = order_places(relabel(graph, form.order), result);
    Permutation node_at(graph.slots.size()), place_of(graph.slots.size());
    std::iota(node_at.begin(), node_at.end(), int64_t{0});
    for (int64_t p = 0; p < n; ++p) node_at[p] = form.order[places[p]];
    for (size_t p = 0; p < node_at.size(); ++p) place_of[node_at[p]] = static_cast<int64_t>(p);
    for (const int64_t node : node_at) result.element.push_back(graph.slots[node]);
    for (const Permutation& symmetry : form.generators) {
      Permutation moved(node_at.size());
      std::iota(moved.begin(), moved.end(), int64_t{0});
      for (int64_t p = 0; p < n; ++p) moved[p] = place_of[symmetry[node_at[p]]];
      result.generators.push_back(std::move(moved));
    }
    result.log_size = form.log_group_order;
    result.stratum = stratum_of(result, n);
    return result;
  }

  /// The places of the canonical form in the order of the cells, ties broken canonically.
  Permutation order_places(const Graph& form, CanonicalGraph& result) const {
    Cells cells = one_cell(form.nodes);
    if (cells_ == CellRule::kNone) return cells.order;
    if (cells_ == CellRule::kLaplacian) cells = spectral_cells(form, tolerance_);
    if (cells_ == CellRule::kDegree) split_by_degree(cells, form, tolerance_);
    result.margin = cells.margin;
    split_by_key(cells, node_classes(form));
    return cells.discrete() ? cells.order : canonical_labelling(pair_classes(form), cells).order;
  }

  static Stratum stratum_of(const CanonicalGraph& graph, int64_t nodes) {
    if (graph.generators.empty()) return Stratum::kSimple;
    const auto orbits = node_orbits(graph.generators, nodes);
    const bool transitive =
        std::all_of(orbits.begin(), orbits.end(), [](int64_t first) { return first == 0; });
    return transitive ? Stratum::kIsotropic : Stratum::kRepeated;
  }

  FrameSet<SymmetricGroup> single(const std::vector<CanonicalGraph>& items) const {
    const auto batch = static_cast<int64_t>(items.size());
    FrameSet<SymmetricGroup> frame;
    frame.elements = torch::empty({batch, 1, group_.size()}, torch::kInt64);
    frame.weights = uniform_weights(batch, 1);
    auto* out = frame.elements.data_ptr<int64_t>();
    std::vector<std::vector<Permutation>> generators;
    for (const CanonicalGraph& item : items) {
      out = std::copy(item.element.begin(), item.element.end(), out);
      generators.push_back(item.generators);
    }
    if (stabilizer_ == Stabilizer::kProject)
      frame.stabilizer = std::make_shared<OrbitProjection>(std::move(generators), group_.size());
    return frame;
  }

  /// The cosets g Aut themselves.
  FrameSet<SymmetricGroup> list(const std::vector<CanonicalGraph>& items) const {
    std::vector<Tensor> cosets;  // [|Aut|, N] each
    int64_t width = 1;
    for (const CanonicalGraph& item : items) {
      const Tensor g = torch::tensor(item.element, torch::kInt64).unsqueeze(0);
      cosets.push_back(group_.compose(g, symmetries(item, static_cast<int64_t>(cosets.size()))));
      width = std::max(width, cosets.back().size(0));
    }
    const auto batch = static_cast<int64_t>(items.size());
    FrameSet<SymmetricGroup> frame;
    frame.elements = torch::empty({batch, width, group_.size()}, torch::kInt64);
    frame.weights = torch::zeros({batch, width}, torch::kFloat64);
    for (int64_t b = 0; b < batch; ++b) {
      const int64_t count = cosets[b].size(0);
      frame.elements[b].copy_(cosets[b].narrow(0, 0, 1).expand({width, -1}));
      frame.elements[b].narrow(0, 0, count).copy_(cosets[b]);
      frame.weights[b].narrow(0, 0, count).fill_(1.0 / static_cast<double>(count));
    }
    return frame;
  }

  Tensor symmetries(const CanonicalGraph& item, int64_t index) const {
    const bool fits = item.log_size < std::log(static_cast<double>(max_elements_) + 0.5);
    const auto group = fits ? generated_group(item.generators, group_.size(), max_elements_)
                            : std::vector<Permutation>{};
    if (group.empty())
      throw UserError(c10::str("frame 'canonical': item ", index, " has ", std::exp(item.log_size),
                               " automorphisms, more than max_elements=", max_elements_,
                               "; stabilizer=project averages over them without listing them"));
    const Tensor result =
        torch::empty({static_cast<int64_t>(group.size()), group_.size()}, torch::kInt64);
    auto* out = result.data_ptr<int64_t>();
    for (const Permutation& a : group) out = std::copy(a.begin(), a.end(), out);
    return result;
  }

  void describe(const std::vector<CanonicalGraph>& items, FrameSet<SymmetricGroup>& frame) const {
    std::vector<double> log_size, margin;
    std::vector<int64_t> stratum;
    for (const CanonicalGraph& item : items) {
      log_size.push_back(item.log_size);
      margin.push_back(item.margin);
      stratum.push_back(static_cast<int64_t>(item.stratum));
    }
    frame.log_size = torch::tensor(log_size, torch::kFloat64);
    frame.margin = torch::tensor(margin, torch::kFloat64);
    frame.stratum = torch::tensor(stratum, torch::kInt64);
    if (stabilizer_ == Stabilizer::kIgnore) frame.exact = frame.log_size < 0.5;
  }

  SymmetricGroup group_;
  PermutationType in_;
  CellRule cells_;
  Stabilizer stabilizer_;
  double tolerance_;
  int64_t max_elements_;
};

const bool kCanonicalRegistered = Frames<SymmetricGroup>::instance().add(
    "canonical",
    "one canonical order inside the cells of the Laplacian sort, by nauty; |F| = |Aut|",
    [](const SymmetricGroup& group, const PermutationType& in, const Options& options) {
      return std::make_unique<CanonicalFrame>(group, in, options);
    });

}  // namespace
}  // namespace equiframe::inline frames
