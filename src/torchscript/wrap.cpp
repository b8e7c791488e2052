#include "equiframe/torchscript/wrap.h"

#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/script.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/groups/any_group.h"
#include "frames/euclidean/principal_axes.h"
#include "frames/euclidean/signature_waves.h"
#include "torchscript/first_line.h"
#include "torchscript/probe.h"
#include "torchscript/templates/assemble.h"
#include "torchscript/templates/permutation_source.h"
#include "torchscript/templates/source.h"

namespace equiframe::inline torchscript {
namespace {

using Role = PlannedArgument::Role;

/// A wrapped module in the making.
struct Draft {
  std::string source;
  std::string frame;
  std::vector<std::pair<std::string, Tensor>> buffers;
  ForwardText forward;
};

const PlannedArgument& first_typed(const CallPlan& plan) {
  for (const PlannedArgument& a : plan.arguments)
    if (a.role == Role::kTyped) return a;
  throw UserError("no argument is typed; say what transforms, like --in \"point + vector\"");
}

/// The argument frames look at: the first with points, or else the first with vectors.
const PlannedArgument& framing_argument(const CallPlan& plan) {
  for (const FieldType::Kind kind : {FieldType::Kind::kPoint, FieldType::Kind::kVector})
    for (const PlannedArgument& a : plan.arguments)
      if (a.role == Role::kTyped && FieldType::parse(a.type).has(kind)) return a;
  return first_typed(plan);
}

/// pca with the true derivative of its axes, as the plain text has it.
std::string with_gradient(std::string frame) {
  const size_t at = frame.find("pca");
  if (at == std::string::npos) return frame;
  const bool has_options = frame.compare(at, 4, "pca(") == 0;
  frame.replace(at, has_options ? 4 : 3,
                has_options ? "pca(gradient=exact, " : "pca(gradient=exact)");
  return frame;
}

/// Finds the library's operators by name.
struct OperatorResolver final : torch::jit::NativeResolver {
  std::shared_ptr<torch::jit::SugaredValue> resolveValue(
      const std::string& name, torch::jit::GraphFunction& method,
      const torch::jit::SourceRange& location) override {
    if (name == "equiframe") return std::make_shared<torch::jit::BuiltinModule>("equiframe");
    return NativeResolver::resolveValue(name, method, location);
  }
};

EuclideanGroup euclidean_group(const std::string& name) {
  const AnyGroup group = parse_group(name);
  if (const auto* euclidean = std::get_if<EuclideanGroup>(&group)) return *euclidean;
  throw UserError("models are wrapped for T, O, SO, E, SE of any dimension and for S_n, not for '" +
                  name + "'");
}

Draft euclidean_draft(const CallPlan& plan, const WrapOptions& options) {
  const EuclideanGroup group = euclidean_group(options.call.group);
  Draft draft;
  const bool shifts_only = group.linear() == EuclideanGroup::Linear::kIdentity;
  const std::string usual = shifts_only ? "mean" : "pca(degenerate=minimal)";
  draft.frame = options.frame.empty() ? usual : options.frame;
  const auto frame = parse_frame_choice(draft.frame, group);
  const auto training =
      parse_frame_choice(options.train_frame.empty() ? draft.frame : options.train_frame, group);
  if (training.kind != frame.kind || training.settles_ties != frame.settles_ties)
    throw UserError(
        "--train-frame draws from the frame itself: write it like \"sampled(k=1, base=" +
        draft.frame + ")\"");
  const PlannedArgument& seen = framing_argument(plan);
  const FieldType type = FieldType::parse(seen.type);
  for (const PlannedArgument& a : plan.arguments)
    if (a.role == Role::kTyped)
      draft.source += field_source(a.name, FieldType::parse(a.type), group);
  for (size_t k = 0; k < plan.out.size(); ++k)
    draft.source += field_source(text::plain("out", k), FieldType::parse(plan.out[k]), group);
  draft.source +=
      options.operators
          ? operator_frame_source(
                type, group, with_gradient(draft.frame),
                with_gradient(options.train_frame.empty() ? draft.frame : options.train_frame))
          : frame_source(seen.name, type, group, frame);
  draft.source +=
      "\ndef into_mask(self, mask, items, linear, shift):\n"
      "    return mask.index_select(0, items)\n";
  const SignatureWaves waves = signature_waves(type.channels(group.dim()));
  draft.buffers = {{"signs", sign_patterns(group.dim(), hands_of(group))},
                   {"waves", waves.frequencies},
                   {"phases", waves.phases}};
  draft.forward.framed_by =
      text::plain("rows_", seen.name, ", ", plan.mask() ? "rows_" + plan.mask()->name : "None");
  draft.forward.elements = {"linear", "shift"};
  draft.forward.draws = frame.draws;
  draft.forward.train_draws = training.draws;
  return draft;
}

Draft permutation_draft(const CallPlan& plan, const WrapOptions& options) {
  Draft draft;
  if (options.operators)
    throw UserError("operators frame points in space; a model of S_n is wrapped without them");
  draft.frame = options.frame.empty() ? "sorted" : options.frame;
  draft.forward.draws = parse_sorting_draws(draft.frame);
  draft.forward.train_draws =
      options.train_frame.empty() ? draft.forward.draws : parse_sorting_draws(options.train_frame);
  std::vector<RelabelledArgument> inputs;
  for (const PlannedArgument& a : plan.arguments)
    if (a.role == Role::kTyped) inputs.push_back({a.name, parse_relabelled_type(a.type).type});
  for (const auto& input : inputs) draft.source += relabel_source(input.name, input.type);
  for (size_t k = 0; k < plan.out.size(); ++k)
    draft.source += relabel_source(text::plain("out", k), parse_relabelled_type(plan.out[k]).type);
  draft.source += relabel_source("mask", PermutationType::Kind::kNode);
  draft.source += sorting_frame_source(inputs);
  std::string seen;
  for (const auto& input : inputs) seen += "rows_" + input.name + ", ";
  draft.forward.framed_by = seen + (plan.mask() ? "rows_" + plan.mask()->name : "None");
  draft.forward.elements = {"order"};
  return draft;
}

/// The call in the order of forward, each argument by its name.
TypedCall named(TypedCall call, const CallPlan& plan) {
  call.in.clear();
  for (const PlannedArgument& a : plan.arguments) {
    if (a.role == Role::kTyped) call.in.push_back({a.name, a.type});
    if (a.role == Role::kUntouched) call.in.push_back({a.name, "untouched"});
  }
  return call;
}

torch::jit::Module build(const ScriptModel& model, const Draft& draft, const std::string& forward) {
  torch::jit::Module wrapped("FrameAveraged");
  wrapped.register_module("backbone", model.module().deepcopy());
  wrapped.register_attribute("training", c10::BoolType::get(), false);
  wrapped.register_attribute(kCardAttribute, c10::StringType::get(), std::string());
  for (const auto& [name, value] : draft.buffers) wrapped.register_buffer(name, value);
  try {
    wrapped.define(draft.source + forward, std::make_shared<OperatorResolver>());
  } catch (const std::exception& error) {
    const std::string words = error.what();
    throw UserError("the model cannot be wrapped: " + first_line(words));
  }
  wrapped.eval();
  return wrapped;
}

}  // namespace

WrappedModel assemble(const ScriptModel& model, const WrapOptions& options,
                      const Measure& measure) {
  const CallPlan plan = plan_call(model, options.call);
  first_typed(plan);
  const Axes axes(options.call);
  Draft draft = is_permutation_group(options.call.group) ? permutation_draft(plan, options)
                                                         : euclidean_draft(plan, options);
  draft.forward.max_bytes = options.max_bytes;
  draft.forward.bytes_per_number = measure(plan, axes);
  const std::string forward = forward_source(plan, axes, draft.forward);
  return {ScriptModel(build(model, draft, forward)),
          draft.frame,
          draft.source + forward,
          {},
          named(options.call, plan),
          draft.forward.bytes_per_number};
}

WrappedModel wrap(const ScriptModel& model, const WrapOptions& options) {
  std::vector<Tensor> probe;
  WrappedModel result = assemble(model, options, [&](const CallPlan& plan, const Axes& axes) {
    probe = probe_arguments(model, options, model.floating_type(), 1);
    return check_probe(model, plan, axes, options, probe);
  });
  result.probe = probe;
  try {
    result.model.run(probe);
  } catch (const UserError& error) {
    throw UserError(std::string("the wrapped model fails on ") + describe(probe) + ": " +
                    error.what());
  }
  return result;
}

}  // namespace equiframe::inline torchscript
