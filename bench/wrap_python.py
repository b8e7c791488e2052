#!/usr/bin/python3
"""FrameAverage against frame averaging written by hand in PyTorch, as ratios of times in one run.

usage: bench/wrap_python.py [--seconds S]    prints JSON; every ratio is by-hand time / our time
Both sides see the same backbone, inputs and one thread, and take turns. Times are processor time,
the least of many runs, as in `equiframe bench`: neighbours on the machine disturb it least.
"""
import argparse
import itertools
import json
import os
import sys
import time
from pathlib import Path
from typing import Callable, Dict, List, Tuple

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import equiframe  # noqa: E402

TARGETS = {"frame": 5.0, "forward": 1.0, "training step": 1.0}
NOISE = 0.03  # what times of one run differ by when both sides do the same
LEAST_RUNS = 20


class PointNet(torch.nn.Module):
    """Points and vectors [M, N, 6] to one vector a point [M, N, 3]."""

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.local = torch.nn.Sequential(torch.nn.Linear(6, width), torch.nn.ReLU(),
                                         torch.nn.Linear(width, width), torch.nn.ReLU())
        self.head = torch.nn.Sequential(torch.nn.Linear(2 * width, width), torch.nn.ReLU(),
                                        torch.nn.Linear(width, 3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        features = self.local(x)
        whole = features.max(dim=1, keepdim=True).values.expand_as(features)
        return self.head(torch.cat([features, whole], dim=-1))


def frames_by_hand(points: torch.Tensor, rotations: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    """Centre [B, 1, 3] and axes with all signs [B, K, 3, 3], as the paper's text says it."""
    centre = points.mean(dim=1, keepdim=True)
    centred = points - centre
    covariance = centred.transpose(1, 2) @ centred
    axes = torch.linalg.eigh(covariance)[1]
    signs = torch.tensor(list(itertools.product([1.0, -1.0], repeat=3)), dtype=points.dtype)
    frames = axes.unsqueeze(1) * signs.view(1, 8, 1, 3)
    if rotations:
        right = torch.linalg.det(frames) > 0
        frames = frames[right].view(points.shape[0], 4, 3, 3)
    return centre, frames


class ByHand(torch.nn.Module):
    """Frame averaging of a map from "point + vector" to "vector" in plain PyTorch."""

    def __init__(self, backbone: torch.nn.Module, rotations: bool) -> None:
        super().__init__()
        self.backbone = backbone
        self.rotations = rotations

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        points, vectors = x[..., :3], x[..., 3:]
        with torch.no_grad():
            centre, frames = frames_by_hand(points, self.rotations)
        framed_points = (points - centre).unsqueeze(1) @ frames
        framed_vectors = vectors.unsqueeze(1) @ frames
        framed = torch.cat([framed_points, framed_vectors], dim=-1)
        batch, copies, n, _ = framed.shape
        y = self.backbone(framed.reshape(batch * copies, n, 6)).view(batch, copies, n, 3)
        return (y @ frames.transpose(-1, -2)).mean(dim=1)


def ratio(by_hand: Callable[[], object], ours: Callable[[], object],
          seconds: float) -> Tuple[float, float, float]:
    """Least times of both in ms, and their ratio."""
    for _ in range(3):
        by_hand(), ours()
    times: Dict[Callable[[], object], List[float]] = {by_hand: [], ours: []}
    turn = [by_hand, ours]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[ours]) < LEAST_RUNS:
        for run in turn:
            start = time.thread_time()
            run()
            times[run].append(time.thread_time() - start)
        turn.reverse()
    hand_ms, our_ms = 1e3 * min(times[by_hand]), 1e3 * min(times[ours])
    return hand_ms, our_ms, hand_ms / our_ms


def step(model: torch.nn.Module, x: torch.Tensor, target: torch.Tensor) -> None:
    model.zero_grad()
    (model(x) - target).square().mean().backward()


def measure(group: str, batch: int, points: int, seconds: float) -> List[Dict[str, object]]:
    torch.manual_seed(1)
    x = torch.randn(batch, points, 6)
    target = torch.randn(batch, points, 3)
    rotations = group == "SE3"
    backbone = PointNet()
    hand = ByHand(backbone, rotations)
    model = equiframe.FrameAverage(backbone, group=group, inputs="point + vector",
                                   outputs="vector")
    cloud = x[..., :3].contiguous()
    with torch.no_grad():
        apart = (hand(x) - model(x)).abs().max().item()
    assert apart < 1e-4, f"the two do not compute the same: {apart}"

    def without_gradient(f: Callable[[torch.Tensor], object],
                         value: torch.Tensor) -> Callable[[], object]:
        def run() -> object:
            with torch.no_grad():
                return f(value)
        return run

    parts = {
        "frame": (without_gradient(lambda c: frames_by_hand(c, rotations), cloud),
                  without_gradient(lambda c: equiframe.frames.pca(c, group), cloud)),
        "forward": (without_gradient(hand, x), without_gradient(model, x)),
        "training step": (lambda: step(hand, x, target), lambda: step(model, x, target)),
    }
    rows: List[Dict[str, object]] = []
    for part, (by_hand, ours) in parts.items():
        hand_ms, our_ms, value = ratio(by_hand, ours, seconds)
        rows.append({"part": part, "group": group, "batch": batch, "points": points,
                     "by_hand_ms": round(hand_ms, 4), "ours_ms": round(our_ms, 4),
                     "ratio": round(value, 2), "target": TARGETS[part],
                     "pass": value >= TARGETS[part] * (1 - NOISE)})
    return rows


def keep_memory() -> None:
    """Begins anew with an allocator that keeps its memory: what the system takes for fresh pages
    varies by half of all that is measured, on both sides alike."""
    settings = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 33)}
    if any(os.environ.get(name) != value for name, value in settings.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **settings})


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=2.0, help="for each row")
    options = arguments.parse_args()
    keep_memory()
    torch.set_num_threads(1)
    rows = [row for group in ("SE3", "E3") for batch, points in ((32, 128), (16, 512), (128, 32))
            for row in measure(group, batch, points, options.seconds)]
    print(json.dumps({"bench": "wrap/python", "torch": torch.__version__, "rows": rows}, indent=1))
    return 0 if all(row["pass"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
