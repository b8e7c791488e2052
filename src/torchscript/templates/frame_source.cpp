#include <torch/types.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "frames/euclidean/tolerances.h"
#include "torchscript/templates/centre.py.h"
#include "torchscript/templates/mean_frame.py.h"
#include "torchscript/templates/minimal_frame.py.h"
#include "torchscript/templates/operator_frame.py.h"
#include "torchscript/templates/pca_frame.py.h"
#include "torchscript/templates/source.h"
#include "torchscript/templates/template.h"

namespace equiframe::inline torchscript {
namespace {

using Kind = FieldType::Kind;

int64_t count_of(const FieldType& type, Kind kind) {
  int64_t count = 0;
  for (const FieldType::Field& field : type.fields())
    if (field.kind == kind) count += field.count;
  return count;
}

}  // namespace

FrameChoice parse_frame_choice(const std::string& call, const EuclideanGroup& group) {
  const auto [name, options] = Options::parse_call(call);
  FrameChoice result;
  if (name == "sampled") {
    result = parse_frame_choice(options.get("base", "pca(degenerate=minimal)"), group);
    result.draws = options.get_int("k", 1);
    if (result.draws < 1) throw UserError("frame 'sampled': k must be 1 or more");
  } else if (name == "minimal") {
    result.kind = FrameChoice::Kind::kMinimal;
  } else if (name == "mean") {
    result.kind = FrameChoice::Kind::kMean;
  } else if (name == "pca") {
    result.settles_ties = options.get_choice("degenerate", {"refuse", "minimal"}) == 1;
  } else {
    throw UserError(text::plain("a wrapped model cannot average over the frame '", name,
                                "'; use pca, pca(degenerate=minimal), minimal, ",
                                "sampled(k=1, base=pca) or mean"));
  }
  options.refuse_unread("frame '" + name + "'");
  const bool shifts_only = group.linear() == EuclideanGroup::Linear::kIdentity;
  if (shifts_only) result = {FrameChoice::Kind::kMean, false, 0};
  if (!shifts_only && result.kind == FrameChoice::Kind::kMean)
    throw UserError(text::plain("frame 'mean' is for translations only, but ", group.name(),
                                " turns; use pca or minimal"));
  return result;
}

std::string frame_source(const std::string& name, const FieldType& type,
                         const EuclideanGroup& group, const FrameChoice& frame) {
  const int64_t d = group.dim();
  const bool by_points = type.has(Kind::kPoint);
  if (!by_points && (group.has_shifts() || !type.has(Kind::kVector)))
    throw UserError(text::plain("the frame of ", group.name(), " needs places to look at, but '",
                                name, "' is '", type.str(), "'; name the position channels 'point'",
                                group.has_shifts() ? "" : " or 'vector'"));
  const Kind seen = by_points ? Kind::kPoint : Kind::kVector;
  const std::string fixed =
      text::plain("torch.zeros([x.size(0), ", d, "], dtype=7, device=x.device)");
  const std::string centre = group.has_shifts() ? "self.centre_of(p, w)" : fixed;
  const Words words{{"PLACES__", channels_text(type, seen, d, 2)},
                    {"CENTRE__", centre},
                    {"EACH__", std::to_string(count_of(type, seen))},
                    {"DIM__", std::to_string(d)},
                    {"LAST__", std::to_string(d - 1)},
                    {"PROPER__", group.has_reflections() ? "False" : "True"},
                    {"ROUNDING__", text::shortest(kPcaRounding)},
                    {"GAP__", text::shortest(cloud_tolerance(torch::kFloat64).gap)},
                    {"GAP_OF_SINGLE__", text::shortest(cloud_tolerance(torch::kFloat32).gap)}};
  const bool ties = frame.kind == FrameChoice::Kind::kPca && frame.settles_ties;
  std::string text = Template(embedded::kCentrePy).fill({"methods"}, words);
  if (ties || frame.kind == FrameChoice::Kind::kMinimal) text += minimal_source(name, type, group);
  switch (frame.kind) {
    case FrameChoice::Kind::kMean:
      return text + Template(embedded::kMeanFramePy).fill({"frame"}, words);
    case FrameChoice::Kind::kMinimal:
      return text + Template(embedded::kMinimalFramePy).fill({"frame"}, words);
    case FrameChoice::Kind::kPca:
      return text +
             Template(embedded::kPcaFramePy)
                 .fill(ties ? std::vector<std::string>{"frame", "settle", "rows", "settled", "end"}
                            : std::vector<std::string>{"frame", "refuse", "rows", "end"},
                       words);
  }
  return text;
}

std::string operator_frame_source(const FieldType& type, const EuclideanGroup& group,
                                  const std::string& frame, const std::string& train_frame) {
  const bool draws = frame.starts_with("sampled") || train_frame.starts_with("sampled");
  return Template(embedded::kOperatorFramePy)
      .fill({"frame"}, {{"DRAWS__", draws ? "True" : "False"},
                        {"FRAME__", frame},
                        {"TRAIN_FRAME__", train_frame},
                        {"GROUP__", group.name()},
                        {"TYPE__", type.str()}});
}

}  // namespace equiframe::inline torchscript
