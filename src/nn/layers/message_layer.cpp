#include "nn/layers/message_layer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "nn/graphs/graph.h"
#include "nn/kernels/message_layer.h"
#include "nn/layers/fused.h"
#include "nn/layers/tape_memory.h"

namespace equiframe::inline nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Parameters =
    std::vector<Tensor>;  // in the order of kernels::MessageWeights; 8, a tail 2 more

constexpr const char* kMessageLayer = "MessageLayer";

/// How a layer is run beyond h, neighbours and features.
struct Mode {
  Tensor signs;  // [K, d]; undefined: no flips
  bool messages = false;
  bool residual = true;
};

template <class T>
kernels::MessageWeights<T> weights_of(const Parameters& p) {
  const auto at = [&](size_t k) -> const T* {
    return k < p.size() ? p[k].template data_ptr<T>() : nullptr;
  };
  return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9)};
}

/// Parts of the arrays that belong to the items from `first` on.
struct Work {
  Tensor h, neighbors, edge, signs;
  Parameters parameters;
  kernels::MessageShape shape;
  int64_t chunks = 1;
};

template <class T>
T* from(const Tensor& tensor, int64_t offset = 0) {
  return tensor.defined() ? tensor.data_ptr<T>() + offset : nullptr;
}

template <class T>
kernels::MessageInput<T> input_of(const Work& work, int64_t first) {
  const kernels::MessageShape& s = work.shape;
  const int64_t slots = first * s.nodes * s.degree;
  return {from<T>(work.h, first * s.nodes * s.width), from<int64_t>(work.neighbors, slots),
          from<T>(work.edge, slots * s.feature), from<T>(work.signs)};
}

struct Result {
  Tensor h, messages, node_tape, edge_tape;
};

enum class Tape { kKept, kDropped };

Result run_forward(const Work& work, Tape tape, bool messages) {
  const kernels::MessageShape& s = work.shape;
  const auto options = work.h.options().requires_grad(false);
  const kernels::MessageTape sizes = kernels::message_tape(s);
  Result result;
  result.h = torch::empty({s.items, s.nodes, s.outputs()}, options);
  if (messages) result.messages = torch::empty({s.copies(), s.nodes, s.degree, s.hidden}, options);
  if (tape == Tape::kKept) {
    result.node_tape = fused::take_tape(s.copy_nodes(), sizes.node_numbers, work.h);
    result.edge_tape = fused::take_tape(s.copy_edges(), sizes.edge_numbers, work.h);
  }
  // A tape is read in the chunks it was written in. Without one, a chunk for each thread will do
  // and saves preparing the weights anew: nothing is summed over items here.
  const int64_t chunks =
      tape == Tape::kKept ? work.chunks : std::min<int64_t>(work.chunks, at::get_num_threads());
  fused::for_type(work.h, kMessageLayer, [&](auto zero) {
    using T = decltype(zero);
    fused::for_chunks(s.items, chunks, [&](int64_t, int64_t first, int64_t count) {
      kernels::MessageShape part = s;
      part.items = count;
      const int64_t node = first * s.flips * s.nodes, slot = node * s.degree;
      kernels::message_forward<T>(part, weights_of<T>(work.parameters), input_of<T>(work, first),
                                  {from<T>(result.h, first * s.nodes * s.outputs()),
                                   from<T>(result.messages, slot * s.hidden),
                                   from<T>(result.node_tape, node * sizes.node_numbers),
                                   from<T>(result.edge_tape, slot * sizes.edge_numbers)});
    });
  });
  return result;
}

struct Backward {
  Tensor h, edge;
  Parameters parameters;
};

Backward run_backward(const Work& work, const Result& saved, const Tensor& d_h,
                      const Tensor& d_messages, bool wants_edge) {
  const kernels::MessageShape& s = work.shape;
  const kernels::MessageTape sizes = kernels::message_tape(s);
  Backward result;
  result.h = torch::empty_like(work.h);
  if (wants_edge) result.edge = torch::empty_like(work.edge);
  for (const Tensor& parameter : work.parameters)
    result.parameters.push_back(fused::chunked_zeros(work.chunks, parameter));
  fused::for_type(work.h, kMessageLayer, [&](auto zero) {
    using T = decltype(zero);
    fused::for_chunks(s.items, work.chunks, [&](int64_t chunk, int64_t first, int64_t count) {
      const auto gradient = [&](size_t k) -> T* {
        if (k >= result.parameters.size()) return nullptr;
        return from<T>(result.parameters[k], chunk * work.parameters[k].numel());
      };
      kernels::MessageShape part = s;
      part.items = count;
      const int64_t node = first * s.flips * s.nodes, slot = node * s.degree;
      kernels::MessageGradients<T> g;
      g.h = from<T>(d_h, first * s.nodes * s.outputs());
      g.messages = from<T>(d_messages, slot * s.hidden);
      g.node_tape = from<T>(saved.node_tape, node * sizes.node_numbers);
      g.edge_tape = from<T>(saved.edge_tape, slot * sizes.edge_numbers);
      g.input = from<T>(result.h, first * s.nodes * s.width);
      g.edge = from<T>(result.edge, first * s.nodes * s.degree * s.feature);
      g.weights = {gradient(0), gradient(1), gradient(2), gradient(3), gradient(4),
                   gradient(5), gradient(6), gradient(7), gradient(8), gradient(9)};
      kernels::message_backward<T>(part, weights_of<T>(work.parameters), input_of<T>(work, first),
                                   g);
    });
  });
  for (Tensor& gradient : result.parameters) gradient = fused::sum_chunks(gradient);
  return result;
}

Work make_work(const Tensor& h, const Tensor& neighbors, const Tensor& edge, const Mode& mode,
               Parameters parameters) {
  Work work{
      h.contiguous(), neighbors.contiguous(), edge.contiguous(), {}, std::move(parameters), {}, 1};
  for (Tensor& parameter : work.parameters) parameter = parameter.contiguous();
  work.shape.items = h.size(0);
  work.shape.nodes = h.size(1);
  work.shape.degree = neighbors.size(2);
  work.shape.width = h.size(2);
  work.shape.hidden = work.parameters[2].size(0);
  work.shape.feature = edge.size(3);
  work.shape.tail = work.parameters.size() > 8;
  if (!mode.residual) work.shape.out = work.parameters[6].size(0);
  if (mode.signs.defined()) {
    work.signs = mode.signs.to(h.dtype()).contiguous();
    work.shape.flips = mode.signs.size(0);
    work.shape.components = mode.signs.size(1);
  }
  work.chunks =
      std::min(std::max<int64_t>(1, work.shape.items), fused::chunk_count(work.shape.copy_edges()));
  return work;
}

/// Outputs {h} or {h, messages}.
class MessageFunction final : public torch::autograd::Function<MessageFunction> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& h, const Tensor& neighbors,
                               const Tensor& edge, at::TensorList parameters, const Mode& mode) {
    const Work work = make_work(h, neighbors, edge, mode, parameters.vec());
    const Result result = run_forward(work, Tape::kKept, mode.messages);
    variable_list saved{work.h,           work.neighbors,   work.edge,
                        result.node_tape, result.edge_tape, work.signs};
    saved.insert(saved.end(), work.parameters.begin(), work.parameters.end());
    context->save_for_backward(std::move(saved));
    context->saved_data["wants_edge"] = edge.requires_grad();
    context->saved_data["residual"] = mode.residual;
    if (mode.messages) return {result.h, result.messages};
    return {result.h};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    fused::refuse_second_derivative(kMessageLayer, fused::kUsePlain);
    const variable_list saved = context->get_saved_variables();
    const Mode mode{saved[5], false, context->saved_data["residual"].toBool()};
    const Work work =
        make_work(saved[0], saved[1], saved[2], mode, {saved.begin() + 6, saved.end()});
    const kernels::MessageShape& s = work.shape;
    const Tensor d_h = gradients[0].defined()
                           ? gradients[0].contiguous()
                           : torch::zeros({s.items, s.nodes, s.outputs()}, work.h.options());
    const Tensor d_messages =
        gradients.size() > 1 && gradients[1].defined() ? gradients[1].contiguous() : Tensor();
    const Backward result = run_backward(work, {{}, {}, saved[3], saved[4]}, d_h, d_messages,
                                         context->saved_data["wants_edge"].toBool());
    variable_list all{result.h, Tensor(), result.edge};
    all.insert(all.end(), result.parameters.begin(), result.parameters.end());
    all.emplace_back();  // mode
    return all;
  }
};

variable_list run(const Tensor& h, const Tensor& neighbors, const Tensor& edge,
                  const Parameters& parameters, const Mode& mode) {
  const bool tracked = torch::GradMode::is_enabled() &&
                       (h.requires_grad() || edge.requires_grad() || parameters[0].requires_grad());
  if (tracked) return MessageFunction::apply(h, neighbors, edge, at::TensorList(parameters), mode);
  const Result result =
      run_forward(make_work(h, neighbors, edge, mode, parameters), Tape::kDropped, mode.messages);
  return {result.h, result.messages};
}

torch::nn::Linear dense(int64_t in, int64_t out) {
  return torch::nn::Linear(in, out);
}

}  // namespace

MessageLayer::MessageLayer(const Shape& shape)
    : shape_(shape),
      edge1_(register_module("edge1", dense(2 * shape.width + shape.feature, shape.hidden))),
      edge2_(register_module("edge2", dense(shape.hidden, shape.hidden))),
      node1_(register_module("node1", dense(shape.width + shape.hidden, shape.hidden))),
      node2_(register_module("node2", dense(shape.hidden, shape.width))) {}

void MessageLayer::check(const Tensor& h, const Tensor& neighbors, const Tensor& edge) const {
  TORCH_CHECK(h.dim() == 3 && h.size(2) == shape_.width, "MessageLayer: h must be [B, N, ",
              shape_.width, "], got ", h.sizes());
  TORCH_CHECK(neighbors.dim() == 3 && neighbors.size(0) == h.size(0) &&
                  neighbors.size(1) == h.size(1) && neighbors.scalar_type() == torch::kLong,
              "MessageLayer: neighbors must be int64 [B, N, D], got ", neighbors.sizes());
  TORCH_CHECK(
      edge.dim() == 4 && edge.size(2) == neighbors.size(2) && edge.size(3) == shape_.feature,
      "MessageLayer: edge must be [B, N, D, ", shape_.feature, "], got ", edge.sizes());
}

std::vector<Tensor> MessageLayer::weights() const {
  return {edge1_->weight, edge1_->bias, edge2_->weight, edge2_->bias,
          node1_->weight, node1_->bias, node2_->weight, node2_->bias};
}

MessageLayer::Output MessageLayer::forward(const Tensor& h, const Tensor& neighbors,
                                           const Tensor& edge, Messages messages) {
  check(h, neighbors, edge);
  const bool wanted = messages == Messages::kReturned;
  const variable_list result = run(h, neighbors, edge, weights(), {{}, wanted, true});
  return {result[0], wanted ? result[1] : Tensor()};
}

Tensor MessageLayer::flip_average(const Tensor& h, const Tensor& neighbors, const Tensor& edge,
                                  const Tensor& signs) {
  check(h, neighbors, edge);
  return run(h, neighbors, edge, weights(), {signs, false, true})[0];
}

Tensor MessageLayer::decoded_flip_average(const torch::nn::Linear& hidden,
                                          const torch::nn::Linear& last, const Tensor& h,
                                          const Tensor& neighbors, const Tensor& edge,
                                          const Tensor& signs) {
  check(h, neighbors, edge);
  TORCH_CHECK(hidden->weight.size(0) == shape_.hidden, "MessageLayer: a decoder of ",
              hidden->weight.size(0), " hidden channels behind a layer of ", shape_.hidden);
  // D (h + W4 a + b4) + d = [D, D W4] [h, a] + (D b4 + d)
  const Tensor& d = hidden->weight;
  Parameters p = weights();
  p.insert(p.end(), {torch::cat({d, d.matmul(p[6])}, 1), d.matmul(p[7]) + hidden->bias});
  p[6] = last->weight;
  p[7] = last->bias;
  return run(h, neighbors, edge, p, {signs, false, /*residual=*/false})[0];
}

Tensor MessageLayer::embedded_flip_average(const torch::nn::Linear& embedding, const Tensor& x,
                                           const Tensor& neighbors, const Tensor& edge,
                                           const Tensor& signs) {
  const Tensor &e = embedding->weight, &b = embedding->bias;  // [C, c], [C]
  const int64_t width = shape_.width, dim = signs.size(1);
  const auto part = [](const Tensor& weight, int64_t first, int64_t count) {
    return weight.narrow(1, first, count);
  };
  const Tensor &w1 = edge1_->weight, &w3 = node1_->weight;
  const Tensor receiver = part(w1, 0, width), sender = part(w1, width, width);
  const Tensor feature = part(w1, 2 * width, shape_.feature), node = part(w3, 0, width);
  Parameters p = weights();
  p[0] = torch::cat({receiver.matmul(e), sender.matmul(e), feature}, 1);
  p[1] = p[1] + (receiver + sender).matmul(b);
  p[4] = torch::cat({node.matmul(e), part(w3, width, shape_.hidden)}, 1);
  p[5] = p[5] + node.matmul(b);
  const Tensor mapped = run(x, neighbors, edge, p, {signs, false, /*residual=*/false})[0];
  // mean_k S_k (E S_k x + b): entry (o, i) of E keeps the mean of s_ko s_ki.
  const Tensor together = signs.t().matmul(signs) / signs.size(0);  // [d, d]
  const Tensor kept = e * together.repeat({width / dim, e.size(1) / dim});
  return mapped + torch::linear(x, kept, b * signs.mean(0).repeat({width / dim}));
}

MessageLayer::Output MessageLayer::plain(const Tensor& h, const Tensor& neighbors,
                                         const Tensor& edge) {
  const int64_t degree = neighbors.size(2);
  const Tensor receiver = h.unsqueeze(2).expand({-1, -1, degree, -1});
  const Tensor rows = torch::cat({receiver, gather_senders(h, neighbors), edge}, -1);
  const Tensor present = (neighbors >= 0).unsqueeze(-1).to(h.dtype());
  const Tensor messages =
      torch::silu(edge2_->forward(torch::silu(edge1_->forward(rows)))) * present;
  const Tensor seen = torch::cat({h, messages.sum(2)}, -1);
  return {h + node2_->forward(torch::silu(node1_->forward(seen))), messages};
}

}  // namespace equiframe::inline nn
