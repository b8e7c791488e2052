"""TorchScript of frames/euclidean/minimal.cpp for one item.

Bases come from tuples of the directions themselves; those are kept whose invariants are largest,
and of these the ones whose framed input has the largest signature.

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
from typing import List, Tuple

import torch
from torch import Tensor

NAME__ = "x"  # of the argument that is framed
DIM__, LAST__, STEPS__ = 3, 2, 2  # LAST__ = DIM__ - 1; STEPS__ axes are found, completed by one
PROPER__ = True  # no reflections
ROUNDING__, TIE__, TIE_OF_SINGLE__ = 1.6e-14, 1e-9, 2e-5  # frames/euclidean/tolerances.h
SHORT__, SAME__, MOST__ = 100, 10, 4096
CHANNELS__ = torch.zeros([5, 3])  # of all points or all vectors, places or directions
FROM__, TO__, WIDTH__ = 0, 3, 3  # channels of a field

# part: methods
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
    # part: points
    part = CHANNELS__.reshape(-1, DIM__) - centre
    scale = float((part * part).sum(1).max().sqrt().item())
    if scale > ROUNDING__ * float(centre.abs().max().item()):
        ys.append(part / scale)
        kinds.append(torch.full([part.size(0)], 1, dtype=11, device=x.device))
    # part: vectors
    part = CHANNELS__.reshape(-1, DIM__)
    scale = float((part * part).sum(1).max().sqrt().item())
    if scale > 0.0:
        ys.append(part / scale)
        kinds.append(torch.full([part.size(0)], 0, dtype=11, device=x.device))
    # part: search
    if len(ys) == 0:
        return torch.zeros([0, DIM__], dtype=7, device=x.device), torch.zeros([0], dtype=11, device=x.device)
    return torch.cat(ys, 0), torch.cat(kinds, 0)


def search(self, y, is_point, tolerance: float) -> Tuple[Tensor, int]:
    basis = torch.zeros([1, 0, DIM__], dtype=7, device=y.device)
    rank = 0
    going = True
    while going and rank < STEPS__:
        r = self.residual(basis, y)
        length = (r * r).sum(2).sqrt()
        pairs = torch.nonzero(length > SHORT__ * tolerance)
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
            assert pairs.size(0) <= MOST__, "equiframe: more than MOST__ tied bases; the input is too symmetric for a minimal frame"
            r = r[pairs[:, 0], pairs[:, 1]]
            r = r / (r * r).sum(1, True).sqrt()
            basis = self.distinct(torch.cat([basis[pairs[:, 0]], r.unsqueeze(1)], 1), SAME__ * tolerance)
            rank = rank + 1
    return basis, rank


def completed(self, basis, rank: int):
    columns = basis.transpose(1, 2)
    if rank == DIM__:
        return columns
    minors: List[Tensor] = []
    for i in range(DIM__):
        others = torch.cat([columns[:, :i], columns[:, i + 1:]], 1)
        minor = torch.ones([columns.size(0)], dtype=7, device=basis.device)
        if DIM__ > 1:
            minor = torch.det(others)
        if (i + DIM__) % 2 == 0:
            minor = -minor
        minors.append(minor)
    last = torch.stack(minors, 1).unsqueeze(2)
    right = torch.cat([columns, last], 2)
    if PROPER__:
        return right
    return torch.cat([right, torch.cat([columns, -last], 2)], 0)


def largest_signature(self, x, w, centre, bases, tolerance: float):
    count = bases.size(0)
    if count == 1:
        return bases
    rows = torch.zeros([count], dtype=4, device=x.device)
    framed = self.into_NAME__(x.unsqueeze(0), rows, bases, centre.unsqueeze(0).expand(count, DIM__))
    scales: List[Tensor] = []
    nodes = framed.size(1)
    # part: scale
    scale = float((framed[0, :, FROM__:TO__].pow(2).sum() / nodes).sqrt().item())
    if scale == 0.0:
        scale = 1.0
    scales.append(torch.full([WIDTH__], scale, dtype=7, device=x.device))
    # part: end
    scaled = framed / torch.cat(scales, 0)
    heights = ((scaled @ self.waves.to(7) + self.phases.to(7)).cos() * w.reshape(1, -1, 1)).sum(1)
    kept = torch.arange(count, device=x.device)
    for k in range(heights.size(1)):
        kept = kept[self.top(heights[kept, k], tolerance)]
    return bases[kept]


def minimal_bases(self, x, w, centre, draws: int):
    tolerance = TIE__
    if x.dtype == 6:
        tolerance = TIE_OF_SINGLE__
    visible = torch.nonzero(w > 0).squeeze(1)
    seen = x.index_select(0, visible).to(7)
    share = w.index_select(0, visible)
    y, is_point = self.directions(seen, centre)
    basis, rank = self.search(y, is_point, tolerance)
    assert rank >= LAST__, "equiframe: an item lies on a line or in a point, so infinitely many rotations leave it as it is and no finite frame exists; drop such items"
    bases = self.largest_signature(seen, share, centre, self.completed(basis, rank), tolerance)
    if draws > 0 and draws < bases.size(0):
        bases = bases[torch.rand([bases.size(0)], device=x.device).argsort(0)[:draws]]
    return bases
