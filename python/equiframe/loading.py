"""Model files of Equiframe (.safetensors), and files that `equiframe wrap` wrote, as modules."""
import io
import json
import os
import zipfile
from typing import Any, Callable, Dict, Iterator, Optional, Tuple, Union

import torch
from torch import Tensor


class LoadedModel(torch.nn.Module):
    """A trained model of the C++ library. Gradients flow through it, `parameters()` can be given
    to an optimiser, and `.double()` and `.float()` convert it."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.train(False)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None, pair: Optional[Tensor] = None,
                neighbors: Optional[Tensor] = None, edge: Optional[Tensor] = None) -> Tensor:
        """x [B, N, C] of the type `card()["signature"]["in"]`; mask [B, N], pair [B, N, N, E], or
        neighbors [B, N, D] with edge [B, N, D, E], where the model reads them."""
        return self.model.forward(x, mask, pair, neighbors, edge)

    @torch.jit.unused
    def card(self) -> Dict[str, Any]:
        """What the file says about itself: architecture, symmetry, data, measured errors."""
        return json.loads(self.model.card())

    @torch.jit.unused
    def reference_input(self) -> Tensor:
        """The input stored with the model, an example of what it takes."""
        return self.model.reference_input()

    @torch.jit.unused
    def named_parameters(self, prefix: str = "", recurse: bool = True,
                         **_: Any) -> Iterator[Tuple[str, Tensor]]:
        """The tensors the model computes with: what changes them changes the model."""
        for name, parameter in self.model.parameters().items():
            yield (f"{prefix}.{name}" if prefix else name), parameter

    @torch.jit.unused
    def train(self, mode: bool = True) -> "LoadedModel":
        super().train(mode)
        self.model.train(mode)
        return self

    @torch.jit.unused
    def _apply(self, fn: Callable[[Tensor], Tensor]) -> "LoadedModel":
        super()._apply(fn)
        wanted = fn(torch.zeros(0, dtype=next(self.parameters()).dtype)).dtype
        if wanted == torch.float64:
            self.model = self.model.double()
        elif wanted == torch.float32:
            self.model = self.model.float()
        else:
            raise TypeError(f"Equiframe's models compute in float32 or float64, not in {wanted}")
        return self


def load(path: Union[str, "os.PathLike[str]"]) -> LoadedModel:
    """The model in a .safetensors file that `equiframe train` or `save_model` wrote, in `eval()`.
    A damaged file, or one that does not give its stored reference output again, is refused."""
    if zipfile.is_zipfile(path):
        raise RuntimeError(f"'{os.fspath(path)}' is a TorchScript file; use "
                           "equiframe.load_wrapped or torch.jit.load")
    return LoadedModel(torch.classes.equiframe.Model(os.fspath(path)))


def load_wrapped(path: Union[str, "os.PathLike[str]"]) -> torch.jit.ScriptModule:
    """The model in a file that `equiframe wrap` wrote, in `eval()`, its frames computed by the
    library's operators: the answers of `torch.jit.load(path)` within rounding, sooner. Its `card`
    is JSON: what was wrapped, how, and the errors before and after."""
    archive = torch.ops.equiframe.wrapped_with_operators(os.fspath(path))
    return torch.jit.load(io.BytesIO(archive.numpy().tobytes()))
