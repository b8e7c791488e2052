#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"
#include "frames/permutation/graph_items.h"
#include "frames/permutation/graph_memo.h"
#include "frames/permutation/graph_spectrum.h"
#include "frames/permutation/laplacian_spectrum.h"

namespace equiframe::inline frames {
namespace {

enum class Refinement { kDegree, kFeatures, kNeighbours };

/// "none", or any of degree, features, wl joined by '+', in the order they are to be applied.
std::vector<Refinement> parse_refinements(const std::string& call) {
  const std::vector<std::string> known{"degree", "features", "wl", "none"};
  std::vector<Refinement> result;
  for (const std::string& word : text::split(call, '+')) {
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) throw UserError(text::unknown_name("refinement", word, known));
    if (*found != "none") result.push_back(static_cast<Refinement>(found - known.begin()));
  }
  return result;
}

/// F(X) of one graph, not yet listed: all orders that keep the cells in place.
struct SortedGraph {
  Cells cells;
  std::vector<int64_t> slots = {};  // [N] of real nodes, then of padding
  double log_size = 0;
  int64_t listed = 1;  // elements to write
  bool exact = true;   // all of F(X) is listed
  uint64_t key = 0;    // names the item's randomness: by its values, or its id
};

/// Section 3.2: the permutations that sort the nodes by the rows of S(X), as a left frame: element
/// g puts node g(p) at place p of the framed graph, rho(g)^-1 X.
/// |F(X)| is the product of the factorials of the tie cells. Up to `max_elements` are listed; a
/// larger F(X) is represented by `draws` independent uniform draws, and the item is not `exact`.
/// With max_elements = 1 every item costs one draw: the sampling of section 4.2 with k = 1.
class LaplacianFrame final : public Frame<SymmetricGroup> {
 public:
  LaplacianFrame(const SymmetricGroup& group, PermutationType in, const Options& options)
      : Frame(inexact_gradient_option(options, "laplacian")),
        group_(group),
        in_(in),
        tolerance_(options.get_double("tolerance", kSpectrumTolerance)),
        max_elements_(options.get_int("max_elements", 1024)),
        draws_(options.get_int("draws", max_elements_)),
        refinements_(parse_refinements(options.get("refine", "none"))),
        memo_(static_cast<size_t>(options.get_int("memory", 64)) << 20U) {
    if (!(tolerance_ >= 0 && tolerance_ < 0.1))
      throw UserError("frame 'laplacian': tolerance must lie between 0 and 0.1");
    if (max_elements_ < 1 || draws_ < 1)
      throw UserError("frame 'laplacian': max_elements and draws must be 1 or more");
    if (options.get_int("memory", 64) < 0)
      throw UserError("frame 'laplacian': memory, in megabytes, must be 0 or more");
  }

  Guarantee guarantee() const override {
    return max_elements_ > 1 ? Guarantee::kWhereExact : Guarantee::kInDistribution;
  }

 private:
  FrameSet<SymmetricGroup> compute(const Batch& x, const Rng& rng) const override {
    const GraphBatch graphs(x, in_, group_.size(), "frame 'laplacian'");
    const Tensor id = x.id.defined() ? x.id.to(torch::kInt64).contiguous() : Tensor();
    std::vector<SortedGraph> sorted(static_cast<size_t>(graphs.size()));
    for_each_graph(graphs.size(), graphs.slots(), [&](int64_t b) {
      const Graph graph = graphs.item(b);
      refuse_directed(graph, graphs.rounding(), b);
      sorted[b] = recall_or_sort(graph);
      sorted[b].slots = graph.slots;
      if (id.defined()) sorted[b].key = static_cast<uint64_t>(id.data_ptr<int64_t>()[b]);
    });
    return list(sorted, rng);
  }

  static void refuse_directed(const Graph& graph, double rounding, int64_t item) {
    constexpr double kOperations = 16;  // of rounding that a symmetric matrix may have seen
    if (graph.asymmetry <= kOperations * rounding) return;
    throw UserError(
        c10::str("frame 'laplacian': the adjacency of item ", item,
                 " is not symmetric (relative difference ", graph.asymmetry,
                 "); symmetrise it, e.g. (A + A^T) / 2, or use 'canonical', which takes "
                 "directed graphs"));
  }

  SortedGraph recall_or_sort(const Graph& graph) const {
    if (!memo_.keeps()) return sort(graph);
    std::string bytes = bytes_of(graph);
    if (auto known = memo_.find(bytes)) return *std::move(known);
    const SortedGraph result = sort(graph);
    memo_.keep(std::move(bytes), result);
    return result;
  }

  SortedGraph sort(const Graph& graph) const {
    SortedGraph result{spectral_cells(graph, tolerance_)};
    for (const Refinement refinement : refinements_) {
      if (result.cells.discrete()) break;
      if (refinement == Refinement::kDegree) split_by_degree(result.cells, graph, tolerance_);
      if (refinement == Refinement::kFeatures) split_by_key(result.cells, node_classes(graph));
      if (refinement == Refinement::kNeighbours)
        refine_by_neighbours(result.cells, pair_classes(graph));
    }
    result.log_size = result.cells.log_arrangements();
    result.exact = result.log_size < std::log(static_cast<double>(max_elements_) + 0.5);
    result.listed = result.exact ? std::llround(std::exp(result.log_size)) : draws_;
    auto& order = result.cells.order;
    for (int64_t start = 0; start < graph.nodes; start = result.cells.end(start))
      std::sort(order.begin() + start, order.begin() + result.cells.end(start));
    if (!result.exact) result.key = key_of(graph);
    return result;
  }

  /// A hash of the real nodes' values: the same whatever batch and padding the graph comes in.
  static uint64_t key_of(const Graph& graph) {
    const auto hash = [](const std::vector<double>& values) {
      const auto length = static_cast<int64_t>(values.size());
      const Tensor row = torch::tensor(values, torch::kFloat64).view({1, length});
      return static_cast<uint64_t>(item_keys(row, Tensor()).item<int64_t>());
    };
    return Rng{hash(graph.pair), 0}.bits(hash(graph.node), 0);
  }

  FrameSet<SymmetricGroup> list(const std::vector<SortedGraph>& sorted, const Rng& rng) const {
    const auto batch = static_cast<int64_t>(sorted.size());
    const int64_t n = group_.size();
    int64_t width = 1;
    for (const SortedGraph& item : sorted) width = std::max(width, item.listed);
    FrameSet<SymmetricGroup> frame;
    frame.elements = torch::empty({batch, width, n}, torch::kInt64);
    frame.weights = torch::zeros({batch, width}, torch::kFloat64);
    frame.exact = torch::empty({batch}, torch::kBool);
    frame.margin = torch::empty({batch}, torch::kFloat64);
    frame.stratum = torch::empty({batch}, torch::kInt64);
    frame.log_size = torch::empty({batch}, torch::kFloat64);
    for_each_graph(batch, 1, [&](int64_t b) {
      const SortedGraph& item = sorted[b];
      int64_t* rows = frame.elements.data_ptr<int64_t>() + b * width * n;
      item.exact ? write_all(item, rows) : write_draws(item, rng, rows);
      for (int64_t k = item.listed; k < width; ++k) std::copy_n(rows, n, rows + k * n);
      std::fill_n(frame.weights.data_ptr<double>() + b * width, item.listed,
                  1.0 / static_cast<double>(item.listed));
      frame.exact.data_ptr<bool>()[b] = item.exact;
      frame.margin.data_ptr<double>()[b] = item.cells.margin;
      frame.stratum.data_ptr<int64_t>()[b] = static_cast<int64_t>(stratum_of(item.cells));
      frame.log_size.data_ptr<double>()[b] = item.log_size;
    });
    return frame;
  }

  static Stratum stratum_of(const Cells& cells) {
    if (cells.discrete()) return Stratum::kSimple;
    return cells.end(0) == cells.nodes() ? Stratum::kIsotropic : Stratum::kRepeated;
  }

  static int64_t* write(const SortedGraph& item, const std::vector<int64_t>& order, int64_t* row) {
    for (const int64_t node : order) *row++ = item.slots[node];
    return std::copy(item.slots.begin() + static_cast<int64_t>(order.size()), item.slots.end(),
                     row);
  }

  /// Every order, counting through the cells like the digits of a number.
  static void write_all(const SortedGraph& item, int64_t* row) {
    std::vector<int64_t> order = item.cells.order;
    for (int64_t k = 0; k < item.listed; ++k) {
      row = write(item, order, row);
      for (int64_t start = 0, end = 0; start < item.cells.nodes(); start = end) {
        end = item.cells.end(start);
        if (std::next_permutation(order.begin() + start, order.begin() + end)) break;
      }
    }
  }

  /// Independent uniform orders: Fisher and Yates in every cell, from the item's own randomness.
  static void write_draws(const SortedGraph& item, const Rng& rng, int64_t* row) {
    constexpr uint64_t kStream = 0x6c61706c61636961;  // unlike that of `sampled`, which draws again
    const Rng own{rng.bits(kStream, 0), rng.stream};
    for (int64_t k = 0; k < item.listed; ++k) {
      std::vector<int64_t> order = item.cells.order;
      for (int64_t start = 0, end = 0; start < item.cells.nodes(); start = end) {
        end = item.cells.end(start);
        for (int64_t p = end - 1; p > start; --p) {
          const auto counter = static_cast<uint64_t>(k) << 32U | static_cast<uint64_t>(p);
          const auto bound = static_cast<uint64_t>(p - start + 1);
          const auto other = start + static_cast<int64_t>(own.below(bound, item.key, counter));
          std::swap(order[p], order[other]);
        }
      }
      row = write(item, order, row);
    }
  }

  SymmetricGroup group_;
  PermutationType in_;
  double tolerance_;
  int64_t max_elements_;
  int64_t draws_;
  std::vector<Refinement> refinements_;
  mutable GraphMemo<SortedGraph> memo_;
};

const bool kLaplacianRegistered = Frames<SymmetricGroup>::instance().add(
    "laplacian", "orders of the nodes by the diagonals of the Laplacian's eigenprojectors",
    [](const SymmetricGroup& group, const PermutationType& in, const Options& options) {
      return std::make_unique<LaplacianFrame>(group, in, options);
    });

}  // namespace
}  // namespace equiframe::inline frames
