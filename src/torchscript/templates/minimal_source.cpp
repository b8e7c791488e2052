#include "core/plain_text.h"
#include "torchscript/templates/source.h"

namespace equiframe::inline torchscript {
namespace {

using Kind = FieldType::Kind;

/// frames/minimal.cpp in TorchScript: bases from tuples of the directions themselves, those kept
/// whose invariants are largest, and of these the ones whose framed input has the largest
/// signature.
constexpr const char* kSearch = R"(
def top(self, v, tolerance: float):
    order = v.argsort(0, True)
    sorted = v.index_select(0, order)
    wide = torch.nonzero((sorted[:-1] - sorted[1:]) > tolerance)
    end = v.size(0)
    if wide.size(0) > 0:
        end = int(wide[0, 0].item()) + 1
    return order[:end].sort()[0]

def residual(self, basis, y):
    r = y.unsqueeze(0).expand(basis.size(0), y.size(0), y.size(1))
    for again in range(2):
        for k in range(basis.size(1)):
            q = basis[:, k].unsqueeze(1)
            r = r - (r * q).sum(2, True) * q
    return r

def distinct(self, basis, tolerance: float):
    kept = basis[:1]
    for m in range(1, basis.size(0)):
        if not bool(((kept - basis[m]).abs().flatten(1).amax(1) <= tolerance).any()):
            kept = torch.cat([kept, basis[m:m + 1]], 0)
    return kept

def directions(self, x, centre) -> Tuple[Tensor, Tensor]:
    ys: List[Tensor] = []
    kinds: List[Tensor] = []
@directions@
    if len(ys) == 0:
        return torch.zeros([0, @d@], dtype=7, device=x.device), torch.zeros([0], dtype=11, device=x.device)
    return torch.cat(ys, 0), torch.cat(kinds, 0)

def search(self, y, is_point, tolerance: float) -> Tuple[Tensor, int]:
    basis = torch.zeros([1, 0, @d@], dtype=7, device=y.device)
    rank = 0
    going = True
    while going and rank < @steps@:
        r = self.residual(basis, y)
        length = (r * r).sum(2).sqrt()
        pairs = torch.nonzero(length > 100 * tolerance)
        if pairs.size(0) == 0:
            going = False
        else:
            points = is_point.index_select(0, pairs[:, 1])
            if bool(points.any()):
                pairs = pairs[points]
            pairs = pairs[self.top(length[pairs[:, 0], pairs[:, 1]], tolerance)]
            for k in range(rank):
                pairs = pairs[self.top((basis[pairs[:, 0], k] * y[pairs[:, 1]]).sum(1), tolerance)]
            if rank == 0:
                for power in range(2, 4):
                    pairs = pairs[self.top((y[pairs[:, 1]] @ y.t()).pow(power).mean(1), tolerance)]
            assert pairs.size(0) <= 4096, "equiframe: more than 4096 tied bases; the input is too symmetric for a minimal frame"
            r = r[pairs[:, 0], pairs[:, 1]]
            r = r / (r * r).sum(1, True).sqrt()
            basis = self.distinct(torch.cat([basis[pairs[:, 0]], r.unsqueeze(1)], 1), 10 * tolerance)
            rank = rank + 1
    return basis, rank

def completed(self, basis, rank: int):
    columns = basis.transpose(1, 2)
    if rank == @d@:
        return columns
    minors: List[Tensor] = []
    for i in range(@d@):
        others = torch.cat([columns[:, :i], columns[:, i + 1:]], 1)
        minor = torch.ones([columns.size(0)], dtype=7, device=basis.device)
        if @d@ > 1:
            minor = torch.det(others)
        if (i + @d@) % 2 == 0:
            minor = -minor
        minors.append(minor)
    last = torch.stack(minors, 1).unsqueeze(2)
    right = torch.cat([columns, last], 2)
    if @proper@:
        return right
    return torch.cat([right, torch.cat([columns, -last], 2)], 0)

def largest_signature(self, x, w, centre, bases, tolerance: float):
    count = bases.size(0)
    if count == 1:
        return bases
    rows = torch.zeros([count], dtype=4, device=x.device)
    framed = self.into_@name@(x.unsqueeze(0), rows, bases, centre.unsqueeze(0).expand(count, @d@))
    scales: List[Tensor] = []
    nodes = framed.size(1)
@scales@
    scaled = framed / torch.cat(scales, 0)
    heights = ((scaled @ self.waves.to(7) + self.phases.to(7)).cos() * w.reshape(1, -1, 1)).sum(1)
    kept = torch.arange(count, device=x.device)
    for k in range(heights.size(1)):
        kept = kept[self.top(heights[kept, k], tolerance)]
    return bases[kept]

def minimal_bases(self, x, w, centre, draws: int):
    tolerance = 1e-9
    if x.dtype == 6:
        tolerance = 2e-5
    visible = torch.nonzero(w > 0).squeeze(1)
    seen = x.index_select(0, visible).to(7)
    share = w.index_select(0, visible)
    y, is_point = self.directions(seen, centre)
    basis, rank = self.search(y, is_point, tolerance)
    assert rank >= @last@, "equiframe: an item lies on a line or in a point, so infinitely many rotations leave it as it is and no finite frame exists; drop such items"
    bases = self.largest_signature(seen, share, centre, self.completed(basis, rank), tolerance)
    if draws > 0 and draws < bases.size(0):
        bases = bases[torch.rand([bases.size(0)], device=x.device).argsort(0)[:draws]]
    return bases
)";

/// Directions of one kind, scaled to length one at most.
constexpr const char* kDirections = R"(    part = @part@.reshape(-1, @d@)@shift@
    scale = float((part * part).sum(1).max().sqrt().item())
    if scale > @noise@:
        ys.append(part / scale)
        kinds.append(torch.full([part.size(0)], @flag@, dtype=11, device=x.device))
)";

std::string directions_text(const FieldType& type, const EuclideanGroup& group) {
  std::string text;
  for (const Kind kind : {Kind::kPoint, Kind::kVector}) {
    std::string parts;
    int64_t offset = 0;
    for (const FieldType::Field& field : type.fields()) {
      const int64_t width = FieldType({field}).channels(group.dim());
      if (field.kind == kind)
        parts += text::plain(parts.empty() ? "" : ", ", "x[:, ", offset, ":", offset + width, "]");
      offset += width;
    }
    if (parts.empty()) continue;
    const bool point = kind == Kind::kPoint;
    text +=
        fill(kDirections, {{"part", "torch.cat([" + parts + "], 1)"},
                           {"shift", point ? " - centre" : ""},
                           {"noise", point ? "1.6e-14 * float(centre.abs().max().item())" : "0.0"},
                           {"flag", point ? "1" : "0"}});
  }
  return text;
}

std::string scales_text(const FieldType& type, const EuclideanGroup& group) {
  std::string text;
  int64_t offset = 0;
  for (const FieldType::Field& field : type.fields()) {
    const int64_t width = FieldType({field}).channels(group.dim());
    text +=
        fill(R"(    scale = float((framed[0, :, @from@:@to@].pow(2).sum() / nodes).sqrt().item())
    if scale == 0.0:
        scale = 1.0
    scales.append(torch.full([@width@], scale, dtype=7, device=x.device))
)",
             {{"from", std::to_string(offset)},
              {"to", std::to_string(offset + width)},
              {"width", std::to_string(width)}});
    offset += width;
  }
  return text;
}

}  // namespace

std::string minimal_source(const std::string& name, const FieldType& type,
                           const EuclideanGroup& group) {
  const int64_t d = group.dim();
  return fill(kSearch, {{"name", name},
                        {"directions", directions_text(type, group)},
                        {"scales", scales_text(type, group)},
                        {"steps", std::to_string(group.has_reflections() ? d : d - 1)},
                        {"proper", group.has_reflections() ? "False" : "True"},
                        {"last", std::to_string(d - 1)},
                        {"d", std::to_string(d)}});
}

}  // namespace equiframe::inline torchscript
