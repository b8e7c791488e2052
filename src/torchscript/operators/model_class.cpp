// A model file as an object of TorchScript and Python: torch.classes.equiframe.Model(path).
#include <torch/custom_class.h>

#include "equiframe/core/error.h"
#include "equiframe/models/model_file.h"

namespace equiframe::operators {
namespace {

using Weights = c10::Dict<std::string, Tensor>;
using MaybeTensor = c10::optional<Tensor>;

class ModelObject final : public torch::CustomClassHolder {
 public:
  explicit ModelObject(const std::string& path) {
    LoadedModel loaded = load_model(path);
    model_ = std::move(loaded.model);
    card_ = std::move(loaded.card);
    reference_ = std::move(loaded.reference_input.x);
  }
  ModelObject(std::shared_ptr<Model> model, ModelCard card, Tensor reference)
      : model_(std::move(model)), card_(std::move(card)), reference_(std::move(reference)) {}

  /// x [B, N, C], converted to the type of the weights; the other parts as in Batch.
  Tensor forward(const Tensor& x, const MaybeTensor& mask, const MaybeTensor& pair,
                 const MaybeTensor& neighbors, const MaybeTensor& edge) const {
    Batch batch(x);
    batch.mask = mask.value_or(Tensor());
    batch.pair = pair.value_or(Tensor());
    batch.neighbors = neighbors.value_or(Tensor());
    batch.edge = edge.value_or(Tensor());
    try {
      return model_->forward(to_type(batch, type_of(*model_)));
    } catch (const c10::Error& error) {
      throw UserError(error.what_without_backtrace());
    }
  }

  std::string card() const { return to_json(card_); }
  Tensor reference_input() const { return reference_; }

  /// Parameters, the very tensors that `forward` reads.
  Weights parameters() const {
    Weights result;
    for (const auto& item : model_->named_parameters()) result.insert(item.key(), item.value());
    return result;
  }

  void train(bool mode) const { model_->train(mode); }

  /// A copy whose weights are float64 or float32.
  c10::intrusive_ptr<ModelObject> converted(at::ScalarType type) const {
    auto copy = build_model(card_.architecture, type);
    copy_weights(*model_, *copy);
    copy->train(model_->is_training());
    return c10::make_intrusive<ModelObject>(std::move(copy), card_, reference_.to(type));
  }

  /// All that makes it again: the card, the type, and every parameter and buffer.
  std::tuple<std::string, int64_t, Weights> state() const {
    Weights weights = parameters();
    for (const auto& item : model_->named_buffers()) weights.insert(item.key(), item.value());
    weights.insert(kReference, reference_);
    return {card(), static_cast<int64_t>(type_of(*model_)), weights};
  }
  static c10::intrusive_ptr<ModelObject> from_state(
      const std::tuple<std::string, int64_t, Weights>& state) {
    const auto& [card_text, type, weights] = state;
    ModelCard card = parse_card(card_text, "a saved model");
    auto model = build_model(card.architecture, static_cast<at::ScalarType>(type));
    const torch::NoGradGuard no_grad;
    for (auto& item : model->named_parameters()) item.value().copy_(weights.at(item.key()));
    for (auto& item : model->named_buffers()) item.value().copy_(weights.at(item.key()));
    return c10::make_intrusive<ModelObject>(std::move(model), std::move(card),
                                            weights.at(kReference));
  }

 private:
  static constexpr const char* kReference = "reference/input";  // no weight has a name like it
  std::shared_ptr<Model> model_;
  ModelCard card_;
  Tensor reference_;
};

using Pointer = c10::intrusive_ptr<ModelObject>;

const auto kModelClass =
    torch::class_<ModelObject>("equiframe", "Model")
        .def(torch::init<std::string>())
        .def("forward", &ModelObject::forward)
        .def("card", &ModelObject::card)
        .def("reference_input", &ModelObject::reference_input)
        .def("parameters", &ModelObject::parameters)
        .def("train", &ModelObject::train)
        .def("double", [](const Pointer& self) { return self->converted(at::kDouble); })
        .def("float", [](const Pointer& self) { return self->converted(at::kFloat); })
        .def_pickle([](const Pointer& self) { return self->state(); },
                    [](const std::tuple<std::string, int64_t, Weights>& state) {
                      return ModelObject::from_state(state);
                    });

}  // namespace
}  // namespace equiframe::operators
