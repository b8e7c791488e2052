"""Frames as functions: the elements and weights of F(x) for a batch x [B, N, C].

Elements act on rows as x -> x Rᵀ + t. For every g of the group F(gx) = gF(x), so the framed
copies `frames.pca(x).act_inverse(x)` do not change when x is moved.
"""
from typing import NamedTuple, Optional

import torch
from torch import Tensor

_ops = torch.ops.equiframe

STRATA = ("simple", "planar", "linear", "repeated", "isotropic", "coincident")


class FrameSet(NamedTuple):
    """F(x) of B inputs, K elements each; elements of weight zero are padding."""

    linear: Tensor
    """[B, K, d, d], orthogonal, in the type of x; [B, K, n] int64 for permutations."""
    shift: Tensor
    """[B, K, d] float64."""
    weights: Tensor
    """[B, K] float64, each row sums to one."""
    margin: Tensor
    """[B] float64: relative distance to the nearest tie; inf where no tie is possible."""
    stratum: Tensor
    """[B] int64, an index into `STRATA`; anything but 0 deserves a look."""
    group: str
    type: str

    def act_inverse(self, x: Tensor, type: Optional[str] = None) -> Tensor:
        """The framed copies ρ(g)⁻¹ x [B, K, ...] of x [B, ...]; `type` is that of the frame's
        input unless given."""
        return _ops.act_inverse(x.unsqueeze(1), self.linear, self.shift, self.group,
                                type or self.type)

    def act(self, y: Tensor, type: Optional[str] = None) -> Tensor:
        """ρ(g) y of y [B, K, ...]: outputs of the framed copies brought back."""
        return _ops.act(y, self.linear, self.shift, self.group, type or self.type)


def frame(x: Tensor, call: str = "pca", group: str = "SE3", type: str = "point",
          mask: Optional[Tensor] = None, seed: int = 0, stream: int = 0) -> FrameSet:
    """The frame written `call`, such as "pca(degenerate=minimal)"; `equiframe list` has them all.

    `type` says how the channels of x transform: a sum of scalar, pseudoscalar, vector,
    pseudovector, point and tensor, as in "point + 2 vector". `mask` [B, N] is true for real
    points. `seed` and `stream` matter to frames that draw.
    """
    return FrameSet(*_ops.frame(x, mask, group, type, call, seed, stream), group, type)


def pca(x: Tensor, group: str = "SE3", type: str = "point", mask: Optional[Tensor] = None,
        gradient: str = "smooth", degenerate: str = "refuse", seed: int = 0) -> FrameSet:
    """Principal axes with every choice of signs: 2^d elements for O and E, 2^(d-1) for SO and SE.

    `gradient`: what carries gradient back to x: "smooth" (the centre), "none", or "exact" (the
    axes too, second derivatives as well). `degenerate`: what to do where axes tie: "refuse",
    "minimal" (exact) or "sample" (random).
    """
    return frame(x, f"pca(gradient={gradient}, degenerate={degenerate})", group, type, mask, seed)


def minimal(x: Tensor, group: str = "SE3", type: str = "point", mask: Optional[Tensor] = None,
            gradient: str = "smooth") -> FrameSet:
    """As few elements as x has symmetries, usually one; exact for symmetric inputs too."""
    return frame(x, f"minimal(gradient={gradient})", group, type, mask)


def mean(x: Tensor, group: str = "T3", type: str = "point", mask: Optional[Tensor] = None,
         gradient: str = "smooth") -> FrameSet:
    """The centroid: the frame of translations, one element."""
    return frame(x, f"mean(gradient={gradient})", group, type, mask)


def sampled(x: Tensor, k: int = 1, base: str = "pca", group: str = "SE3", type: str = "point",
            mask: Optional[Tensor] = None, seed: int = 0, stream: int = 0) -> FrameSet:
    """k random elements of another frame; the same for the same seed, stream and item."""
    return frame(x, f"sampled(k={k}, base={base})", group, type, mask, seed, stream)
