#include "torchscript/templates/field_back.py.h"
#include "torchscript/templates/field_into.py.h"
#include "torchscript/templates/source.h"
#include "torchscript/templates/template.h"

namespace equiframe::inline torchscript {
namespace {

using Kind = FieldType::Kind;

using Parts = std::vector<std::string>;

/// The parts of a template that turn a field.
Parts turning(Kind kind) {
  switch (kind) {
    case Kind::kScalar:
      return {};
    case Kind::kPseudoscalar:
      return {"flip"};
    case Kind::kPoint:
    case Kind::kVector:
      return {"places", "turn"};
    case Kind::kPseudovector:
      return {"places", "turn", "flip"};
    case Kind::kTensor:
      return {"tensor"};
  }
  return {};
}

bool turns(const EuclideanGroup& group) {
  return group.linear() != EuclideanGroup::Linear::kIdentity;
}

Parts moving(Kind kind, const EuclideanGroup& group) {
  Parts parts = turns(group) ? turning(kind) : Parts{};
  if (kind == Kind::kPoint) parts.emplace_back("places");
  if (kind == Kind::kPoint && group.has_shifts()) parts.emplace_back("shift");
  parts.insert(parts.end(), {"field", "moved field"});
  return parts;
}

std::string method(const Template& file, const std::string& name, const FieldType& type,
                   const EuclideanGroup& group) {
  const int64_t channels = type.channels(group.dim());
  std::string text =
      file.fill({"method"}, {{"NAME__", name}, {"CHANNELS__", std::to_string(channels)}});
  if (turns(group) && (type.has(Kind::kPseudoscalar) || type.has(Kind::kPseudovector)))
    text += file.fill({"hand"});
  text += file.fill({"fields"});
  int64_t offset = 0;
  for (const FieldType::Field& field : type.fields()) {
    const int64_t width = FieldType({field}).channels(group.dim());
    text += file.fill(moving(field.kind, group), {{"DIM__", std::to_string(group.dim())},
                                                  {"FROM__", std::to_string(offset)},
                                                  {"TO__", std::to_string(offset + width)},
                                                  {"WIDTH__", std::to_string(width)}});
    offset += width;
  }
  return text + file.fill({"end"});
}

}  // namespace

std::string field_source(const std::string& name, const FieldType& type,
                         const EuclideanGroup& group) {
  const Template into(embedded::kFieldIntoPy), back(embedded::kFieldBackPy);
  return method(into, name, type, group) + method(back, name, type, group);
}

}  // namespace equiframe::inline torchscript
