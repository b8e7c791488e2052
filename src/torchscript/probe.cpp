#include "torchscript/probe.h"

#include <cmath>

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/groups/any_group.h"
#include "torchscript/templates/permutation_source.h"

namespace equiframe::inline torchscript {
namespace {

using Role = PlannedArgument::Role;

/// The most bytes that were allocated at a time on this thread.
class PeakMemory final : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* /*block*/, int64_t size, int64_t /*total*/, int64_t /*reserved*/,
                         c10::Device device) override {
    if (!device.is_cpu()) return;
    now_ += size;
    peak_ = std::max(peak_, now_);
  }
  bool memoryProfilingEnabled() const override { return true; }
  int64_t peak() const { return peak_; }

 private:
  int64_t now_ = 0, peak_ = 0;
};

std::vector<int64_t> usual_shape(const WrapOptions& options, int64_t channels, int64_t node_axes) {
  std::vector<int64_t> shape;
  if (options.call.batch_axis >= 0) shape.push_back(options.items);
  for (int64_t k = 0; k < node_axes; ++k) shape.push_back(options.nodes);
  shape.push_back(channels);
  const bool plain = options.call.batch_axis <= 0 &&
                     options.call.point_axis == (options.call.batch_axis >= 0 ? 1 : 0);
  if (plain || node_axes != 1) return shape;
  if (options.call.batch_axis < 0) return {channels, options.nodes};
  std::vector<int64_t> moved(3, channels);
  moved[static_cast<size_t>(options.call.batch_axis)] = options.items;
  moved[static_cast<size_t>(options.call.point_axis)] = options.nodes;
  return moved;
}

}  // namespace

std::vector<Tensor> probe_arguments(const ScriptModel& model, const WrapOptions& options,
                                    c10::ScalarType type, uint64_t seed) {
  const CallPlan plan = plan_call(model, options.call);
  const bool permutes = is_permutation_group(options.call.group);
  const int64_t dim = permutes ? 0 : dimension_of(options.call.group);
  auto generator = make_generator(seed);
  std::vector<Tensor> result;
  for (const auto& a : plan.arguments) {
    const auto input = options.inputs.find(a.name);
    if (input != options.inputs.end()) {
      const Tensor& x = input->second;
      result.push_back(x.is_floating_point() ? x.to(type) : x);
      continue;
    }
    const auto given = options.shapes.find(a.name);
    std::vector<int64_t> shape;
    if (given != options.shapes.end()) {
      shape = given->second;
    } else if (a.role == Role::kUntouched) {
      if (!a.has_default)
        throw UserError("nothing is known about the untouched argument '" + a.name +
                        "'; show one with --input " + a.name +
                        "=FILE.npy, or give its sizes with "
                        "--shape");
      result.emplace_back();  // its default
      continue;
    } else if (a.role == Role::kMask) {
      shape = options.call.batch_axis >= 0 ? std::vector<int64_t>{options.items, options.nodes}
                                           : std::vector<int64_t>{options.nodes};
    } else if (permutes) {
      const auto [relabelled, channels] = parse_relabelled_type(a.type);
      shape = usual_shape(options, channels, relabelled.node_axes());
    } else {
      shape = usual_shape(options, FieldType::parse(a.type).channels(dim), 1);
    }
    Tensor values = torch::randn(shape, generator, torch::kFloat64);
    if (permutes && shape.size() >= 3 && a.role == Role::kTyped &&
        parse_relabelled_type(a.type).type.node_axes() == 2)
      values = values + values.transpose(-3, -2);
    result.push_back(a.role == Role::kMask ? torch::ones(shape, torch::kBool) : values.to(type));
  }
  return result;
}

std::string describe(const std::vector<Tensor>& arguments) {
  std::string text;
  for (const Tensor& x : arguments)
    text += (text.empty() ? "" : ", ") + (x.defined() ? c10::str(x.sizes()) : std::string("None"));
  return text;
}

int64_t dimension_of(const std::string& group) {
  const AnyGroup any = parse_group(group);
  const auto* euclidean = std::get_if<EuclideanGroup>(&any);
  return euclidean == nullptr ? 0 : euclidean->dim();
}

double check_probe(const ScriptModel& model, const CallPlan& plan, const Axes& axes,
                   const WrapOptions& options, const std::vector<Tensor>& probe) {
  const auto memory = std::make_shared<PeakMemory>();
  std::vector<Tensor> outputs;
  try {
    const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, memory);
    outputs = model.run(probe);
  } catch (const UserError& error) {
    throw UserError(c10::str("the model fails on random input of shape ", describe(probe), ": ",
                             error.what(), "; see --nodes and --shape"));
  }
  const bool permutes = is_permutation_group(options.call.group);
  const int64_t dim = permutes ? 0 : dimension_of(options.call.group);
  for (size_t k = 0; k < outputs.size(); ++k) {
    const Tensor& y = outputs[k];
    if (permutes) {
      const int64_t needed = parse_relabelled_type(plan.out[k]).type.node_axes() + 1;
      if (y.dim() < needed + (axes.has_batch() ? 1 : 0))
        throw UserError(c10::str("the model returns ", y.sizes(), ", which is no '", plan.out[k],
                                 "': too few axes"));
      continue;
    }
    const FieldType type = FieldType::parse(plan.out[k]);
    const bool in_space = y.dim() == (axes.has_batch() ? 3 : 2);
    const int64_t channel = in_space ? axes.channel_axis() : y.dim() - 1;
    const bool bare = y.dim() == (axes.has_batch() ? 1 : 0) && type.channels(dim) == 1;
    if (!bare && (y.dim() == 0 || y.size(channel) != type.channels(dim)))
      throw UserError(c10::str("the model returns ", y.sizes(), ", which cannot transform as '",
                               type.str(), "': that has ", type.channels(dim), " channels"));
  }
  for (size_t k = 0; k < plan.arguments.size(); ++k)
    if (plan.arguments[k].role == Role::kTyped)
      return static_cast<double>(memory->peak()) /
             static_cast<double>(std::max<int64_t>(1, probe[k].numel()));
  return 0;
}

}  // namespace equiframe::inline torchscript
