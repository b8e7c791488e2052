#include "audit/subjects/typing.h"

#include <algorithm>
#include <cctype>

#include <torch/types.h>

#include "core/plain_text.h"
#include "core/text.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/any_group.h"

namespace equiframe::audit {
namespace {

bool is_symmetric_of_any_size(const std::string& group) {
  return group == "S_n" || group == "Sn" || group == "S(n)";
}

/// "3 node" -> 3 and "node"; "node" -> 1 and "node".
std::pair<int64_t, std::string> counted(const std::string& text) {
  size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0)
    ++digits;
  constexpr size_t kMaxDigits = 6;
  if (digits == 0 || digits > kMaxDigits) return {1, text};
  return {std::max<int64_t>(1, std::stoll(text.substr(0, digits))),
          text::trim(text.substr(digits))};
}

Layout layout_of(PermutationType::Kind kind) {
  if (kind == PermutationType::Kind::kSet) return Layout::kSet;
  return kind == PermutationType::Kind::kNode ? Layout::kNode : Layout::kPair;
}

Slot slot_of(const TypedArgument& argument, const Typing& typing) {
  Slot slot;
  slot.name = argument.name;
  slot.text = argument.type;
  if (argument.is_untouched()) {
    slot.layout = Layout::kUntouched;
  } else if (typing.is_euclidean()) {
    slot.field = FieldType::parse(argument.type);
    slot.channels = slot.field.channels(typing.dim());
  } else {
    const auto [channels, type] = counted(text::trim(argument.type));
    slot.layout = layout_of(PermutationType::parse(type).kind());
    slot.channels = channels;
  }
  return slot;
}

/// Results and arguments of Euclidean types say by their axes what they have: [B, C], [B, N, C] or
/// [B, N, N, C]. Axes of other lengths than N are no nodes.
Layout layout_of(const Slot& slot, const Tensor& x, int64_t nodes) {
  if (slot.field.fields().empty()) return slot.layout;
  const auto is_nodes = [&](int64_t axis) { return x.size(axis) == nodes; };
  constexpr int64_t kNodeDims = 3, kPairDims = 4;
  if (x.dim() == kPairDims && is_nodes(1) && is_nodes(2)) return Layout::kPair;
  return x.dim() == kNodeDims && is_nodes(1) ? Layout::kNode : Layout::kSet;
}

enum class Direction { kForward, kBack };

Tensor relabel(const Slot& slot, const Motion& g, const Tensor& x, Direction direction) {
  if (!g.permutation.defined()) return x;
  const SymmetricGroup group(g.permutation.size(-1));
  const Layout layout = layout_of(slot, x, group.size());
  const auto act = [&](PermutationType::Kind kind, const Tensor& y) {
    return direction == Direction::kBack ? group.act_inverse(kind, g.permutation, y)
                                         : group.act(kind, g.permutation, y);
  };
  using Kind = PermutationType::Kind;
  if (layout == Layout::kMask) return act(Kind::kNode, x.unsqueeze(-1)).squeeze(-1);
  if (layout == Layout::kNode) return act(Kind::kNode, x);
  return layout == Layout::kPair ? act(Kind::kPair, x) : x;
}

bool has_channels(const Slot& slot) {
  return slot.layout != Layout::kMask && slot.layout != Layout::kUntouched;
}

}  // namespace

std::string Typing::name() const {
  if (group) return group->name();
  return nodes > 0 ? text::plain("S(", nodes, ")") : "S_n";
}

Typing typing_of(const TypedCall& call) {
  Typing typing;
  if (!is_symmetric_of_any_size(call.group)) {
    const AnyGroup group = parse_group(call.group);
    if (const auto* euclidean = std::get_if<EuclideanGroup>(&group))
      typing.group = *euclidean;
    else if (const auto* symmetric = std::get_if<SymmetricGroup>(&group))
      typing.nodes = symmetric->size();
    else
      throw UserError(c10::str("audit knows T, O, SO, E and SE of any dimension and S_n, not ",
                               call.group, "; name the smallest of them that contains it"));
  }
  typing.in.reserve(call.in.size() + 1);
  typing.out.reserve(call.out.size());
  for (const TypedArgument& argument : call.in) {
    typing.in.push_back(slot_of(argument, typing));
    if (call.point_axis < 0 && typing.is_euclidean() && !argument.is_untouched())
      typing.in.back().layout = Layout::kSet;
  }
  if (!call.mask.empty()) {
    Slot mask;
    mask.name = call.mask;
    mask.layout = Layout::kMask;
    typing.in.push_back(mask);
  }
  for (const TypedArgument& result : call.out) {
    typing.out.push_back(slot_of(result, typing));
    if (!typing.is_euclidean()) typing.out.back().channels = 0;
  }
  return typing;
}

Tensor move(const Typing& typing, const Slot& slot, const Motion& g, const Tensor& x) {
  if (!x.defined() || slot.layout == Layout::kUntouched) return x;
  const Tensor y = relabel(slot, g, x, Direction::kForward);
  if (!typing.is_euclidean() || !has_channels(slot)) return y;
  return transform(slot.field, typing.dim(), {g.linear, g.shift}, y);
}

Tensor move_back(const Typing& typing, const Slot& slot, const Motion& g, const Tensor& x) {
  if (!x.defined() || slot.layout == Layout::kUntouched) return x;
  const Tensor y = relabel(slot, g, x, Direction::kBack);
  if (!typing.is_euclidean() || !has_channels(slot)) return y;
  return transform_inverse(slot.field, typing.dim(), {g.linear, g.shift}, y);
}

std::vector<Tensor> move(const Typing& typing, const Motion& g, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> moved;
  moved.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    moved.push_back(move(typing, typing.in[i], g, inputs[i]));
  return moved;
}

Motion select(const Motion& g, const Tensor& items) {
  const auto rows = [&](const Tensor& part) {
    return part.defined() ? part.index_select(0, items) : part;
  };
  return {rows(g.linear), rows(g.shift), rows(g.permutation)};
}

}  // namespace equiframe::audit
