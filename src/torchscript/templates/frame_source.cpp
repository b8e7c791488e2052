#include <torch/types.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "torchscript/templates/source.h"

namespace equiframe::inline torchscript {
namespace {

using Kind = FieldType::Kind;

/// What all frames need: the places they look at, and their weighted centre.
constexpr const char* kCentre = R"(
def places(self, x):
    return @places@.reshape(x.size(0), -1, @d@).to(7)

def node_weights(self, x, mask: Optional[Tensor]):
    w = torch.ones([x.size(0), x.size(1)], dtype=7, device=x.device)
    if mask is not None:
        w = mask.to(7)
    total = w.sum(1, True)
    assert bool((total > 0).all()), "equiframe: an item has no point left after the mask"
    return w / total

def seen_places(self, x, w):
    p = self.places(x)
    seen = w.repeat_interleave(@each@, 1).unsqueeze(2) > 0
    return torch.where(seen, p, torch.zeros_like(p))

def centre_of(self, p, w):
    share = w.repeat_interleave(@each@, 1).unsqueeze(2) / @each@
    rough = (p * share).sum(1, True).detach()
    return (rough + ((p - rough) * share).sum(1, True)).squeeze(1)
)";

/// Theorem 1's rows where the axes are simple. Axes carry their derivative as V (I + S),
/// S_ij = (V^T dC V)_ij / (l_j - l_i), whose value is V.
constexpr const char* kAxes = R"(
def axes_of(self, p, w, centre, tolerance: float) -> Tuple[Tensor, Tensor]:
    share = w.repeat_interleave(@each@, 1).unsqueeze(2) / @each@
    q = p - centre.unsqueeze(1)
    c = (q * share).transpose(1, 2) @ q
    assert bool(torch.isfinite(c).all()), "equiframe: the input has a NaN or infinite coordinate; remove or mask those points"
    values, axes = torch.linalg_eigh(c.detach())
    largest = values[:, @last@:]
    reach = 3.6e-15 * centre.detach().abs().amax(1, True)
    tied = torch.zeros([p.size(0)], dtype=11, device=p.device)
    if @d@ > 1:
        tied = ((values[:, 1:] - values[:, :-1]) <= tolerance * largest).any(1) | (largest <= reach * reach).squeeze(1)
    if c.requires_grad:
        turned = axes.transpose(1, 2) @ c @ axes
        gap = values.unsqueeze(1) - values.unsqueeze(2)
        eta = (largest * tolerance).unsqueeze(2)
        axes = axes + axes @ ((turned - turned.detach()) * (gap / (gap * gap + eta * eta + 1e-300)))
    return axes, tied

def signed(self, axes):
    s = self.signs.to(7)
    if @proper@:
        hand = torch.det(axes.detach()).sign().reshape(-1, 1, 1)
        axes = torch.cat([axes[:, :, :@last@], axes[:, :, @last@:] * hand], 2)
    return axes.unsqueeze(1) * s.reshape(1, s.size(0), 1, @d@)
)";

constexpr const char* kPcaFrame = R"(
def frame(self, x, mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    w = self.node_weights(x, mask)
    p = self.seen_places(x, w)
    centre = @centre@
    tolerance = 1.5e-8
    if x.dtype == 6:
        tolerance = 3.5e-4
    axes, tied = self.axes_of(p, w, centre, tolerance)
    bases = self.signed(axes)
    all = torch.arange(x.size(0), device=x.device)
    simple = all
@settle@
    count = bases.size(1)
    linear = bases.index_select(0, simple)
    weights = torch.full([simple.size(0), count], 1.0 / count, dtype=7, device=x.device)
    if draws > 0 and draws < count:
        chosen = torch.rand([simple.size(0), count], device=x.device).argsort(1)[:, :draws]
        linear = linear.gather(1, chosen.reshape(-1, draws, 1, 1).expand(-1, draws, @d@, @d@))
        weights = torch.full([simple.size(0), draws], 1.0 / draws, dtype=7, device=x.device)
        count = draws
    items = simple.repeat_interleave(count)
    linear = linear.reshape(-1, @d@, @d@)
    weights = weights.reshape(-1)
@settled@
    return items, linear, centre.index_select(0, items), weights
)";

constexpr const char* kRefuse =
    R"(    assert not bool(tied.any()), "equiframe: the principal axes of an item tie, so pca has no frame there; wrap with --frame \"pca(degenerate=minimal)\"")";

constexpr const char* kSettle = R"(    simple = torch.nonzero(tied == 0).squeeze(1))";

constexpr const char* kSettled = R"(    hard = torch.nonzero(tied).squeeze(1)
    for k in range(hard.size(0)):
        item = int(hard[k].item())
        found = self.minimal_bases(x[item].detach(), w[item], centre[item].detach(), draws)
        items = torch.cat([items, torch.full([found.size(0)], item, dtype=4, device=x.device)], 0)
        linear = torch.cat([linear, found], 0)
        weights = torch.cat([weights, torch.full([found.size(0)], 1.0 / found.size(0), dtype=7, device=x.device)], 0))";

constexpr const char* kMinimalFrame = R"(
def frame(self, x, mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    w = self.node_weights(x, mask)
    p = self.seen_places(x, w)
    assert bool(torch.isfinite(p).all()), "equiframe: the input has a NaN or infinite coordinate; remove or mask those points"
    centre = @centre@
    items: List[Tensor] = []
    linear: List[Tensor] = []
    weights: List[Tensor] = []
    for item in range(x.size(0)):
        found = self.minimal_bases(x[item].detach(), w[item], centre[item].detach(), draws)
        items.append(torch.full([found.size(0)], item, dtype=4, device=x.device))
        linear.append(found)
        weights.append(torch.full([found.size(0)], 1.0 / found.size(0), dtype=7, device=x.device))
    rows = torch.cat(items, 0)
    return rows, torch.cat(linear, 0), centre.index_select(0, rows), torch.cat(weights, 0)
)";

constexpr const char* kMeanFrame = R"(
def frame(self, x, mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    w = self.node_weights(x, mask)
    p = self.seen_places(x, w)
    assert bool(torch.isfinite(p).all()), "equiframe: the input has a NaN or infinite coordinate; remove or mask those points"
    items = torch.arange(x.size(0), device=x.device)
    linear = torch.eye(@d@, dtype=7, device=x.device).expand(x.size(0), @d@, @d@)
    return items, linear, self.centre_of(p, w), torch.ones([x.size(0)], dtype=7, device=x.device)
)";

/// The channels of one kind, as slices of x: "x[:, :, 0:3]", joined.
std::string slices(const FieldType& type, Kind kind, int64_t dim, int64_t& each) {
  std::vector<std::string> parts;
  int64_t offset = 0;
  each = 0;
  for (const FieldType::Field& field : type.fields()) {
    const int64_t width = FieldType({field}).channels(dim);
    if (field.kind == kind) {
      parts.push_back(text::plain("x[:, :, ", offset, ":", offset + width, "]"));
      each += field.count;
    }
    offset += width;
  }
  std::string joined;
  for (const std::string& part : parts) joined += (joined.empty() ? "" : ", ") + part;
  return parts.empty() ? "x[:, :, 0:0]" : "torch.cat([" + joined + "], 2)";
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
  int64_t each = 0;
  const std::string places = slices(type, by_points ? Kind::kPoint : Kind::kVector, d, each);
  const std::string fixed =
      text::plain("torch.zeros([x.size(0), ", d, "], dtype=7, device=x.device)");
  const bool ties = frame.kind == FrameChoice::Kind::kPca && frame.settles_ties;
  const Words words{{"places", places},
                    {"centre", group.has_shifts() ? "self.centre_of(p, w)" : fixed},
                    {"settle", ties ? kSettle : kRefuse},
                    {"settled", ties ? kSettled : ""},
                    {"each", std::to_string(each)},
                    {"d", std::to_string(d)},
                    {"last", std::to_string(d - 1)},
                    {"proper", group.has_reflections() ? "False" : "True"}};
  std::string text = kCentre;
  const bool minimal = ties || frame.kind == FrameChoice::Kind::kMinimal;
  if (minimal) text += minimal_source(name, type, group);
  if (frame.kind == FrameChoice::Kind::kMean) return fill(text + kMeanFrame, words);
  if (frame.kind == FrameChoice::Kind::kMinimal) return fill(text + kMinimalFrame, words);
  return fill(text + kAxes + kPcaFrame, words);
}

std::string operator_frame_source(const FieldType& type, const EuclideanGroup& group,
                                  const std::string& frame, const std::string& train_frame) {
  const bool draws = frame.starts_with("sampled") || train_frame.starts_with("sampled");
  return fill(R"(
def frame(self, x, mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    stream = 0
    if @draws@:
        stream = int(torch.randint(0, 1000000000, [1]).item())
    call = "@frame@"
    if self.training:
        call = "@train_frame@"
    linear, shift, weights, items = equiframe.frame_rows(x, mask, "@group@", "@type@", call, 1, stream)
    return items, linear.to(7), shift, weights
)",
              {{"draws", draws ? "True" : "False"},
               {"frame", frame},
               {"train_frame", train_frame},
               {"group", group.name()},
               {"type", type.str()}});
}

Tensor signs_of(const EuclideanGroup& group) {
  const int64_t d = group.dim(), free = group.has_reflections() ? d : d - 1;
  const int64_t count = int64_t{1} << free;
  Tensor signs = torch::ones({count, d}, torch::kFloat64);
  for (int64_t k = 0; k < count; ++k) {
    double product = 1;
    for (int64_t i = 0; i < free; ++i) {
      const double sign = (k >> i) % 2 == 1 ? -1 : 1;
      signs[k][i] = sign;
      product *= sign;
    }
    if (free < d) signs[k][d - 1] = product;
  }
  return signs;
}

}  // namespace equiframe::inline torchscript
