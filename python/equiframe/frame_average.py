"""FrameAverage: any module made equivariant."""
import inspect
from typing import List, Optional, Sequence, Union

import torch
from torch import Tensor


def _parameter_names(module: torch.nn.Module) -> List[str]:
    """The parameters of forward that a call must or may fill by position, without self."""
    schema = getattr(module.forward, "schema", None)  # scripted and traced modules
    if schema is not None:
        return [argument.name for argument in schema.arguments][1:]
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, parameter in inspect.signature(module.forward).parameters.items()
            if parameter.kind in kinds
            and (parameter.default is inspect.Parameter.empty or name == "mask")]


class FrameAverage(torch.nn.Module):
    """Σ_k w_k ρ_out(g_k) Φ(ρ_in(g_k)⁻¹ x) over the elements g_k of a frame of x (Theorem 1).

    backbone     any module that takes x [M, N, C] and returns [M, N, C'] or [M, C'], M being any
                 number; it sees an ordinary batch of framed copies
    group        "T3", "O3", "SO3", "E3", "SE3" in any dimension, "S8" for graphs of 8 nodes
    frame        "pca", "minimal", "pca(degenerate=minimal)", "sampled(k=1, base=pca)", ...;
                 "pca(gradient=exact)" for gradients with respect to x (forces)
    inputs       how the channels of x transform: "point + vector + 2 scalar"; for S(n) "pair" or
                 "node". A sequence names the types of further arguments too: "copy" (the default)
                 repeats an argument [B, ...] for each copy, "shared" passes it as it is
    outputs      how the channels of the output transform; for S(n) also "set"
    train_frame  another frame while training, such as "sampled(k=1)": one copy a step, and the
                 evaluated model is exact all the same
    max_copies   at most this many framed copies in one call of the backbone; 0 = all

    Equivariance is exact in `eval()`; in training, frames that draw use a new stream each step,
    counted in the buffer `stream`. Errors of names and shapes are RuntimeErrors of one sentence.
    """

    __constants__ = ["takes_mask", "no_extra", "one_extra", "two_extras", "permutes"]

    def __init__(self, backbone: torch.nn.Module, group: str = "SE3", frame: str = "pca",
                 inputs: Union[str, Sequence[str]] = "point", outputs: str = "point", *,
                 train_frame: Optional[str] = None, max_copies: int = 0, seed: int = 0) -> None:
        super().__init__()
        types = [inputs] if isinstance(inputs, str) else list(inputs)
        _, channels, _ = torch.ops.equiframe.describe(group, types[0], outputs, frame)
        if train_frame is not None:
            torch.ops.equiframe.describe(group, types[0], outputs, train_frame)
        for kind in types[1:]:
            if kind not in ("copy", "shared"):
                torch.ops.equiframe.describe(group, kind, outputs, "identity")
        if max_copies < 0:
            raise ValueError(f"max_copies must be 0 (all at once) or more, got {max_copies}")
        self.backbone = backbone
        self.group = group
        self.frame = frame
        self.train_frame = train_frame if train_frame is not None else frame
        self.types: List[str] = types
        self.outputs = outputs
        self.max_copies = max_copies
        self.seed = seed
        names = _parameter_names(backbone)
        self.takes_mask = "mask" in names
        extras = max(len(types) - 1, len(names) - 1 - int(self.takes_mask))
        self.no_extra = extras == 0
        self.one_extra = extras == 1
        self.two_extras = extras == 2
        self.permutes = channels == 0  # S(n) leaves the number of channels free
        self.register_buffer("stream", torch.zeros((), dtype=torch.int64))

    def extra_repr(self) -> str:
        inputs = self.types[0] if len(self.types) == 1 else self.types
        return f"group={self.group!r}, frame={self.frame!r}, inputs={inputs!r}, " \
               f"outputs={self.outputs!r}"

    def forward(self, x: Tensor, extra1: Optional[Tensor] = None, extra2: Optional[Tensor] = None,
                extra3: Optional[Tensor] = None, mask: Optional[Tensor] = None) -> Tensor:
        """x [B, N, C], the backbone's further arguments if it has any, and a mask [B, N] of the
        real points, which the frame respects and a backbone with an argument `mask` gets too."""
        stream = 0
        frame = self.frame
        if self.training:
            self.stream.add_(1)
            stream = int(self.stream.item())
            frame = self.train_frame
        extras: List[Tensor] = []
        for extra in (extra1, extra2, extra3):
            if extra is not None:
                extras.append(extra)
        linear, shift, weights, items = torch.ops.equiframe.frame_rows(
            x, mask, self.group, self.types[0], frame, self.seed, stream)
        rows = items.size(0)
        step = rows if self.max_copies == 0 else self.max_copies
        if step >= rows:
            return self._part(x, extras, mask, linear, shift, weights, items)
        total = self._part(x, extras, mask, linear[:step], shift[:step], weights[:step],
                           items[:step])
        for start in range(step, rows, step):
            end = min(start + step, rows)
            total = total + self._part(x, extras, mask, linear[start:end], shift[start:end],
                                       weights[start:end], items[start:end])
        return total

    def _part(self, x: Tensor, extras: List[Tensor], mask: Optional[Tensor], linear: Tensor,
              shift: Tensor, weights: Tensor, items: Tensor) -> Tensor:
        """The share of some elements in the average, [B, ...]."""
        framed = torch.ops.equiframe.framed(x, linear, shift, items, self.group, self.types[0])
        others: List[Tensor] = []
        for index, extra in enumerate(extras):
            kind = self.types[index + 1] if index + 1 < len(self.types) else "copy"
            if kind == "copy":
                others.append(extra.index_select(0, items))
            elif kind == "shared":
                others.append(extra)
            else:
                others.append(torch.ops.equiframe.framed(extra, linear, shift, items, self.group,
                                                         kind))
        real: Optional[Tensor] = None
        if mask is not None:
            if self.permutes:
                real = torch.ops.equiframe.framed(mask.unsqueeze(-1), linear, shift, items,
                                                  self.group, "node").squeeze(-1)
            else:
                real = mask.index_select(0, items)
        y = self._evaluate(framed, others, real)
        return torch.ops.equiframe.combine(y, linear, shift, weights, items, x.size(0), self.group,
                                           self.outputs)

    def _evaluate(self, x: Tensor, others: List[Tensor], mask: Optional[Tensor]) -> Tensor:
        """The backbone on framed copies. TorchScript compiles the one call that fits it."""
        if not torch.jit.is_scripting():
            y = self.backbone(x, *others, mask=mask) if self.takes_mask \
                else self.backbone(x, *others)
            if not isinstance(y, Tensor):
                raise TypeError("FrameAverage: the backbone must return one tensor, got "
                                f"{type(y).__name__}; wrap it in a module that picks one")
            return y
        if self.takes_mask:
            if self.no_extra:
                return self.backbone(x, mask=mask)
            elif self.one_extra:
                return self.backbone(x, others[0], mask=mask)
            elif self.two_extras:
                return self.backbone(x, others[0], others[1], mask=mask)
            else:
                return self.backbone(x, others[0], others[1], others[2], mask=mask)
        else:
            if self.no_extra:
                return self.backbone(x)
            elif self.one_extra:
                return self.backbone(x, others[0])
            elif self.two_extras:
                return self.backbone(x, others[0], others[1])
            else:
                return self.backbone(x, others[0], others[1], others[2])
