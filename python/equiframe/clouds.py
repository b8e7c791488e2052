"""Normals of point clouds."""
from typing import NamedTuple, Optional, Sequence

import torch
from torch import Tensor


class Normals(NamedTuple):
    """Of a cloud of N points: unit normals [N, 3] and, from 0 to 1, how far each can be trusted
    [N], both float32."""

    normals: Tensor
    confidence: Tensor


def normals(points: Tensor, method: str = "fa", *, k: int = 0, orient: str = "none",
            viewpoint: Optional[Sequence[float]] = None, model: str = "", votes: str = "",
            choice: str = "", max_memory: int = 0) -> Normals:
    """Normals of a cloud of points [N, 3], as `equiframe normals` finds them.

    method      "fa", the trained networks; "pca", the plane of the nearest points; "jet", a curved
                surface through them
    k           pca, jet: how many nearest points; 0 = chosen from the cloud
    orient      which of its two signs a normal gets: "none", "viewpoint", "mst" (the same side all
                over a connected part) or "outward"
    viewpoint   the place (x, y, z) that normals look at, with orient="viewpoint"
    model, votes, choice
                fa: files with other weights of "fa-patch", "normal-votes" and "normal-choice";
                "none" does without the last two, which is usual with a model of your own
    max_memory  bytes; a larger cloud is searched in pieces. 0 = most of what is free

    They turn with the cloud and do not depend on the number of threads. No gradient flows. What
    cannot be done is a RuntimeError of one sentence.
    """
    return Normals(*torch.ops.equiframe.normals(
        points, method, k, orient, [] if viewpoint is None else [float(x) for x in viewpoint],
        [str(model), str(votes), str(choice)], max_memory))
