#include "models/clouds/framed_normals.h"

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/groups/any_group.h"
#include "nn/layers/leading_axis.h"

namespace equiframe::inline models {
namespace {

constexpr int64_t kTensor = 9;

/// n n^T and n of a network's directions, [M, N, 9 + 3].
class LineBackbone final : public Backbone {
 public:
  explicit LineBackbone(std::shared_ptr<Backbone> net)
      : net_(register_module("net", std::move(net))) {}

  Tensor forward(const Batch& batch) override {
    const Tensor n = unit_vectors(net_->forward(batch));
    return torch::cat({(n.unsqueeze(-1) * n.unsqueeze(-2)).flatten(-2), n}, -1);
  }

 private:
  std::shared_ptr<Backbone> net_;
};

}  // namespace

EuclideanGroup group_option(const Options& options, const std::string& model) {
  const std::string text = options.get("group", "E(3)");
  const AnyGroup any = parse_group(text);
  const auto* group = std::get_if<EuclideanGroup>(&any);
  if (group == nullptr || group->dim() != 3 || group->linear() == EuclideanGroup::Linear::kIdentity)
    throw UserError(model + ": group '" + text +
                    "' does not turn clouds in space; use E(3), SE(3), O(3) or SO(3)");
  return *group;
}

FramedNormals::FramedNormals(const EuclideanGroup& group, const FieldType& in,
                             const Options& options, std::shared_ptr<Backbone> net,
                             const std::string& usual_frame)
    : frame_(options.get("frame", usual_frame)),
      output_(static_cast<Output>(options.get_choice("output", {"vector", "tensor"}))) {
  const bool lines = output_ == Output::kTensor;
  const FieldType out = FieldType::parse(lines ? "tensor + vector" : "vector");
  if (lines) net = std::make_shared<LineBackbone>(std::move(net));
  average_ = register_module("average", std::make_shared<FrameAverage<EuclideanGroup>>(
                                            Symmetry<EuclideanGroup>{group, in, out},
                                            make_frame(frame_, group, in), std::move(net)));
  const std::string training = options.get("train_frame", "");
  if (!training.empty()) average_->train_with(make_frame(training, group, in));
}

Tensor FramedNormals::forward(const Batch& batch) {
  const Tensor y = average_->forward(batch);
  if (output_ == Output::kVector) return y;
  const Tensor axis = leading_axis(y.narrow(-1, 0, kTensor));
  const Tensor mean = y.narrow(-1, kTensor, 3).detach();
  const Tensor opposite = (axis.detach() * mean).sum(-1, /*keepdim=*/true) < 0;
  return torch::where(opposite, -axis, axis);
}

FramedNormalModel::FramedNormalModel(const std::string& name, const Options& options,
                                     std::shared_ptr<Backbone> net)
    : group_(group_option(options, name)),
      normals_(register_module(
          "normals", std::make_shared<FramedNormals>(group_, FieldType::parse("point"), options,
                                                     std::move(net)))) {}

}  // namespace equiframe::inline models
