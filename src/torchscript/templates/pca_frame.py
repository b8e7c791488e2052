"""TorchScript of the frame pca: principal axes with all signs.

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
from typing import Optional, Tuple

import torch
from torch import Tensor

DIM__, LAST__, EACH__ = 3, 2, 1  # LAST__ = DIM__ - 1; EACH__ places of a node
PROPER__ = True  # no reflections
CENTRE__ = torch.zeros([2, 3])
ROUNDING__, GAP__, GAP_OF_SINGLE__ = 3.6e-15, 1.5e-8, 3.5e-4  # frames/euclidean/tolerances.h

# part: frame
# Theorem 1's rows where the axes are simple. Axes carry their derivative as V (I + S),
# S_ij = (V^T dC V)_ij / (l_j - l_i), whose value is V.
def axes_of(self, p, w, centre, tolerance: float) -> Tuple[Tensor, Tensor]:
    share = w.repeat_interleave(EACH__, 1).unsqueeze(2) / EACH__
    q = p - centre.unsqueeze(1)
    c = (q * share).transpose(1, 2) @ q
    assert bool(torch.isfinite(c).all()), "equiframe: the input has a NaN or infinite coordinate; remove or mask those points"
    values, axes = torch.linalg_eigh(c.detach())
    largest = values[:, LAST__:]
    reach = ROUNDING__ * centre.detach().abs().amax(1, True)
    tied = torch.zeros([p.size(0)], dtype=11, device=p.device)
    if DIM__ > 1:
        tied = ((values[:, 1:] - values[:, :-1]) <= tolerance * largest).any(1) | (largest <= reach * reach).squeeze(1)
    if c.requires_grad:
        turned = axes.transpose(1, 2) @ c @ axes
        gap = values.unsqueeze(1) - values.unsqueeze(2)
        eta = (largest * tolerance).unsqueeze(2)
        axes = axes + axes @ ((turned - turned.detach()) * (gap / (gap * gap + eta * eta + 1e-300)))
    return axes, tied


def signed(self, axes):
    s = self.signs.to(7)
    if PROPER__:
        hand = torch.det(axes.detach()).sign().reshape(-1, 1, 1)
        axes = torch.cat([axes[:, :, :LAST__], axes[:, :, LAST__:] * hand], 2)
    return axes.unsqueeze(1) * s.reshape(1, s.size(0), 1, DIM__)


def frame(self, x, mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    w = self.node_weights(x, mask)
    p = self.seen_places(x, w)
    centre = CENTRE__
    tolerance = GAP__
    if x.dtype == 6:
        tolerance = GAP_OF_SINGLE__
    axes, tied = self.axes_of(p, w, centre, tolerance)
    bases = self.signed(axes)
    all = torch.arange(x.size(0), device=x.device)
    simple = all
    # part: settle
    simple = torch.nonzero(tied == 0).squeeze(1)
    # part: refuse
    assert not bool(tied.any()), "equiframe: the principal axes of an item tie, so pca has no frame there; wrap with --frame \"pca(degenerate=minimal)\""
    # part: rows
    count = bases.size(1)
    linear = bases.index_select(0, simple)
    weights = torch.full([simple.size(0), count], 1.0 / count, dtype=7, device=x.device)
    if draws > 0 and draws < count:
        chosen = torch.rand([simple.size(0), count], device=x.device).argsort(1)[:, :draws]
        linear = linear.gather(1, chosen.reshape(-1, draws, 1, 1).expand(-1, draws, DIM__, DIM__))
        weights = torch.full([simple.size(0), draws], 1.0 / draws, dtype=7, device=x.device)
        count = draws
    items = simple.repeat_interleave(count)
    linear = linear.reshape(-1, DIM__, DIM__)
    weights = weights.reshape(-1)
    # part: settled
    hard = torch.nonzero(tied).squeeze(1)
    for k in range(hard.size(0)):
        item = int(hard[k].item())
        found = self.minimal_bases(x[item].detach(), w[item], centre[item].detach(), draws)
        items = torch.cat([items, torch.full([found.size(0)], item, dtype=4, device=x.device)], 0)
        linear = torch.cat([linear, found], 0)
        weights = torch.cat([weights, torch.full([found.size(0)], 1.0 / found.size(0), dtype=7, device=x.device)], 0)
    # part: end
    return items, linear, centre.index_select(0, items), weights
