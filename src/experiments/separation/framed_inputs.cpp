#include "experiments/separation/framed_inputs.h"

#include <cmath>

#include <torch/types.h>

#include "io/graphs/graph_batch.h"

namespace equiframe::inline experiments {
namespace {

constexpr auto kNode = PermutationType::Kind::kNode;
constexpr int64_t kMaxPlaces = 11;  // 55 pairs
constexpr int64_t kNeverSet = 62;

/// Independent draws also where F(X) is small enough to be listed.
std::string drawing(const std::string& frame, int64_t draws) {
  auto [name, options] = Options::parse_call(frame);
  if (name != "laplacian") return frame;
  options.set("max_elements", "1");
  options.set("draws", std::to_string(draws));
  options.set("memory", "0");  // relabelled graphs hardly ever come again
  return c10::str(name, "(", options.str(), ")");
}

}  // namespace

InputMaker::InputMaker(int64_t nodes, const std::string& frame, int64_t draws)
    : draws_(draws),
      group_(nodes),
      canonical_(make_frame("canonical", group_, kNode)),
      frame_(make_frame(drawing(frame, draws), group_, kNode)),
      bits_(torch::full({nodes, nodes}, kNeverSet, torch::kLong)) {
  TORCH_CHECK(nodes >= 2 && nodes <= kMaxPlaces, "graphs of 2 to ", kMaxPlaces, " nodes, got ",
              nodes);
  int64_t bit = 0;
  for (int64_t p = 0; p < nodes; ++p)
    for (int64_t q = p + 1; q < nodes; ++q) bits_[p][q] = bits_[q][p] = torch::tensor(bit++);
  bits_ = bits_.flatten();
}

Tensor InputMaker::encode(const Tensor& elements, const Tensor& pair) const {
  const Tensor sources = elements.contiguous(), adjacency = pair.contiguous();
  const int64_t n = group_.size(), each = elements.size(1);
  const Tensor codes = torch::empty({elements.size(0), each}, torch::kLong);
  const auto* g = sources.data_ptr<int64_t>();
  auto* code = codes.data_ptr<int64_t>();
  for (int64_t i = 0; i < codes.numel(); ++i, g += n) {
    const float* a = adjacency.data_ptr<float>() + i / each * n * n;
    int64_t bit = 0;
    code[i] = 0;
    for (int64_t p = 0; p < n; ++p)  // node g(p) stands at place p
      for (int64_t q = p + 1; q < n; ++q)
        code[i] |= static_cast<int64_t>(a[g[p] * n + g[q]] != 0) << bit++;
  }
  return codes;
}

Tensor InputMaker::decode(const Tensor& codes) const {
  return codes.unsqueeze(1).bitwise_right_shift(bits_).bitwise_and(1).to(torch::kFloat32);
}

FramedInputs InputMaker::operator()(const SimpleGraph& graph, int64_t relabellings, uint64_t seed,
                                    uint64_t name) const {
  const int64_t m = relabellings;
  auto generator = make_generator(Rng{seed, 0}.bits(name, 0));
  Batch moved = graph_batch(std::vector<SimpleGraph>(static_cast<size_t>(m), graph));
  moved = group_.act(kNode, group_.sample(m, generator), moved);
  moved.id = torch::arange(m) + static_cast<int64_t>(name) * m;
  const auto exact = (*canonical_)(moved);
  const auto drawn = pad_to((*frame_)(moved, {seed, 1}), draws_);
  const Tensor uniform = group_.sample(m * draws_, generator).view({m, draws_, group_.size()});
  const Tensor as_it_is = group_.identity().expand({m, 1, -1});
  const Tensor all =
      encode(torch::cat({as_it_is, exact.elements, drawn.elements, uniform}, 1), moved.pair);
  const auto [codes, rows, counts] = at::_unique2(all, /*sorted=*/true, /*return_inverse=*/true);
  const double log_automorphisms = exact.log_sizes()[0].item<double>();
  return {decode(codes),
          rows.narrow(1, 0, 1),
          rows.narrow(1, 1, 1),
          rows.narrow(1, 2, draws_),
          rows.narrow(1, 2 + draws_, draws_),
          drawn.log_sizes()[0].item<double>() - log_automorphisms,
          std::log(group_.order()) - log_automorphisms};
}

}  // namespace equiframe::inline experiments
