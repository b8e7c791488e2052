#include "core/plain_text.h"
#include "torchscript/call_plan.h"
#include "torchscript/templates/forward.py.h"
#include "torchscript/templates/template.h"

namespace equiframe::inline torchscript {
namespace {

using Role = PlannedArgument::Role;
using Texts = std::vector<std::string>;

std::string joined(const Texts& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// `head`0`tail`, `head`1`tail`, ..., one for each result.
Texts numbered(const CallPlan& plan, const char* head, const char* tail = "") {
  Texts result;
  for (size_t k = 0; k < plan.out.size(); ++k) result.push_back(text::plain(head, k, tail));
  return result;
}

/// A part once for each result.
std::string for_each_result(const Template& file, const CallPlan& plan, const std::string& part) {
  std::string text;
  for (size_t k = 0; k < plan.out.size(); ++k)
    text += file.fill({part}, {{"K__", std::to_string(k)}, {"ONE__", text::plain("z", k)}});
  return text;
}

/// The methods, up to the rows of all typed arguments and of the mask.
std::string entrance(const Template& file, const CallPlan& plan, const Axes& axes) {
  Texts declarations;
  for (const PlannedArgument& a : plan.arguments) declarations.push_back(a.declaration);
  const std::string types = joined(Texts(plan.out.size(), "Tensor"));
  std::string text =
      file.fill({"forward"}, {{"DECLARATIONS__", joined(declarations)},
                              {"RETURNS__", plan.returns_tuple ? "Tuple[" + types + "]" : types}});
  for (const PlannedArgument& a : plan.arguments) {
    if (a.role == Role::kUntouched) continue;
    const std::string given = axes.has_batch() ? a.name : a.name + ".unsqueeze(0)";
    const bool is_mask = a.role == Role::kMask;
    text += file.fill({is_mask ? "rows of mask" : "rows"},
                      {{"NAME__", a.name}, {"GIVEN__", is_mask ? given : axes.rows(given)}});
  }
  return text;
}

/// F(X), and how many of its rows the backbone sees at a time.
std::string frame(const Template& file, const CallPlan& plan, const ForwardText& f) {
  std::string first;
  for (const PlannedArgument& a : plan.arguments)
    if (first.empty() && a.role == Role::kTyped) first = "rows_" + a.name;
  const double bytes = f.bytes_per_number > 0 ? f.bytes_per_number : 1.0;
  return file.fill({"frame"}, {{"FIRST__", first},
                               {"DRAWS__", std::to_string(f.draws)},
                               {"TRAIN_DRAWS__", std::to_string(f.train_draws)},
                               {"ELEMENTS__", joined(f.elements)},
                               {"FRAMED_BY__", f.framed_by},
                               {"MAX_BYTES__", std::to_string(f.max_bytes)},
                               {"BYTES_PER_NUMBER__", text::plain(bytes)}});
}

/// "linear" of all rows is "l" of those of one step.
Texts moved_elements(const ForwardText& f) {
  Texts moved = f.elements;
  for (std::string& element : moved) element = element.substr(0, 1);
  return moved;
}

/// The arguments as the frames of one step see them.
std::string framed(const Template& file, const CallPlan& plan, const Axes& axes,
                   const ForwardText& f) {
  const Texts moved = moved_elements(f);
  std::string text = file.fill({"step"});
  for (size_t k = 0; k < moved.size(); ++k)
    text += file.fill({"element"}, {{"MOVED__", moved[k]}, {"ELEMENT__", f.elements[k]}});
  text += file.fill({"weights"});
  for (const PlannedArgument& a : plan.arguments) {
    const std::string call =
        text::plain("self.into_", a.name, "(rows_", a.name, ", i, ", joined(moved), ")");
    if (a.role == Role::kTyped)
      text += file.fill({"framed"}, {{"NAME__", a.name}, {"FRAMED__", axes.native(call)}});
    if (a.role == Role::kMask)
      text += file.fill({"framed mask"}, {{"NAME__", a.name}, {"MOVED__", joined(moved)}});
  }
  return text;
}

std::string all_at_once(const Template& file, const CallPlan& plan) {
  Texts arguments;
  for (const PlannedArgument& a : plan.arguments)
    arguments.push_back(a.role == Role::kUntouched ? a.name : "framed_" + a.name);
  return file.fill({"all at once"}, {{"RESULTS__", joined(numbered(plan, "y"))},
                                     {"ARGUMENTS__", joined(arguments)}});
}

/// One row at a time for models without a batch axis.
std::string one_by_one(const Template& file, const CallPlan& plan) {
  std::string text = for_each_result(file, plan, "ones") + file.fill({"one by one"});
  Texts arguments;
  for (const PlannedArgument& a : plan.arguments) {
    if (a.role == Role::kMask) text += file.fill({"one mask"}, {{"NAME__", a.name}});
    arguments.push_back(a.role == Role::kMask    ? "one_" + a.name
                        : a.role == Role::kTyped ? "framed_" + a.name + "[m]"
                                                 : a.name);
  }
  text += file.fill({"one"},
                    {{"ONES__", joined(numbered(plan, "z"))}, {"ARGUMENTS__", joined(arguments)}});
  text += for_each_result(file, plan, "kept");
  return text +
         file.fill({"stacked"}, {{"RESULTS__", joined(numbered(plan, "y"))},
                                 {"STACKED__", joined(numbered(plan, "torch.stack(ys", ", 0)"))}});
}

std::string sums(const Template& file, const CallPlan& plan, const Axes& axes,
                 const ForwardText& f) {
  std::string text;
  Texts totals = numbered(plan, "total", "[0]");
  for (size_t k = 0; k < totals.size(); ++k) {
    text += file.fill({"sum"}, {{"K__", std::to_string(k)},
                                {"ROWS__", axes.rows(text::plain("y", k))},
                                {"MOVED__", joined(moved_elements(f))}});
    totals[k] = axes.native(totals[k]) + (axes.has_batch() ? "" : ".squeeze(0)");
  }
  return text + file.fill({"next", "end"}, {{"TOTALS__", joined(totals)}});
}

}  // namespace

std::string forward_source(const CallPlan& plan, const Axes& axes, const ForwardText& f) {
  const Template file(embedded::kForwardPy);
  return entrance(file, plan, axes) + frame(file, plan, f) + for_each_result(file, plan, "total") +
         framed(file, plan, axes, f) +
         (axes.has_batch() ? all_at_once(file, plan) : one_by_one(file, plan)) +
         sums(file, plan, axes, f);
}

}  // namespace equiframe::inline torchscript
