"""TorchScript of the frame minimal, by the bases of minimal_bases.py.

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
from typing import List, Optional, Tuple

import torch
from torch import Tensor

CENTRE__ = torch.zeros([2, 3])

# part: frame
def frame(self, x, mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    w = self.node_weights(x, mask)
    p = self.seen_places(x, w)
    assert bool(torch.isfinite(p).all()), "equiframe: the input has a NaN or infinite coordinate; remove or mask those points"
    centre = CENTRE__
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
