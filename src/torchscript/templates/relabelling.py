"""TorchScript of relabelling: rho(g)^-1 and rho(g) of a tensor of nodes or pairs.

C++ takes the parts it needs, in this order, and puts words in place of the names that end in two
underscores; what stands above the first part gives an example of each (template.h).
"""
import torch

NAME__ = "x"
AXES__ = 1  # that are nodes

# part: relabelled
def relabelled(self, x, order, axes: int):
    rows = torch.arange(x.size(0), device=x.device)
    if axes == 1:
        return x[rows.unsqueeze(1), order]
    return x[rows.reshape(-1, 1, 1), order.unsqueeze(2), order.unsqueeze(1)]


# part: into
def into_NAME__(self, x, items, order):
    x = x.index_select(0, items)
    # part: into order
    return self.relabelled(x, order, AXES__)
    # part: into as it is
    return x


# part: back
def back_NAME__(self, x, order):
    # part: back from order
    return self.relabelled(x, order.argsort(1), AXES__)
    # part: back as it is
    return x
