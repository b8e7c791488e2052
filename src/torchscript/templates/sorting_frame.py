"""TorchScript of the frame of S_n: all orders that colour refinement with individualisation ends in.

Colours are int64 numbers that sums and mixing keep independent of the order of nodes.

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
from typing import List, Optional, Tuple

import torch
from torch import Tensor

INPUTS__ = FIRST__ = NAME__ = torch.zeros([2, 5, 3])  # all arguments, the first with nodes, one

# part: methods
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


def frame(self, INPUTS__, mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor]:
    tolerance = 1e-9
    if FIRST__.dtype == 6:
        tolerance = 1e-5
    items: List[Tensor] = []
    found: List[Tensor] = []
    weights: List[Tensor] = []
    n = FIRST__.size(1)
    for b in range(FIRST__.size(0)):
        node = torch.zeros([n], dtype=4, device=FIRST__.device)
        pair = torch.eye(n, dtype=4, device=FIRST__.device)
        if mask is not None:
            node = self.mix(node + mask[b].to(4))
        # part: pair
        e = self.colours(NAME__[b], tolerance).reshape(n, n)
        pair = self.mix(self.mix(pair) + self.mix(e) + 5 * self.mix(e.t()))
        node = self.mix(node * 3 + e.diagonal())
        # part: node
        node = self.mix(node * 3 + self.colours(NAME__[b], tolerance))
        # part: end
        times = max(draws, 1)
        many: List[Tensor] = []
        for t in range(times):
            many.append(self.orders(node, pair, draws))
        order = torch.cat(many, 0)
        items.append(torch.full([order.size(0)], b, dtype=4, device=order.device))
        found.append(order)
        weights.append(torch.full([order.size(0)], 1.0 / order.size(0), dtype=7, device=order.device))
    return torch.cat(items, 0), torch.cat(found, 0), torch.cat(weights, 0)
