"""How symmetric a module is, as numbers."""
import copy
import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import torch
from torch import Tensor

_ops = torch.ops.equiframe

Map = Callable[[Tensor, Optional[Tensor]], Tensor]


class _Kind(NamedTuple):
    draw: Callable[[int], Tuple[Tensor, Tensor]]
    group: str
    inputs: str
    outputs: str


class Errors(NamedTuple):
    """max |f(gx) - g f(x)| / max(1, |f|) over random g, the module run in either type."""

    float32: float
    float64: float


class Check(NamedTuple):
    """The law f(gx) = g f(x), for each kind of g by itself; None where it has no meaning."""

    rotations: Optional[Errors]
    reflections: Optional[Errors]
    translations: Optional[Errors]
    permutations: Optional[Errors]

    def __str__(self) -> str:
        lines = [f"{'':13} {'float32':>9} {'float64':>9}"]
        for name, errors in self._asdict().items():
            if errors is not None:
                lines.append(f"{name:13} {errors.float32:9.1e} {errors.float64:9.1e}")
        return "\n".join(lines)


def check(module: Callable[..., Tensor], group: str = "E3", inputs: str = "point",
          outputs: str = "point", x: Optional[Tensor] = None, extras: Sequence[Any] = (),
          mask: Optional[Tensor] = None, *, draws: int = 8, seed: int = 1) -> Check:
    """Measures a module on x [B, N, C], or on random clouds if x is not given.

    The group says which space x lives in; all of rotations, reflections, translations and
    reorderings of the points are measured, whether the group has them or not. Elements act in
    float64. `extras` are further arguments, which nothing moves; `mask` is given by its name.
    For a group S(n), x is needed and only permutations are measured.
    """
    size, channels, _ = _ops.describe(group, inputs, outputs, "identity")
    if x is None:
        if channels == 0:
            raise ValueError(f"give check() an x of type '{inputs}' for the group {group}")
        x = torch.randn(4, 12, channels, dtype=torch.float64,
                        generator=torch.Generator().manual_seed(seed))
    x = x.detach().double()
    measured: Dict[str, List[float]] = {}
    for dtype in (torch.float32, torch.float64):
        f = _evaluator(module, dtype, extras)
        y = f(x, mask)
        for name, kind in _kinds(size, channels == 0, inputs, outputs, x, y).items():
            worst = max(_error(f, kind, x, y, mask, seed * draws + index)
                        for index in range(draws))
            measured.setdefault(name, []).append(worst)
    return Check(*(Errors(*measured[name]) if name in measured else None
                   for name in Check._fields))


def _kinds(size: int, permutes: bool, inputs: str, outputs: str, x: Tensor,
           y: Tensor) -> Dict[str, _Kind]:
    batch, nodes = x.size(0), x.size(1)
    symmetric = f"S({nodes})"
    node_types = (inputs, outputs) if permutes else \
        ("node", "node" if y.dim() > 2 and y.size(1) == nodes else "set")
    kinds = {"permutations": _Kind(lambda seed: _ops.sample(symmetric, batch, seed), symmetric,
                                   *node_types)}
    if permutes:
        return kinds
    kinds["rotations"] = _Kind(lambda seed: _ops.sample(f"SO({size})", batch, seed),
                               f"O({size})", inputs, outputs)
    kinds["reflections"] = _Kind(lambda seed: _ops.sample_reflections(size, batch, seed),
                                 f"O({size})", inputs, outputs)
    kinds["translations"] = _Kind(lambda seed: _ops.sample(f"T({size})", batch, seed),
                                  f"T({size})", inputs, outputs)
    return kinds


def _error(f: Map, kind: _Kind, x: Tensor, y: Tensor, mask: Optional[Tensor],
           seed: int) -> float:
    """The law's error for one random element of each item; inf where the module gives NaN."""
    linear, shift = kind.draw(seed)
    if mask is not None and kind.group.startswith("S("):
        mask = _ops.act(mask.unsqueeze(-1), linear, shift, kind.group, "node").squeeze(-1)
    moved = f(_ops.act(x, linear, shift, kind.group, kind.inputs), mask)
    error = _ops.relative_difference(
        moved, _ops.act(y, linear, shift, kind.group, kind.outputs))
    return math.inf if math.isnan(error) else error


def _evaluator(module: Callable[..., Tensor], dtype: torch.dtype,
               extras: Sequence[Any]) -> Map:
    """The module, run in `dtype` without gradients, as a map of float64 tensors."""
    if isinstance(module, torch.nn.Module):
        with torch.no_grad():  # copies of scripted modules would not be leaves
            module = copy.deepcopy(module).to(dtype).eval()
    converted = [extra.to(dtype) if isinstance(extra, Tensor) and extra.is_floating_point()
                 else extra for extra in extras]

    def evaluate(x: Tensor, mask: Optional[Tensor]) -> Tensor:
        with torch.no_grad():
            named = {} if mask is None else {"mask": mask}
            y = module(x.to(dtype), *converted, **named)
            return (y.unsqueeze(-1) if y.dim() == 1 else y).double()

    return evaluate
