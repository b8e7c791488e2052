"""Small random backbones without any symmetry but that of reordering."""
from typing import Optional

import torch
from torch import Tensor


class SetNetwork(torch.nn.Module):
    """[M, N, C] -> [M, N, out]; smooth, so that gradients can be checked."""

    def __init__(self, channels: int, out: int, width: int = 16) -> None:
        super().__init__()
        self.first = torch.nn.Linear(channels, width)
        self.last = torch.nn.Linear(2 * width, out)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.tanh(self.first(x))
        return self.last(torch.cat([h, h.mean(dim=1, keepdim=True).expand_as(h)], dim=-1))


class MaskedNetwork(torch.nn.Module):
    """[M, N, C] and [M, N, E] -> [M, out], looking at the points of the mask only."""

    def __init__(self, channels: int, extra: int, out: int) -> None:
        super().__init__()
        self.first = torch.nn.Linear(channels + extra, 16)
        self.last = torch.nn.Linear(16, out)

    def forward(self, x: Tensor, extra: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        h = torch.tanh(self.first(torch.cat([x, extra], dim=-1)))
        if mask is not None:
            h = h * mask.unsqueeze(-1).to(h.dtype)
        return self.last(h.sum(dim=1))


class OrderedNetwork(torch.nn.Module):
    """[M, n, n, E] and [M, n, C] -> [M, n, out], dependent on the order of the nodes."""

    def __init__(self, n: int, edge: int, channels: int, out: int) -> None:
        super().__init__()
        self.shape = (n, out)
        self.net = torch.nn.Sequential(torch.nn.Linear(n * n * edge + n * channels, 24),
                                       torch.nn.Tanh(), torch.nn.Linear(24, n * out))

    def forward(self, pair: Tensor, x: Tensor) -> Tensor:
        return self.net(torch.cat([pair.flatten(1), x.flatten(1)], 1)).view(-1, *self.shape)
