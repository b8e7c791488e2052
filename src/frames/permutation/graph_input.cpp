#include "frames/permutation/graph_input.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe::inline frames {
namespace {

Tensor exact_double(const Tensor& x, const std::string& owner) {
  const Tensor result = x.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  if (x.scalar_type() == torch::kInt64 && !result.to(torch::kInt64).equal(x.detach().cpu()))
    throw UserError(owner +
                    ": an integer feature beyond 2^53 cannot be compared exactly; renumber");
  return result;
}

double rounding_unit(torch::ScalarType type) {
  if (!torch::isFloatingType(type)) return 0;
  if (type == torch::kFloat64) return std::numeric_limits<double>::epsilon();
  if (type == torch::kFloat32) return std::numeric_limits<float>::epsilon();
  return 0x1p-7;  // half and bfloat16
}

}  // namespace

GraphBatch::GraphBatch(const Batch& batch, const PermutationType& in, int64_t size,
                       std::string owner)
    : owner_(std::move(owner)), slots_(size) {
  const bool x_is_pair = in.kind() == PermutationType::Kind::kPair;
  const Tensor& source = batch.pair.defined() ? batch.pair : batch.x;
  if (!batch.pair.defined() && !x_is_pair)
    throw UserError(owner_ +
                    " needs a graph: give the batch `pair` [B, n, n, E], or x of type 'pair'");
  std::vector<Tensor> pairs{source};
  if (batch.pair.defined() && x_is_pair) pairs.push_back(batch.x);
  for (Tensor& part : pairs) {
    TORCH_CHECK(part.dim() == 4 && part.size(1) == slots_ && part.size(2) == slots_, owner_,
                ": pair must be [B, ", slots_, ", ", slots_, ", E], got ", part.sizes());
    part = exact_double(part, owner_);
  }
  size_ = source.size(0);
  adjacency_channels_ = source.size(3);
  rounding_ = rounding_unit(source.scalar_type());
  pair_ = pairs.size() == 1 ? pairs[0] : torch::cat(pairs, 3);

  std::vector<Tensor> nodes;
  if (in.kind() == PermutationType::Kind::kNode && batch.x.defined()) {
    TORCH_CHECK(batch.x.dim() == 3 && batch.x.size(0) == size_ && batch.x.size(1) == slots_, owner_,
                ": x must be [", size_, ", ", slots_, ", C], got ", batch.x.sizes());
    nodes.push_back(exact_double(batch.x, owner_));
  }
  if (batch.weights.defined())
    nodes.push_back(exact_double(batch.weights, owner_).view({size_, slots_, 1}));
  if (!nodes.empty()) node_ = torch::cat(nodes, 2).contiguous();
  if (batch.mask.defined())
    mask_ = batch.mask.to(torch::kCPU, torch::kBool).contiguous().view({size_, slots_});
}

Graph GraphBatch::item(int64_t b) const {
  Graph graph;
  graph.channels = pair_.size(3);
  const bool* mask = mask_.defined() ? mask_.data_ptr<bool>() + b * slots_ : nullptr;
  for (int64_t i = 0; i < slots_; ++i)
    if (mask == nullptr || mask[i]) graph.slots.push_back(i);
  graph.nodes = static_cast<int64_t>(graph.slots.size());
  for (int64_t i = 0; i < slots_; ++i)
    if (mask != nullptr && !mask[i]) graph.slots.push_back(i);
  read_pairs(graph, b);
  read_nodes(graph, b);
  read_adjacency(graph);
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(graph.pair.begin(), graph.pair.end(), finite) ||
      !std::all_of(graph.node.begin(), graph.node.end(), finite) ||
      !std::all_of(graph.adjacency.begin(), graph.adjacency.end(), finite))
    throw UserError(c10::str(owner_, ": item ", b, " has a NaN or infinity among its values"));
  return graph;
}

void GraphBatch::read_pairs(Graph& graph, int64_t b) const {
  const int64_t n = graph.nodes, e = graph.channels;
  const double* source = pair_.data_ptr<double>() + b * slots_ * slots_ * e;
  if (n == slots_) {
    graph.pair.assign(source, source + n * n * e);
    return;
  }
  graph.pair.reserve(static_cast<size_t>(n * n * e));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const double* cell = source + (graph.slots[i] * slots_ + graph.slots[j]) * e;
      graph.pair.insert(graph.pair.end(), cell, cell + e);
    }
  }
}

void GraphBatch::read_nodes(Graph& graph, int64_t b) const {
  const int64_t n = graph.nodes, e = graph.channels;
  const int64_t c = node_.defined() ? node_.size(2) : 0;
  graph.node_values = c + e;
  graph.node.reserve(static_cast<size_t>(n * graph.node_values));
  for (int64_t i = 0; i < n; ++i) {
    if (c > 0) {
      const double* row = node_.data_ptr<double>() + (b * slots_ + graph.slots[i]) * c;
      graph.node.insert(graph.node.end(), row, row + c);
    }
    const double* self_loop = graph.pair.data() + (i * n + i) * e;
    graph.node.insert(graph.node.end(), self_loop, self_loop + e);
  }
}

void GraphBatch::read_adjacency(Graph& graph) const {
  const int64_t n = graph.nodes, e = graph.channels;
  std::vector<double>& a = graph.adjacency;
  a.resize(static_cast<size_t>(n * n));
  for (int64_t ij = 0; ij < n * n; ++ij) {
    double sum = 0;
    for (int64_t c = 0; c < adjacency_channels_; ++c) sum += graph.pair[ij * e + c];
    a[ij] = sum;
  }
  double largest = 0, difference = 0;
  for (int64_t i = 0; i < n; ++i) {
    a[i * n + i] = 0;
    for (int64_t j = 0; j < i; ++j) {
      double& lower = a[i * n + j];
      double& upper = a[j * n + i];
      largest = std::max({largest, std::abs(lower), std::abs(upper)});
      difference = std::max(difference, std::abs(lower - upper));
      lower = upper = (lower + upper) / 2;
    }
  }
  graph.asymmetry = difference > 0 ? difference / largest : 0;
}

Graph relabel(const Graph& graph, const std::vector<int64_t>& order) {
  const int64_t n = graph.nodes, e = graph.channels, c = graph.node_values;
  Graph result = graph;
  auto pair = result.pair.begin();
  auto node = result.node.begin();
  auto adjacency = result.adjacency.begin();
  for (int64_t p = 0; p < n; ++p) {
    const int64_t i = order[p];
    result.slots[p] = graph.slots[i];
    node = std::copy_n(graph.node.begin() + i * c, c, node);
    for (const int64_t j : order) {
      pair = std::copy_n(graph.pair.begin() + (i * n + j) * e, e, pair);
      *adjacency++ = graph.adjacency[i * n + j];
    }
  }
  return result;
}

}  // namespace equiframe::inline frames
