"""TorchScript of the frame mean, for groups that do not turn.

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
from typing import Optional, Tuple

import torch
from torch import Tensor

DIM__ = 3

# part: frame
def frame(self, x, mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    w = self.node_weights(x, mask)
    p = self.seen_places(x, w)
    assert bool(torch.isfinite(p).all()), "equiframe: the input has a NaN or infinite coordinate; remove or mask those points"
    items = torch.arange(x.size(0), device=x.device)
    linear = torch.eye(DIM__, dtype=7, device=x.device).expand(x.size(0), DIM__, DIM__)
    return items, linear, self.centre_of(p, w), torch.ones([x.size(0)], dtype=7, device=x.device)
