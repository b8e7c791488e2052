"""TorchScript of rho(g)^-1: the rows `items` of x as seen in the frames (linear, shift).

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
from typing import List

import torch
from torch import Tensor

NAME__ = "x"  # of the argument
CHANNELS__, DIM__ = 7, 3
FROM__, TO__, WIDTH__ = 0, 3, 3  # channels of a field

# part: method
def into_NAME__(self, x, items, linear, shift):
    count = items.size(0)
    rows = x.index_select(0, items)
    shape = rows.size()
    rows = rows.reshape(count, -1, CHANNELS__)
    # part: hand
    hand = torch.det(linear.detach()).round().unsqueeze(1).to(x.dtype)
    # part: fields
    parts: List[Tensor] = []
    # part: field
    part = rows[:, :, FROM__:TO__]
    # part: places
    part = part.reshape(count, -1, DIM__)
    # part: shift
    part = (part.to(7) - shift.unsqueeze(1)).to(x.dtype)
    # part: turn
    part = part @ linear.to(x.dtype)
    # part: flip
    part = part * hand.unsqueeze(2)
    # part: tensor
    turn = linear.to(x.dtype).unsqueeze(1)
    part = turn.transpose(2, 3) @ part.reshape(count, -1, DIM__, DIM__) @ turn
    # part: moved field
    parts.append(part.reshape(count, -1, WIDTH__))
    # part: end
    return torch.cat(parts, 2).reshape(shape)
