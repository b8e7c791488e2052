#include "audit/report/worst_case.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "audit/measure/places.h"
#include "audit/subjects/typing.h"
#include "frames/permutation/graph_eigen.h"
#include "report/format.h"

namespace equiframe::audit {
namespace {

using report::Anchor;
using report::Colour;
using report::Mark;
using report::number;
using report::Point;
using report::Svg;
using Kind = FieldType::Kind;

constexpr report::Size kSize{880, 420};
constexpr double kReach = 150;

const SymmetryErrors* worst_part(const AuditResult& result) {
  const SymmetryErrors* worst = nullptr;
  for (const SymmetryErrors& errors : result.symmetry) {
    const Verdict::Kind kind = result.verdict(errors.part).kind;
    if (kind != Verdict::Kind::kApproximate && kind != Verdict::Kind::kBroken) continue;
    const bool better =
        worst == nullptr || (errors.claimed && !worst->claimed) ||
        (errors.claimed == worst->claimed && errors.worst.error > worst->worst.error);
    if (better) worst = &errors;
  }
  return worst;
}

/// From space to the drawing, along the axis of least extent.
struct View {
  Tensor axes;    // [d, 2]
  Tensor centre;  // [d]
  double scale = 1;

  Point place(const Tensor& p) const {
    const Tensor flat = (p - centre).matmul(axes) * scale;
    return {kSize.width / 2 + flat[0].item<double>(),
            kSize.height / 2 + 15 - (flat.size(0) > 1 ? flat[1].item<double>() : 0)};
  }
};

View view_of(const Tensor& points) {  // [N, d]
  const int64_t dim = points.size(1);
  View view;
  view.centre = points.mean(0);
  const Tensor centred = points - view.centre;
  const Tensor axes = symmetric_eigen(centred.t().matmul(centred)).second;
  const int64_t shown = std::min<int64_t>(dim, 2);
  view.axes = axes.narrow(1, dim - shown, shown).flip(1).contiguous();
  const double reach = centred.matmul(view.axes).norm(2, -1).max().item<double>();
  view.scale = reach > 0 ? kReach / reach : 1;
  return view;
}

/// The first field of points or vectors of an answer, [n, d]; undefined = none.
Tensor arrows_of(const Typing& typing, const Tensor& answer, Kind kind) {
  const FieldType& field = typing.out.front().field;
  if (!field.has(kind)) return {};
  const Tensor found = field.select(kind, typing.dim(), answer);  // [1, (N,) k, d]
  return found.select(-2, 0).reshape({-1, typing.dim()});
}

void draw_answers(Svg& svg, const View& view, const Tensor& points, const Tensor& answers,
                  Kind kind, Colour colour, double length) {
  for (int64_t i = 0; i < answers.size(0); ++i) {
    if (!torch::isfinite(answers[i]).all().item<bool>()) continue;
    const bool per_node = answers.size(0) == points.size(0);
    const Tensor from = per_node ? points[i] : view.centre;
    const Tensor to = kind == Kind::kPoint ? answers[i] : from + length * answers[i];
    svg.arrow(view.place(from), view.place(to), {colour, 1.6, 0.85});
  }
}

std::string numbers(const Tensor& answer) {
  const Tensor flat = answer.reshape({-1});
  std::string text;
  for (int64_t i = 0; i < std::min<int64_t>(4, flat.size(0)); ++i)
    text += (i > 0 ? ", " : "") + number(flat[i].item<double>());
  return flat.size(0) > 4 ? text + ", ..." : text;
}

Svg drawing(const AuditResult& result, const SymmetryErrors& errors) {
  const Typing& typing = result.typing;
  const Inputs moved = move(typing, errors.worst.motion, errors.worst.input);
  const Tensor points = places_of(typing, moved)[0];  // [N, d]
  const View view = view_of(points);
  Svg svg(kSize,
          c10::str("The worst ", to_string(errors.part), ": the moved input with two answers"));
  svg.text({kSize.width / 2, 24},
           c10::str("worst ", to_string(errors.part), ", error ", number(errors.worst.error)),
           {Colour::kInk, 15, Anchor::kMiddle, report::Weight::kBold});
  for (int64_t i = 0; i < points.size(0); ++i)
    svg.mark(Mark::kDot, view.place(points[i]), Colour::kMuted);
  const Tensor &first = errors.worst.moved_first.front(), &after = errors.worst.moved_after.front();
  for (const Kind kind : {Kind::kVector, Kind::kPoint}) {
    const Tensor a = arrows_of(typing, first, kind), b = arrows_of(typing, after, kind);
    if (!a.defined()) continue;
    const double longest =
        std::max(a.norm(2, -1).max().item<double>(), b.norm(2, -1).max().item<double>());
    const double length =
        longest > 0 && std::isfinite(longest) ? 0.6 * kReach / view.scale / longest : 0;
    draw_answers(svg, view, points, b, kind, Colour::kCool, length);
    draw_answers(svg, view, points, a, kind, Colour::kWarm, length);
    break;
  }
  svg.text({24, kSize.height - 34}, "f(gx) = " + numbers(first), {Colour::kWarm, 13});
  svg.text({24, kSize.height - 14}, "g f(x) = " + numbers(after), {Colour::kCool, 13});
  return svg;
}

}  // namespace

std::vector<Svg> worst_case_drawings(const AuditResult& result) {
  const SymmetryErrors* worst = worst_part(result);
  if (worst == nullptr || !result.typing.is_euclidean() || !find_places(result.typing)) return {};
  return {drawing(result, *worst)};
}

}  // namespace equiframe::audit
