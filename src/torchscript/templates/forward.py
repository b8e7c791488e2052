"""TorchScript of the wrapped forward: frames, the backbone in each of them, and the weighted sum.

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
from typing import List, Optional

import torch
from torch import Tensor

NAME__ = GIVEN__ = torch.zeros([2, 5, 3])  # an argument, and what it is with an axis of items
FIRST__ = torch.zeros([2, 5, 3])  # the rows of the first typed argument
DECLARATIONS__, RETURNS__ = "x: Tensor, k: int = 3", Tensor
DRAWS__, TRAIN_DRAWS__ = 0, 1
FRAMED_BY__ = torch.zeros([2, 5, 3])  # what self.frame is given before the number of draws
ELEMENTS__ = ELEMENT__ = torch.zeros([4, 3, 3])  # what it returns, all and one of them
MOVED__ = torch.zeros([4, 3, 3])  # the same for the items of one step
MAX_BYTES__, BYTES_PER_NUMBER__ = 0, 1.0
FRAMED__ = torch.zeros([4, 5, 3])  # an argument in its frames
ARGUMENTS__ = torch.zeros([4, 5, 3])  # of the backbone
ONE__ = torch.zeros([5, 3])  # a result for one item
STACKED__ = ROWS__ = torch.zeros([4, 5, 3])  # results for all items
TOTALS__ = torch.zeros([2, 5, 3])  # what is returned

# part: forward
def permuted(self, x, order: List[int]):
    if x.dim() == 3:
        return x.permute(order)
    return x


def forward(self, DECLARATIONS__) -> RETURNS__:
    # part: rows of mask
    rows_NAME__: Optional[Tensor] = None
    if NAME__ is not None:
        rows_NAME__ = GIVEN__
    # part: rows
    rows_NAME__ = GIVEN__
    # part: frame
    batch = FIRST__.size(0)
    assert batch > 0, "equiframe: the batch has no items"
    each = FIRST__[0].numel()
    draws = DRAWS__
    if self.training:
        draws = TRAIN_DRAWS__
    items, ELEMENTS__, weights = self.frame(FRAMED_BY__, draws)
    step = items.size(0)
    if MAX_BYTES__ > 0:
        step = max(1, min(step, int(MAX_BYTES__ / (BYTES_PER_NUMBER__ * each))))
    start = 0
    # part: total
    totalK__: List[Tensor] = []
    # part: step
    while start < items.size(0):
        i = items[start:start + step]
        # part: element
        MOVED__ = ELEMENT__[start:start + step]
        # part: weights
        w = weights[start:start + step]
        # part: framed
        framed_NAME__ = FRAMED__
        # part: framed mask
        framed_NAME__: Optional[Tensor] = None
        if rows_NAME__ is not None:
            framed_NAME__ = self.into_mask(rows_NAME__, i, MOVED__)
        # part: all at once
        RESULTS__ = self.backbone.forward(ARGUMENTS__)
        # part: ones
        ysK__: List[Tensor] = []
        # part: one by one
        for m in range(i.size(0)):
            # part: one mask
            one_NAME__: Optional[Tensor] = None
            if framed_NAME__ is not None:
                one_NAME__ = framed_NAME__[m]
            # part: one
            ONES__ = self.backbone.forward(ARGUMENTS__)
            # part: kept
            ysK__.append(ONE__)
        # part: stacked
        RESULTS__ = STACKED__
        # part: sum
        rK__ = ROWS__
        assert rK__.dim() > 0 and rK__.size(0) == i.size(0), "equiframe: the model does not return one result for each item of the batch"
        pK__ = self.back_outK__(rK__, MOVED__)
        pK__ = pK__ * w.to(pK__.dtype).reshape([-1] + [1] * (pK__.dim() - 1))
        shapeK__ = pK__.size()
        shapeK__[0] = batch
        partK__ = torch.zeros(shapeK__, dtype=pK__.dtype, device=pK__.device).index_add(0, i, pK__)
        if len(totalK__) == 0:
            totalK__.append(partK__)
        else:
            totalK__[0] = totalK__[0] + partK__
        # part: next
        start = start + step
    # part: end
    return TOTALS__
