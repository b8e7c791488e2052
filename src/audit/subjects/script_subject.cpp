#include <algorithm>

#include <torch/types.h>

#include "core/text.h"
#include "equiframe/audit/subject.h"
#include "equiframe/core/error.h"

namespace equiframe::audit {
namespace {

std::string example_of(const ScriptModel& model) {
  std::vector<std::string> parts;
  for (const ScriptModel::Argument& argument : model.arguments()) {
    if (argument.is_tensor && !argument.has_default)
      parts.push_back("--in \"" + argument.name + "=point\"");
  }
  return text::join(parts, " ") + " --out \"vector\"";
}

/// Which argument of forward each slot is: by name, or the next tensor nobody named.
std::vector<size_t> positions_of(const ScriptModel& model, const Typing& typing) {
  const auto& arguments = model.arguments();
  std::vector<bool> taken(arguments.size(), false);
  const auto named = [&](const std::string& name) {
    for (size_t k = 0; k < arguments.size(); ++k) {
      if (arguments[k].name == name) return k;
    }
    std::vector<std::string> known;
    known.reserve(arguments.size());
    for (const auto& argument : arguments) known.push_back(argument.name);
    throw UserError(text::unknown_name("argument of forward", name, known));
  };
  for (const Slot& slot : typing.in) {
    if (!slot.name.empty()) taken.at(named(slot.name)) = true;
  }
  std::vector<size_t> positions;
  positions.reserve(typing.in.size());
  for (const Slot& slot : typing.in) {
    size_t k = 0;
    if (!slot.name.empty()) {
      k = named(slot.name);
    } else {
      while (k < arguments.size() && (taken[k] || !arguments[k].is_tensor)) ++k;
      if (k == arguments.size())
        throw UserError(c10::str("--in names more arguments than forward has tensors; for example ",
                                 example_of(model)));
      taken[k] = true;
    }
    positions.push_back(k);
  }
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (!taken[k] && !arguments[k].has_default)
      throw UserError(c10::str("forward needs the argument '", arguments[k].name,
                               "' too: give its type with --in \"", arguments[k].name,
                               "=...\", or \"", arguments[k].name, "=untouched\""));
  }
  return positions;
}

class ScriptSubject final : public Subject {
 public:
  ScriptSubject(ScriptModel model, const TypedCall& call, const std::string& name)
      : Subject(name, "TorchScript", call),
        model_(std::move(model)),
        positions_(positions_of(model_, typing())) {}

  bool has_gradient() const override { return true; }

 private:
  std::vector<Tensor> evaluate(const std::vector<Tensor>& inputs,
                               Gradient gradient) const override {
    const size_t last = *std::max_element(positions_.begin(), positions_.end());
    std::vector<Tensor> arguments(last + 1);
    for (size_t i = 0; i < inputs.size(); ++i) arguments[positions_[i]] = inputs[i];
    return gradient == Gradient::kNone ? model_.run(arguments)
                                       : model_.run_with_gradients(arguments);
  }

  ScriptModel model_;
  std::vector<size_t> positions_;
};

}  // namespace

std::unique_ptr<Subject> script_subject(const ScriptModel& model, const TypedCall& call,
                                        const std::string& name) {
  if (call.in.empty() || call.out.empty() || call.group.empty())
    throw UserError(
        c10::str("a TorchScript file does not say how its tensors transform; write for example: ",
                 "--group ", call.group.empty() ? "E3" : call.group, " ", example_of(model)));
  return std::make_unique<ScriptSubject>(model, call, name);
}

}  // namespace equiframe::audit
