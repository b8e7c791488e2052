#include "core/plain_text.h"
#include "torchscript/call_plan.h"
#include "torchscript/templates/source.h"

namespace equiframe::inline torchscript {
namespace {

using Role = PlannedArgument::Role;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Rows of all typed arguments and the mask, and how many items there are.
std::string entrance(const CallPlan& plan, const Axes& axes) {
  std::string text, first;
  for (const PlannedArgument& a : plan.arguments) {
    if (a.role == Role::kUntouched) continue;
    const std::string given = axes.has_batch() ? a.name : a.name + ".unsqueeze(0)";
    if (a.role == Role::kMask) {
      text += fill(R"(    rows_@name@: Optional[Tensor] = None
    if @name@ is not None:
        rows_@name@ = @given@
)",
                   {{"name", a.name}, {"given", given}});
    } else {
      text += fill("    rows_@name@ = @given@\n", {{"name", a.name}, {"given", axes.rows(given)}});
      if (first.empty()) first = a.name;
    }
  }
  return text + fill(R"(    batch = rows_@first@.size(0)
    assert batch > 0, "equiframe: the batch has no items"
    each = rows_@first@[0].numel()
)",
                     {{"first", first}});
}

/// The arguments of the backbone for the rows `i`.
std::string framed_arguments(const CallPlan& plan, const Axes& axes,
                             const std::vector<std::string>& elements, std::string& text) {
  std::vector<std::string> names;
  for (const PlannedArgument& a : plan.arguments) {
    if (a.role == Role::kUntouched) {
      names.push_back(a.name);
      continue;
    }
    names.push_back("framed_" + a.name);
    const Words words{{"name", a.name}, {"elements", joined(elements)}};
    if (a.role == Role::kTyped) {
      const std::string moved = fill("self.into_@name@(rows_@name@, i, @elements@)", words);
      text += fill("        framed_@name@ = ", words) + axes.native(moved) + "\n";
    } else {
      text += fill(R"(        framed_@name@: Optional[Tensor] = None
        if rows_@name@ is not None:
            framed_@name@ = self.into_mask(rows_@name@, i, @elements@)
)",
                   words);
    }
  }
  return joined(names);
}

/// One row at a time for models without a batch axis.
std::string one_by_one(const CallPlan& plan, const std::string& results) {
  std::string text;
  std::vector<std::string> arguments, stacked;
  for (size_t k = 0; k < plan.out.size(); ++k) {
    text += text::plain("        ys", k, ": List[Tensor] = []\n");
    stacked.push_back(text::plain("torch.stack(ys", k, ", 0)"));
  }
  text += "        for m in range(i.size(0)):\n";
  for (const PlannedArgument& a : plan.arguments) {
    if (a.role == Role::kMask) {
      text += fill(R"(            one_@name@: Optional[Tensor] = None
            if framed_@name@ is not None:
                one_@name@ = framed_@name@[m]
)",
                   {{"name", a.name}});
      arguments.push_back("one_" + a.name);
    } else {
      arguments.push_back(a.role == Role::kTyped ? "framed_" + a.name + "[m]" : a.name);
    }
  }
  std::vector<std::string> ones;
  for (size_t k = 0; k < plan.out.size(); ++k) ones.push_back(text::plain("z", k));
  text += fill("            @ones@ = self.backbone.forward(@arguments@)\n",
               {{"ones", joined(ones)}, {"arguments", joined(arguments)}});
  for (size_t k = 0; k < plan.out.size(); ++k)
    text += text::plain("            ys", k, ".append(z", k, ")\n");
  return text + "        " + results + " = " + joined(stacked) + "\n";
}

}  // namespace

std::string forward_source(const CallPlan& plan, const Axes& axes, const ForwardText& f) {
  std::vector<std::string> declarations{"self"}, types, results, moved = f.elements;
  for (const PlannedArgument& a : plan.arguments) declarations.push_back(a.declaration);
  for (size_t k = 0; k < plan.out.size(); ++k) {
    types.emplace_back("Tensor");
    results.push_back(text::plain("y", k));
  }
  for (std::string& element : moved) element = element.substr(0, 1);
  std::string text =
      fill(R"(
def permuted(self, x, order: List[int]):
    if x.dim() == 3:
        return x.permute(order)
    return x

def forward(@declarations@) -> @returns@:
)",
           {{"declarations", joined(declarations)},
            {"returns", plan.returns_tuple ? "Tuple[" + joined(types) + "]" : "Tensor"}});
  text += entrance(plan, axes);
  text += fill(R"(    draws = @draws@
    if self.training:
        draws = @train_draws@
    items, @elements@, weights = self.frame(@framed_by@, draws)
    step = items.size(0)
    if @max@ > 0:
        step = max(1, min(step, int(@max@ / (@cost@ * each))))
    start = 0
@totals@    while start < items.size(0):
        i = items[start:start + step]
@slices@        w = weights[start:start + step]
)",
               {{"draws", std::to_string(f.draws)},
                {"train_draws", std::to_string(f.train_draws)},
                {"elements", joined(f.elements)},
                {"framed_by", f.framed_by},
                {"max", std::to_string(f.max_bytes)},
                {"cost", text::plain(f.bytes_per_number > 0 ? f.bytes_per_number : 1.0)},
                {"totals",
                 [&] {
                   std::string lines;
                   for (size_t k = 0; k < plan.out.size(); ++k)
                     lines += text::plain("    total", k, ": List[Tensor] = []\n");
                   return lines;
                 }()},
                {"slices", [&] {
                   std::string lines;
                   for (size_t k = 0; k < moved.size(); ++k)
                     lines += text::plain("        ", moved[k], " = ", f.elements[k],
                                          "[start:start + step]\n");
                   return lines;
                 }()}});
  const std::string arguments = framed_arguments(plan, axes, moved, text);
  if (axes.has_batch())
    text += text::plain("        ", joined(results), " = self.backbone.forward(", arguments, ")\n");
  else
    text += one_by_one(plan, joined(results));
  for (size_t k = 0; k < plan.out.size(); ++k)
    text += fill(R"(        r@k@ = @rows@
        assert r@k@.dim() > 0 and r@k@.size(0) == i.size(0), "equiframe: the model does not return one result for each item of the batch"
        p@k@ = self.back_out@k@(r@k@, @moved@)
        p@k@ = p@k@ * w.to(p@k@.dtype).reshape([-1] + [1] * (p@k@.dim() - 1))
        shape@k@ = p@k@.size()
        shape@k@[0] = batch
        part@k@ = torch.zeros(shape@k@, dtype=p@k@.dtype, device=p@k@.device).index_add(0, i, p@k@)
        if len(total@k@) == 0:
            total@k@.append(part@k@)
        else:
            total@k@[0] = total@k@[0] + part@k@
)",
                 {{"rows", axes.rows(text::plain("y", k))},
                  {"k", std::to_string(k)},
                  {"moved", joined(moved)}});
  text += "        start = start + step\n";
  std::vector<std::string> returned;
  for (size_t k = 0; k < plan.out.size(); ++k) {
    const std::string whole = axes.native(text::plain("total", k, "[0]"));
    returned.push_back(axes.has_batch() ? whole : whole + ".squeeze(0)");
  }
  return text + "    return " + joined(returned) + "\n";
}

}  // namespace equiframe::inline torchscript
