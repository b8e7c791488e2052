#include "torchscript/templates/permutation_source.h"

#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/core/options.h"
#include "torchscript/templates/source.h"

namespace equiframe::inline torchscript {
namespace {

/// Colours are int64 numbers that sums and mixing keep independent of the order of nodes.
constexpr const char* kColours = R"(
def mix(self, h):
    h = torch.bitwise_xor(h, torch.bitwise_right_shift(h, 29)) * 1181783497276652981
    h = torch.bitwise_xor(h, torch.bitwise_right_shift(h, 31)) * 2862933555777941757
    return torch.bitwise_xor(h, torch.bitwise_right_shift(h, 30))

def ranks(self, v, tolerance: float):
    order = v.argsort(0)
    sorted = v.index_select(0, order)
    scale = float(v.abs().max().item())
    steps = torch.zeros_like(order)
    steps[1:] = ((sorted[1:] - sorted[:-1]) > tolerance * scale).to(4)
    return torch.zeros_like(order).index_copy(0, order, steps.cumsum(0))

def colours(self, x, tolerance: float):
    flat = x.reshape(-1, x.size(-1)).detach().to(7)
    assert bool(torch.isfinite(flat).all()), "equiframe: the input has a NaN or infinite number"
    c = torch.zeros([flat.size(0)], dtype=4, device=x.device)
    for k in range(flat.size(1)):
        c = self.mix(c + self.ranks(flat[:, k], tolerance) + 977 * (k + 1))
    return c

def refined(self, c, pair):
    n = c.size(1)
    count = 0
    going = True
    while going:
        heard = self.mix(self.mix(c).unsqueeze(1) + pair.unsqueeze(0)).sum(2)
        c = self.mix(self.mix(c) * 3 + heard)
        sorted = c.sort(1)[0]
        now = int((sorted[:, 1:] != sorted[:, :-1]).sum().item())
        going = now > count and now < c.size(0) * (n - 1)
        count = now
    return c

def largest(self, c, key):
    return c[key == key.max()]

def orders(self, node, pair, draws: int):
    c = self.refined(node.unsqueeze(0), pair)
    n = node.size(0)
    going = True
    while going:
        c = self.largest(c, self.mix(c).sum(1))
        sorted = c.sort(1)[0]
        same = sorted[:, 1:] == sorted[:, :-1]
        going = bool(same.any())
        if going:
            at = same.to(4).argmax(1)
            target = sorted.gather(1, at.unsqueeze(1))
            branches = torch.nonzero(c == target)
            if draws > 0:
                branches = branches[torch.randint(0, branches.size(0), [1], device=c.device)]
            assert branches.size(0) <= 20000, "equiframe: the graph has too many symmetries to list its frame; wrap with --frame \"sampled(k=8)\""
            c = c.index_select(0, branches[:, 0])
            rows = torch.arange(c.size(0), device=c.device)
            c = c.index_put([rows, branches[:, 1]], self.mix(target.squeeze(1).index_select(0, branches[:, 0]) + 7919))
            c = self.refined(c, pair)
    order = c.argsort(1)
    seen = pair[order.unsqueeze(2), order.unsqueeze(1)]
    place = torch.arange(n, device=c.device)
    key = self.mix(seen + self.mix(place.unsqueeze(1) * n + place)).flatten(1).sum(1) + self.mix(node[order] + self.mix(place + 31)).sum(1)
    if draws > 0:
        return order[:1]
    return self.largest(order, key)

def frame(self, @inputs@mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor]:
    tolerance = 1e-9
    if @first@.dtype == 6:
        tolerance = 1e-5
    items: List[Tensor] = []
    found: List[Tensor] = []
    weights: List[Tensor] = []
    n = @first@.size(1)
    for b in range(@first@.size(0)):
        node = torch.zeros([n], dtype=4, device=@first@.device)
        pair = torch.eye(n, dtype=4, device=@first@.device)
        if mask is not None:
            node = self.mix(node + mask[b].to(4))
@gather@
        times = max(draws, 1)
        many: List[Tensor] = []
        for t in range(times):
            many.append(self.orders(node, pair, draws))
        order = torch.cat(many, 0)
        items.append(torch.full([order.size(0)], b, dtype=4, device=order.device))
        found.append(order)
        weights.append(torch.full([order.size(0)], 1.0 / order.size(0), dtype=7, device=order.device))
    return torch.cat(items, 0), torch.cat(found, 0), torch.cat(weights, 0)
)";

}  // namespace

bool is_permutation_group(const std::string& text) {
  if (text == "S_n" || text == "Sn" || text == "S(n)") return true;
  const size_t digits = text.find_first_of("0123456789");
  const std::string head = text.substr(0, digits);
  return digits != std::string::npos && (head == "S" || head == "S(" || head == "S_");
}

RelabelledType parse_relabelled_type(const std::string& text) {
  const size_t letters = text.find_first_not_of("0123456789 ");
  RelabelledType result;
  if (letters == 0 || letters == std::string::npos)
    result.type = PermutationType::parse(text);
  else
    result = {PermutationType::parse(text.substr(letters)), std::stoll(text.substr(0, letters))};
  return result;
}

std::string relabel_source(const std::string& name, const PermutationType& type) {
  std::string into = "    return x\n", back = "    return x\n";
  if (type.kind() != PermutationType::Kind::kSet) {
    into = back = "    return self.relabelled(x, order, @axes@)\n";
    back = "    return self.relabelled(x, order.argsort(1), @axes@)\n";
  }
  return fill(text::plain(R"(
def into_@name@(self, x, items, order):
    x = x.index_select(0, items)
)",
                          into, R"(
def back_@name@(self, x, order):
)",
                          back),
              {{"name", name}, {"axes", std::to_string(type.node_axes())}});
}

std::string sorting_frame_source(const std::vector<RelabelledArgument>& inputs) {
  std::string names, gather, first;
  for (const RelabelledArgument& input : inputs) {
    names += input.name + ", ";
    if (input.type.kind() == PermutationType::Kind::kSet) continue;
    if (first.empty()) first = input.name;
    const bool pairs = input.type.kind() == PermutationType::Kind::kPair;
    gather +=
        fill(pairs ? R"(        e = self.colours(@name@[b], tolerance).reshape(n, n)
        pair = self.mix(self.mix(pair) + self.mix(e) + 5 * self.mix(e.t()))
        node = self.mix(node * 3 + e.diagonal())
)"
                   : "        node = self.mix(node * 3 + self.colours(@name@[b], tolerance))\n",
             {{"name", input.name}});
  }
  if (first.empty())
    throw UserError("S_n needs an argument with nodes: type one of them 'node' or 'pair'");
  static constexpr const char* kRelabelled = R"(
def relabelled(self, x, order, axes: int):
    rows = torch.arange(x.size(0), device=x.device)
    if axes == 1:
        return x[rows.unsqueeze(1), order]
    return x[rows.reshape(-1, 1, 1), order.unsqueeze(2), order.unsqueeze(1)]
)";
  return kRelabelled + fill(kColours, {{"inputs", names}, {"first", first}, {"gather", gather}});
}

int64_t parse_sorting_draws(const std::string& call) {
  const auto [name, options] = Options::parse_call(call);
  if (name != "sorted" && name != "sampled")
    throw UserError("a model of S_n averages over 'sorted' or 'sampled(k=1)', not over '" + name +
                    "'");
  const int64_t draws = name == "sampled" ? options.get_int("k", 1) : 0;
  options.refuse_unread("frame '" + name + "'");
  if (name == "sampled" && draws < 1) throw UserError("frame 'sampled': k must be 1 or more");
  return draws;
}

}  // namespace equiframe::inline torchscript
