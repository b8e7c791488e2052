#include <torch/types.h>

#include "equiframe/models/graph_model.h"

namespace equiframe {
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

  Tensor embed(const Batch& batch) override {
    const Tensor mask = node_mask(batch);                              // [B, N, 1]
    const Tensor pairs = (mask * mask.transpose(1, 2)).unsqueeze(-1);  // [B, N, N, 1]
    const Tensor eye = torch::eye(batch.nodes(), batch.x.options()).unsqueeze(-1);
    const Tensor diagonal = pairs * eye, rest = pairs - diagonal;
    const Tensor types = batch.x.narrow(-1, 0, inputs() - 1);  // without the degree
    Tensor x = torch::cat({adjacency(batch).unsqueeze(-1), diagonal, types.unsqueeze(2) * eye}, -1);
    std::vector<Tensor> pooled;
    for (Block& block : block_) {
      const Tensor u = torch::relu(pairs * block.left->forward(x)).permute({0, 3, 1, 2});
      const Tensor w = torch::relu(pairs * block.right->forward(x)).permute({0, 3, 1, 2});
      const Tensor z = pairs * u.matmul(w).permute({0, 2, 3, 1});
      x = torch::relu(pairs * block.both->forward(torch::cat({z, x}, -1)));
      for (const Tensor& part : {diagonal, rest}) {
        const Tensor sum = (x * part).sum({1, 2});
        pooled.push_back(task() == Task::kEmbed ? sum : sum / part.sum({1, 2}).clamp_min(1));
      }
    }
    return torch::cat(pooled, -1);
  }

  std::vector<Block> block_;
};

const bool kRegistered =
    Models::instance().add("ppgn", "products of matrices of node pairs, as strong as 2-FWL",
                           [](const Options& options) { return std::make_unique<Ppgn>(options); });

}  // namespace
}  // namespace equiframe
