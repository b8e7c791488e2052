#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "torchscript/templates/source.h"

namespace equiframe::inline torchscript {
namespace {

using Kind = FieldType::Kind;

/// The text that moves one field, `part` [M, n, count * width], as method body lines.
std::string move_text(const FieldType::Field& field, int64_t dim, bool back, bool shifts,
                      bool turns) {
  const char* const rotate =
      back ? "part @ linear.to(x.dtype).transpose(1, 2)\n" : "part @ linear.to(x.dtype)\n";
  const Words words{{"d", std::to_string(dim)}, {"rotate", rotate}};
  switch (field.kind) {
    case Kind::kScalar:
      return "";
    case Kind::kPseudoscalar:
      return turns ? "    part = part * hand.unsqueeze(2)\n" : "";
    case Kind::kVector:
    case Kind::kPseudovector: {
      if (!turns) return "";
      std::string text =
          fill("    part = part.reshape(count, -1, @d@)\n    part = @rotate@", words);
      if (field.kind == Kind::kPseudovector) text += "    part = part * hand.unsqueeze(2)\n";
      return text;
    }
    case Kind::kPoint: {
      const std::string turn = turns ? "    part = @rotate@" : "";
      const std::string shift = !shifts ? ""
                                : back
                                    ? "    part = (part.to(7) + shift.unsqueeze(1)).to(x.dtype)\n"
                                    : "    part = (part.to(7) - shift.unsqueeze(1)).to(x.dtype)\n";
      return fill(text::plain("    part = part.reshape(count, -1, @d@)\n", back ? turn : shift,
                              back ? shift : turn),
                  words);
    }
    case Kind::kTensor: {
      if (!turns) return "";
      const char* const text =
          back ? "    part = turn @ part.reshape(count, -1, @d@, @d@) @ turn.transpose(2, 3)\n"
               : "    part = turn.transpose(2, 3) @ part.reshape(count, -1, @d@, @d@) @ turn\n";
      return fill(text::plain("    turn = linear.to(x.dtype).unsqueeze(1)\n", text), words);
    }
  }
  return "";
}

std::string method(const std::string& head, const FieldType& type, const EuclideanGroup& group,
                   bool back) {
  const bool turns = group.linear() != EuclideanGroup::Linear::kIdentity;
  std::string text = head;
  if (turns && (type.has(Kind::kPseudoscalar) || type.has(Kind::kPseudovector)))
    text += "    hand = torch.det(linear.detach()).round().unsqueeze(1).to(x.dtype)\n";
  text += "    parts: List[Tensor] = []\n";
  int64_t offset = 0;
  for (const FieldType::Field& field : type.fields()) {
    const int64_t width = FieldType({field}).channels(group.dim());
    text += fill("    part = rows[:, :, @from@:@to@]\n",
                 {{"from", std::to_string(offset)}, {"to", std::to_string(offset + width)}});
    text += move_text(field, group.dim(), back, group.has_shifts(), turns);
    text += fill("    parts.append(part.reshape(count, -1, @width@))\n",
                 {{"width", std::to_string(width)}});
    offset += width;
  }
  return text + "    return torch.cat(parts, 2).reshape(shape)\n";
}

}  // namespace

std::string fill(std::string text, const Words& words) {
  for (const auto& [name, word] : words) {
    const std::string mark = "@" + name + "@";
    for (size_t at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + word.size()))
      text.replace(at, mark.size(), word);
  }
  return text;
}

std::string field_source(const std::string& name, const FieldType& type,
                         const EuclideanGroup& group) {
  const Words words{{"name", name}, {"C", std::to_string(type.channels(group.dim()))}};
  const std::string into = fill(R"(
def into_@name@(self, x, items, linear, shift):
    count = items.size(0)
    rows = x.index_select(0, items)
    shape = rows.size()
    rows = rows.reshape(count, -1, @C@)
)",
                                words);
  const std::string back = fill(R"(
def back_@name@(self, x, linear, shift):
    count = x.size(0)
    shape = x.size()
    rows = x.reshape(count, -1, @C@)
)",
                                words);
  return method(into, type, group, false) + method(back, type, group, true);
}

}  // namespace equiframe::inline torchscript
