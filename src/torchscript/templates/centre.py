"""TorchScript of what all frames need: the places they look at, and their weighted centre.

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
from typing import Optional

import torch
from torch import Tensor

DIM__, EACH__ = 3, 1  # places of a node
PLACES__ = torch.zeros([2, 5, 3])  # the channels of x that are places

# part: methods
def places(self, x):
    return PLACES__.reshape(x.size(0), -1, DIM__).to(7)


def node_weights(self, x, mask: Optional[Tensor]):
    w = torch.ones([x.size(0), x.size(1)], dtype=7, device=x.device)
    if mask is not None:
        w = mask.to(7)
    total = w.sum(1, True)
    assert bool((total > 0).all()), "equiframe: an item has no point left after the mask"
    return w / total


def seen_places(self, x, w):
    p = self.places(x)
    seen = w.repeat_interleave(EACH__, 1).unsqueeze(2) > 0
    return torch.where(seen, p, torch.zeros_like(p))


def centre_of(self, p, w):
    share = w.repeat_interleave(EACH__, 1).unsqueeze(2) / EACH__
    rough = (p * share).sum(1, True).detach()
    return (rough + ((p - rough) * share).sum(1, True)).squeeze(1)
