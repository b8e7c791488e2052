#include <algorithm>

#include <torch/types.h>

#include "equiframe/averaging/frame_rows.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/laws/frame_laws.h"
#include "equiframe/models/model_file.h"

namespace equiframe::inline models {
namespace {

/// The model as a map of float64 batches, whatever it computes in. A line, a direction whose sign
/// means nothing, is given as the tensor n n^T.
class Evaluator {
 public:
  Evaluator(Model& model, c10::ScalarType type)
      : model_(model), type_(type), lines_(model.signature().out == "line") {
    model.eval();
  }
  Tensor operator()(const Batch& batch) const {
    const torch::NoGradGuard no_grad;
    const Tensor y = model_.forward(to_type(batch, type_)).to(torch::kFloat64);
    return lines_ ? (y.unsqueeze(-1) * y.unsqueeze(-2)).flatten(-2) : y;
  }

 private:
  Model& model_;
  c10::ScalarType type_;
  bool lines_;
};

std::string output_type(const Signature& signature) {
  return signature.out == "line" ? "tensor" : signature.out;
}

/// Networks on graphs relabel nodes; that is their whole group, or they claim none.
bool is_graph_model(const Signature& signature) {
  return signature.in == "graph";
}

double group_error(const Signature& signature, const Evaluator& f, const Batch& x,
                   at::Generator& generator) {
  if (signature.group == "none" || is_graph_model(signature)) return 0;
  return std::visit(
      [&]<Group G>(const G& group) {
        const Symmetry<G> symmetry{group, group.type(signature.in),
                                   group.type(output_type(signature))};
        return laws::equivariance_error(symmetry, f, x, generator);
      },
      parse_group(signature.group));
}

double permutation_error(const Evaluator& f, const Batch& x, at::Generator& generator) {
  const SymmetricGroup group(x.nodes());
  const bool per_node = f(x).dim() == 3;
  const Symmetry<SymmetricGroup> symmetry{group, group.type("node"),
                                          group.type(per_node ? "node" : "set")};
  return laws::equivariance_error(symmetry, f, x, generator);
}

struct Pair {
  double group = 0;
  double permutation = 0;
};

Pair measure(Model& model, c10::ScalarType type, const Batch& x, uint64_t seed, int64_t draws) {
  const Evaluator f(model, type);
  auto generator = make_generator(seed);
  Pair worst;
  for (int64_t i = 0; i < draws; ++i) {
    const Signature signature = model.signature();
    worst.group = std::max(worst.group, group_error(signature, f, x, generator));
    if (is_graph_model(signature) && signature.group == "none") continue;
    worst.permutation = std::max(worst.permutation, permutation_error(f, x, generator));
  }
  if (is_graph_model(model.signature())) worst.group = worst.permutation;
  return worst;
}

}  // namespace

bool within(const EquivarianceErrors& errors, const EquivarianceErrors& tolerance) {
  return errors.float32 <= tolerance.float32 && errors.float64 <= tolerance.float64 &&
         errors.permutation32 <= tolerance.permutation32 &&
         errors.permutation64 <= tolerance.permutation64;
}

EquivarianceErrors measure_equivariance(
    const std::function<std::shared_ptr<Model>(c10::ScalarType)>& model, const Batch& x,
    uint64_t seed, int64_t draws) {
  const Batch wide = to_type(x, torch::kFloat64);
  const auto single_model = model(torch::kFloat32), double_model = model(torch::kFloat64);
  const Pair single = measure(*single_model, torch::kFloat32, wide, seed, draws);
  const Pair exact = measure(*double_model, torch::kFloat64, wide, seed, draws);
  return {single.group, exact.group, single.permutation, exact.permutation};
}

}  // namespace equiframe::inline models
