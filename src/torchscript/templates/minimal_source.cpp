#include "core/plain_text.h"
#include "frames/euclidean/tolerances.h"
#include "torchscript/templates/minimal_bases.py.h"
#include "torchscript/templates/source.h"
#include "torchscript/templates/template.h"

namespace equiframe::inline torchscript {

std::string channels_text(const FieldType& type, FieldType::Kind kind, int64_t dim, int64_t axis) {
  std::string parts;
  int64_t offset = 0;
  for (const FieldType::Field& field : type.fields()) {
    const int64_t width = FieldType({field}).channels(dim);
    if (field.kind == kind)
      parts += text::plain(parts.empty() ? "" : ", ", "x[", axis == 2 ? ":, " : "", ":, ", offset,
                           ":", offset + width, "]");
    offset += width;
  }
  return parts.empty() ? "" : text::plain("torch.cat([", parts, "], ", axis, ")");
}

std::string minimal_source(const std::string& name, const FieldType& type,
                           const EuclideanGroup& group) {
  const Template file(embedded::kMinimalBasesPy);
  const int64_t d = group.dim();
  const Words words{{"NAME__", name},
                    {"STEPS__", std::to_string(group.has_reflections() ? d : d - 1)},
                    {"PROPER__", group.has_reflections() ? "False" : "True"},
                    {"LAST__", std::to_string(d - 1)},
                    {"DIM__", std::to_string(d)},
                    {"ROUNDING__", text::shortest(kMinimalRounding)},
                    {"TIE__", text::shortest(cloud_tolerance(at::kDouble).invariant)},
                    {"TIE_OF_SINGLE__", text::shortest(cloud_tolerance(at::kFloat).invariant)},
                    {"SHORT__", text::shortest(kShortResidual)},
                    {"SAME__", text::shortest(kSameBasis)},
                    {"MOST__", std::to_string(kMaxTiedBases)}};
  std::string text = file.fill({"methods"}, words);
  for (const auto& [part, kind] :
       {std::pair("points", FieldType::Kind::kPoint), {"vectors", FieldType::Kind::kVector}}) {
    const std::string channels = channels_text(type, kind, d, 1);
    if (channels.empty()) continue;
    text += file.fill({part}, {{"CHANNELS__", channels},
                               {"DIM__", std::to_string(d)},
                               {"ROUNDING__", text::shortest(kMinimalRounding)}});
  }
  text += file.fill({"search"}, words);
  int64_t offset = 0;
  for (const FieldType::Field& field : type.fields()) {
    const int64_t width = FieldType({field}).channels(d);
    text += file.fill({"scale"}, {{"FROM__", std::to_string(offset)},
                                  {"TO__", std::to_string(offset + width)},
                                  {"WIDTH__", std::to_string(width)}});
    offset += width;
  }
  return text + file.fill({"end"}, words);
}

}  // namespace equiframe::inline torchscript
