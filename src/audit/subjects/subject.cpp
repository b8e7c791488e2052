#include "equiframe/audit/subject.h"

#include <algorithm>

#include <torch/types.h>

#include "audit/subjects/typing.h"
#include "equiframe/core/error.h"
#include "runtime/nan_fault.h"

namespace equiframe::audit {
namespace {

constexpr int64_t kPointDims = 3;

/// Where the axes (batch, node, channel) of the audit are in a tensor of the model.
std::vector<int64_t> model_axes(const TypedCall& call) {
  const int64_t batch = std::max<int64_t>(call.batch_axis, 0);
  const int64_t point = call.point_axis + (call.batch_axis < 0 ? 1 : 0);  // items get an axis
  if (batch >= kPointDims || point >= kPointDims || batch == point)
    throw UserError(c10::str("batch axis ", call.batch_axis, " and point axis ", call.point_axis,
                             " are not two of the axes 0, 1 and 2 of a tensor"));
  return {batch, point, kPointDims - batch - point};
}

/// [B, N, C] as the model has it.
Tensor to_model(const TypedCall& call, const Tensor& x) {
  if (!x.defined() || x.dim() != kPointDims || call.point_axis < 0) return x;
  return torch::movedim(x, {0, 1, 2}, model_axes(call)).contiguous();
}

/// A result in the layout of the audit; the channel axis of single numbers may be left out.
Tensor from_model(const TypedCall& call, const Slot& slot, const Tensor& y, int64_t nodes) {
  if (slot.layout == Layout::kUntouched) return y;
  Tensor result = y;
  if (slot.channels == 1 && (y.dim() == 1 || (y.dim() == 2 && y.size(1) == nodes && nodes > 1)))
    result = y.unsqueeze(-1);
  else if (y.dim() == kPointDims && call.point_axis >= 0)
    result = torch::movedim(y, model_axes(call), {0, 1, 2});
  return result;
}

void require_type(const Typing& typing, const Slot& slot, const Tensor& y, size_t index) {
  if (slot.layout == Layout::kUntouched || slot.channels == 0) return;
  if (y.dim() < 2 || y.size(-1) != slot.channels)
    throw UserError(c10::str("result ", index + 1, " is '", slot.text, "', ", slot.channels,
                             " channels in ", typing.name(), ", but the model gives ", y.sizes(),
                             "; change --out, or --batch-axis and --point-axis"));
}

int64_t batch_of(const std::vector<Tensor>& inputs) {
  for (const Tensor& x : inputs) {
    if (x.defined()) return x.size(0);
  }
  return 0;
}

/// What is passed for an untouched argument, in the type of the others.
Tensor given(const Slot& slot, const std::vector<Tensor>& inputs) {
  if (!slot.given.defined() || !slot.given.is_floating_point()) return slot.given;
  for (const Tensor& x : inputs) {
    if (x.defined() && x.is_floating_point()) return slot.given.to(x.scalar_type());
  }
  return slot.given;
}

int64_t nodes_in(const std::vector<Tensor>& inputs) {
  for (const Tensor& x : inputs) {
    if (x.defined() && x.dim() >= kPointDims) return x.size(1);
  }
  return 1;
}

}  // namespace

Subject::Subject(std::string name, std::string kind, TypedCall call)
    : name_(std::move(name)),
      kind_(std::move(kind)),
      call_(std::move(call)),
      typing_(typing_of(call_)) {}

void Subject::set_example(std::vector<Tensor> inputs) {
  constexpr int64_t kPairDims = 4;
  TORCH_CHECK(inputs.size() == typing_.in.size(), "an example needs ", typing_.in.size(),
              " inputs, got ", inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    Slot& slot = typing_.in[i];
    if (inputs[i].defined() && inputs[i].dim() == kPairDims && slot.layout == Layout::kNode)
      slot.layout = Layout::kPair;
    if (slot.layout != Layout::kUntouched) continue;
    slot.given = inputs[i];
    inputs[i] = Tensor();
  }
  example_ = std::move(inputs);
}

Tensor Subject::to_example(const Slot& slot, const Tensor& own) const {
  if (!own.defined()) return own;
  const Tensor wide = own.is_floating_point() ? own.to(torch::kFloat64) : own;
  if (slot.layout == Layout::kUntouched) return wide;
  const Tensor x = call_.batch_axis < 0 ? wide.unsqueeze(0) : wide;
  if (x.dim() != kPointDims || call_.point_axis < 0) return x;
  return torch::movedim(x, model_axes(call_), {0, 1, 2}).contiguous();
}

std::vector<Tensor> Subject::run(const std::vector<Tensor>& inputs) const {
  const torch::NoGradGuard no_grad;
  return run(inputs, Gradient::kNone);
}

std::vector<Tensor> Subject::run_with_gradient(const std::vector<Tensor>& inputs) const {
  TORCH_CHECK(has_gradient(), "no gradients of a ", kind_);
  return run(inputs, Gradient::kThroughInputs);
}

std::vector<Tensor> Subject::run(const std::vector<Tensor>& inputs, Gradient gradient) const {
  TORCH_CHECK(inputs.size() == typing_.in.size(), "the model has ", typing_.in.size(),
              " arguments, got ", inputs.size());
  runtime::clear_blas_buffers();  // the NaN of one probe is not to decide the next
  return call_.batch_axis < 0 ? run_item_by_item(inputs, gradient) : run_batch(inputs, gradient);
}

std::vector<Tensor> Subject::run_batch(const std::vector<Tensor>& inputs, Gradient gradient) const {
  std::vector<Tensor> arguments;
  arguments.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Slot& slot = typing_.in[i];
    arguments.push_back(slot.layout == Layout::kUntouched ? given(slot, inputs)
                        : slot.layout == Layout::kNode    ? to_model(call_, inputs[i])
                                                          : inputs[i]);
  }
  std::vector<Tensor> results = evaluate(arguments, gradient);
  if (results.size() < typing_.out.size())
    throw UserError(
        c10::str("--out names ", typing_.out.size(), " results, the model gives ", results.size()));
  results.resize(typing_.out.size());
  for (size_t i = 0; i < results.size(); ++i) {
    results[i] = from_model(call_, typing_.out[i], results[i], nodes_in(inputs));
    require_type(typing_, typing_.out[i], results[i], i);
    if (results[i].size(0) != batch_of(inputs))
      throw UserError(c10::str("result ", i + 1, " is ", results[i].sizes(), " for a batch of ",
                               batch_of(inputs), "; change --batch-axis"));
  }
  return results;
}

std::vector<Tensor> Subject::run_item_by_item(const std::vector<Tensor>& inputs,
                                              Gradient gradient) const {
  std::vector<std::vector<Tensor>> results(typing_.out.size());
  for (int64_t b = 0; b < batch_of(inputs); ++b) {
    std::vector<Tensor> item;
    item.reserve(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (typing_.in[i].layout == Layout::kUntouched) {
        item.push_back(given(typing_.in[i], inputs));
        continue;
      }
      const bool is_node = typing_.in[i].layout == Layout::kNode;
      const Tensor x = inputs[i].defined() ? inputs[i].narrow(0, b, 1) : inputs[i];
      const Tensor argument = is_node ? to_model(call_, x) : x;
      item.push_back(argument.defined() ? argument.squeeze(0) : argument);
    }
    const std::vector<Tensor> found = evaluate(item, gradient);
    if (found.size() < typing_.out.size())
      throw UserError(
          c10::str("--out names ", typing_.out.size(), " results, the model gives ", found.size()));
    for (size_t i = 0; i < results.size(); ++i) {
      results[i].push_back(
          from_model(call_, typing_.out[i], found[i].unsqueeze(0), nodes_in(inputs)));
      require_type(typing_, typing_.out[i], results[i].back(), i);
    }
  }
  std::vector<Tensor> joined;
  joined.reserve(results.size());
  for (const auto& rows : results) joined.push_back(torch::cat(rows));
  return joined;
}

}  // namespace equiframe::audit
