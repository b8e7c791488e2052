#include <torch/types.h>

#include "core/plain_text.h"
#include "equiframe/audit/subject.h"
#include "equiframe/core/error.h"
#include "equiframe/models/model_file.h"

namespace equiframe::audit {
namespace {

/// A line, a direction whose sign means nothing, is given as the tensor n n^T.
constexpr const char* kLine = "line";

TypedCall call_of(const LoadedModel& loaded, const std::string& group) {
  const Signature signature = loaded.model->signature();
  TypedCall call;
  if (signature.in == "graph") {
    const int64_t channels = loaded.reference_input.x.size(-1);
    call.group = "S_n";
    call.in = {{"x", text::plain(channels, " node")},
               {"pair", text::plain(loaded.reference_input.pair.size(-1), " pair")}};
    call.out = {{"", loaded.reference_output.dim() == 3 ? "node" : "set"}};
    return call;
  }
  call.group = group.empty() ? signature.group : group;
  if (call.group == "none")
    throw UserError(
        "the card of the model claims no group; say which one to measure with --group, such as "
        "--group E3");
  call.in = {{"x", signature.in}};
  call.out = {{"", signature.out == kLine ? "tensor" : signature.out}};
  return call;
}

class ModelSubject final : public Subject {
 public:
  ModelSubject(LoadedModel loaded, const std::string& name, const std::string& group)
      : Subject(name, "model file", call_of(loaded, group)),
        loaded_(std::move(loaded)),
        has_pair_(typing().in.size() > 1),
        has_lines_(loaded_.model->signature().out == kLine) {
    const auto type = scalar_type(loaded_.card.dtype);
    const auto other = type == torch::kFloat64 ? torch::kFloat32 : torch::kFloat64;
    converted_ = build_model(loaded_.card.architecture, other);
    copy_weights(*loaded_.model, *converted_);
    loaded_.model->eval();
    std::vector<Tensor> inputs{loaded_.reference_input.x.to(torch::kFloat64)};
    if (has_pair_) inputs.push_back(loaded_.reference_input.pair.to(torch::kFloat64));
    set_example(std::move(inputs));
  }

  bool has_gradient() const override { return true; }

 private:
  std::vector<Tensor> evaluate(const std::vector<Tensor>& inputs, Gradient) const override {
    Batch batch(inputs[0]);
    if (has_pair_) batch.pair = inputs[1];
    Model& model =
        type_of(*loaded_.model) == inputs[0].scalar_type() ? *loaded_.model : *converted_;
    Tensor y;
    try {
      y = model.forward(model.prepare(batch));
    } catch (const c10::Error& error) {
      const std::string text = error.what_without_backtrace();
      throw UserError("the model fails: " + text.substr(0, text.find('\n')));
    }
    if (!has_lines_) return {y};
    return {(y.unsqueeze(-1) * y.unsqueeze(-2)).flatten(-2)};
  }

  LoadedModel loaded_;
  std::shared_ptr<Model> converted_;  // the same weights in the other type
  bool has_pair_;
  bool has_lines_;
};

}  // namespace

std::unique_ptr<Subject> model_subject(const std::filesystem::path& file,
                                       const std::string& group) {
  return std::make_unique<ModelSubject>(load_model(file), file.filename().string(), group);
}

}  // namespace equiframe::audit
