#include <torch/types.h>

#include "models/graphs/graph_model.h"

namespace equiframe::inline models {
namespace {

/// Provably powerful graph network: channels of n x n matrices, multiplied as matrices; as strong
/// as 2-FWL. Three blocks: u = ReLU(M P1(x)), w = ReLU(M P2(x)), x <- ReLU(M P3([M (u w), x])),
/// where M are the pairs of real nodes. After each block the diagonal and the rest are pooled.
class Ppgn final : public GraphModel {
 public:
  explicit Ppgn(const Options& options)
      : Ppgn(options, options.get_int("width", 32), options.get_bool("bias", true)) {}

 private:
  static constexpr int64_t kBlocks = 3;
  struct Block {
    torch::nn::Linear left, right, both;
  };

  Ppgn(const Options& options, int64_t width, bool bias) : GraphModel(options) {
    for (int64_t k = 0; k < kBlocks; ++k) {
      const int64_t in = k == 0 ? inputs() + 1 : width;  // adjacency, identity, types
      const auto add = [&](const char* name, int64_t from) {
        return register_module(name + std::to_string(k + 1),
                               torch::nn::Linear(torch::nn::LinearOptions(from, width).bias(bias)));
      };
      block_.push_back({add("left", in), add("right", in), add("both", width + in)});
    }
    if (task() == Task::kClassify)
      for (const Block& block : block_)
        for (const auto& map : {block.left, block.right, block.both}) {
          const torch::NoGradGuard guard;
          map->weight.copy_(glorot(map->weight.sizes()));
        }
    add_head(2 * kBlocks * width);
  }

  /// ReLU of linear maps of channels at every pair of real nodes, summed over the parts x_i
  /// [B, C_i, N, N] that the map takes side by side. Channels come first, so that products of
  /// matrices and of channels both read memory as it lies; these tensors are large, and every pass
  /// over them counts. Without a bias padding stays zero by itself.
  static Tensor apply(const torch::nn::Linear& map, const std::vector<Tensor>& parts,
                      const Tensor& pairs) {
    Tensor sum;
    int64_t start = 0;
    for (const Tensor& x : parts) {
      const Tensor weight = map->weight.narrow(1, start, x.size(1));
      // Not matmul, which would transpose x in memory to make it one product.
      const Tensor part = torch::bmm(weight.expand({x.size(0), -1, -1}), x.flatten(2));
      sum = sum.defined() ? sum + part : part;
      start += x.size(1);
    }
    if (map->bias.defined()) sum = (sum + map->bias.unsqueeze(-1)) * pairs.flatten(2);
    return sum.relu_().view({sum.size(0), sum.size(1), pairs.size(2), pairs.size(3)});
  }

  Tensor embed(const Batch& batch) override {
    const Tensor mask = node_mask(batch);                             // [B, N, 1]
    const Tensor pairs = (mask * mask.transpose(1, 2)).unsqueeze(1);  // [B, 1, N, N]
    const Tensor types = batch.x.narrow(-1, 0, inputs() - 1);         // without the degree
    const Tensor on_diagonal = torch::cat({mask, types}, -1).transpose(1, 2);
    Tensor x = torch::cat({adjacency(batch).unsqueeze(1), torch::diag_embed(on_diagonal)}, 1);
    const Tensor nodes = mask.sum(1).clamp_min(1), others = (nodes * (nodes - 1)).clamp_min(1);
    std::vector<Tensor> pooled;
    for (const Block& block : block_) {
      const Tensor u = apply(block.left, {x}, pairs), w = apply(block.right, {x}, pairs);
      x = apply(block.both, {u.matmul(w), x}, pairs);
      const Tensor diagonal = x.diagonal(0, 2, 3).sum(-1), rest = x.sum({2, 3}) - diagonal;
      const bool sums = task() == Task::kEmbed;
      pooled.push_back(sums ? diagonal : diagonal / nodes);
      pooled.push_back(sums ? rest : rest / others);
    }
    return torch::cat(pooled, -1);
  }

  std::vector<Block> block_;
};

const bool kPpgnRegistered =
    Models::instance().add("ppgn", "products of matrices of node pairs, as strong as 2-FWL",
                           [](const Options& options) { return std::make_unique<Ppgn>(options); });

}  // namespace
}  // namespace equiframe::inline models
