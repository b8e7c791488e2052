#include "torchscript/call_plan.h"

#include <algorithm>

#include <torch/script.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"

namespace equiframe::inline torchscript {
namespace {

using Role = PlannedArgument::Role;

const c10::FunctionSchema& schema_of(const ScriptModel& model) {
  return model.module().get_method("forward").function().getSchema();
}

std::string default_text(const c10::IValue& value) {
  if (value.isNone()) return "None";
  if (value.isBool()) return value.toBool() ? "True" : "False";
  if (value.isInt()) return std::to_string(value.toInt());
  if (value.isDouble()) return text::printed("%.17e", value.toDouble());
  if (value.isString()) return "\"" + value.toStringRef() + "\"";
  throw UserError("a default of forward is a " + value.tagKind() +
                  ", which a wrapped forward cannot repeat; remove the default");
}

std::string names_of(const ScriptModel& model) {
  std::string names;
  for (const auto& argument : model.arguments())
    names += (names.empty() ? "" : ", ") + argument.name;
  return names;
}

/// Which of the typed arguments stands for each argument of forward; -1 = none.
std::vector<int64_t> assign(const ScriptModel& model, const TypedCall& call) {
  const auto& arguments = model.arguments();
  std::vector<int64_t> result(arguments.size(), -1);
  const auto is_taken = [&](size_t at) {
    const auto& [name, is_tensor, has_default] = arguments[at];
    return result[at] >= 0 || name == call.mask || !is_tensor ||
           std::any_of(call.in.begin(), call.in.end(),
                       [&name = name](const TypedArgument& typed) { return typed.name == name; });
  };
  for (size_t k = 0; k < call.in.size(); ++k) {
    const TypedArgument& typed = call.in[k];
    size_t at = 0;
    if (typed.name.empty()) {
      while (at < arguments.size() && is_taken(at)) ++at;
    } else {
      while (at < arguments.size() && arguments[at].name != typed.name) ++at;
    }
    if (at == arguments.size())
      throw UserError(c10::str("forward takes (", names_of(model),
                               "), so there is no argument for '",
                               typed.name.empty() ? typed.type : typed.name, "'"));
    if (result[at] >= 0) throw UserError("argument '" + arguments[at].name + "' is typed twice");
    result[at] = static_cast<int64_t>(k);
  }
  return result;
}

}  // namespace

const PlannedArgument* CallPlan::mask() const {
  const auto found = std::find_if(arguments.begin(), arguments.end(),
                                  [](const auto& a) { return a.role == Role::kMask; });
  return found == arguments.end() ? nullptr : &*found;
}

CallPlan plan_call(const ScriptModel& model, const TypedCall& call) {
  const std::vector<int64_t> typed = assign(model, call);
  const auto& schema = schema_of(model);
  CallPlan plan;
  plan.arguments.reserve(typed.size());
  for (size_t k = 0; k < typed.size(); ++k) {
    const c10::Argument& argument = schema.arguments()[k + 1];
    PlannedArgument planned;
    planned.name = argument.name();
    planned.declaration = argument.name() + ": " + argument.type()->annotation_str();
    planned.has_default = argument.default_value().has_value();
    if (argument.default_value())
      planned.declaration += " = " + default_text(*argument.default_value());
    if (argument.name() == call.mask) {
      planned.role = Role::kMask;
    } else if (typed[k] >= 0 && !call.in[static_cast<size_t>(typed[k])].is_untouched()) {
      planned.role = Role::kTyped;
      planned.type = call.in[static_cast<size_t>(typed[k])].type;
    } else if (typed[k] < 0 && model.arguments()[k].is_tensor && !argument.default_value()) {
      throw UserError(c10::str("argument '", argument.name(), "' of forward(", names_of(model),
                               ") has no type; add --in ", argument.name(),
                               "=scalar if it belongs to the items, --in ", argument.name(),
                               "=untouched if not, or --mask ", argument.name(),
                               " if it says which nodes are real"));
    }
    plan.arguments.push_back(std::move(planned));
  }
  if (!call.mask.empty() && plan.mask() == nullptr)
    throw UserError("forward takes (" + names_of(model) + "), none of them is the mask '" +
                    call.mask + "'");
  const c10::TypePtr& result = schema.returns().at(0).type();
  plan.returns_tuple = result->kind() == c10::TypeKind::TupleType;
  const size_t parts = plan.returns_tuple ? result->containedTypes().size() : 1;
  if (call.out.size() != parts)
    throw UserError(c10::str(
        "forward returns ", parts, parts == 1 ? " tensor" : " tensors", ", but ", call.out.size(),
        call.out.size() == 1 ? " type is" : " types are", " given with --out"));
  for (const TypedArgument& out : call.out) plan.out.push_back(out.type);
  return plan;
}

Axes::Axes(const TypedCall& call) : has_batch_(call.batch_axis >= 0), order_{0, 1, 2} {
  const int64_t shift = has_batch_ ? 0 : 1;  // rows of batchless calls get an axis in front
  order_[0] = has_batch_ ? call.batch_axis : 0;
  order_[1] = call.point_axis + shift;
  order_[2] = 3 - order_[0] - order_[1];
  const bool fits = order_[0] >= 0 && order_[0] < 3 && order_[1] >= 0 && order_[1] < 3 &&
                    order_[0] != order_[1] && order_[2] >= 0 && order_[2] < 3;
  if (!fits)
    throw UserError(c10::str("batch axis ", call.batch_axis, " and point axis ", call.point_axis,
                             " are not two of the axes 0, 1 and 2 of a tensor"));
}

std::string Axes::rows(const std::string& x) const {
  if (order_[0] == 0 && order_[1] == 1) return x;
  return text::plain("self.permuted(", x, ", [", order_[0], ", ", order_[1], ", ", order_[2], "])");
}

std::string Axes::native(const std::string& x) const {
  if (order_[0] == 0 && order_[1] == 1) return x;
  int64_t inverse[3] = {};
  for (int64_t k = 0; k < 3; ++k) inverse[order_[k]] = k;
  return text::plain("self.permuted(", x, ", [", inverse[0], ", ", inverse[1], ", ", inverse[2],
                     "])");
}

}  // namespace equiframe::inline torchscript
