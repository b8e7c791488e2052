"""TorchScript of any frame, by the library's own operator.

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
from typing import Optional, Tuple

import torch
from torch import Tensor

import equiframe

DRAWS__ = True  # there is chance in it
FRAME__, TRAIN_FRAME__ = "pca", "sampled(k=1)"
GROUP__, TYPE__ = "SE(3)", "point + vector"

# part: frame
def frame(self, x, mask: Optional[Tensor], draws: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    stream = 0
    if DRAWS__:
        stream = int(torch.randint(0, 1000000000, [1]).item())
    call = "FRAME__"
    if self.training:
        call = "TRAIN_FRAME__"
    linear, shift, weights, items = equiframe.frame_rows(x, mask, "GROUP__", "TYPE__", call, 1, stream)
    return items, linear.to(7), shift, weights
